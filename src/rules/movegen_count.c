/* movegen_count.c: counts steps and slides by shifting sets: squares where promotion is optional
 * count twice. For perft it also counts the answers to many moves at once, using the fact that most
 * of these moves do not affect them. */
#include "rules/movegen.h"

#include <string.h>

#include "rules/attacks.h"
#include "rules/legality.h"
#include "rules/position.h"

/* The functions below get the side to move as a constant, so the compiler makes two versions of
 * each and "forward" costs nothing. */

FORCE_INLINE int count_in(Bitboard a, Bitboard b) {
    return bb_count(bb_and(a, b));
}

/* Counts the moves of stepping pieces: pawns, knights, silvers, golds. */
FORCE_INLINE int count_steps(const Position *pos, Color us, Bitboard movers, Bitboard targets) {
    const Bitboard *type = pos->type_bb;
    Bitboard pawns = bb_and(type[PAWN], movers);
    Bitboard knights = bb_and(type[KNIGHT], movers);
    Bitboard silvers = bb_and(type[SILVER], movers);
    Bitboard golds = bb_and(type[SET_GOLDS], movers);
    Bitboard generals = bb_or(silvers, golds);
    Bitboard ahead = bb_forward(us, generals);
    Bitboard behind = bb_backward(us, silvers);
    Bitboard jump = bb_forward(us, bb_forward(us, knights));
    int count = count_in(bb_or(ahead, bb_forward(us, pawns)), targets) +
                count_in(bb_left(ahead), targets) + count_in(bb_right(ahead), targets) +
                count_in(bb_left(golds), targets) + count_in(bb_right(golds), targets) +
                count_in(bb_backward(us, golds), targets) + count_in(bb_left(behind), targets) +
                count_in(bb_right(behind), targets) + count_in(bb_left(jump), targets) +
                count_in(bb_right(jump), targets);
    /* Count moves a second time if promotion is optional. */
    Bitboard pieces = bb_or(bb_or(pawns, knights), silvers);
    if (bb_meets(pieces, bb_relative_ranks(us, 0, 4))) {
        Bitboard zone = bb_and(targets, bb_relative_ranks(us, 0, 2));
        Bitboard back_zone = bb_and(targets, bb_relative_ranks(us, 1, 3));
        Bitboard knight_zone = bb_and(targets, bb_relative_ranks(us, 2, 2));
        Bitboard pawn_zone = bb_and(targets, bb_relative_ranks(us, 1, 2));
        Bitboard silver_ahead = bb_forward(us, silvers);
        count += count_in(bb_forward(us, pawns), pawn_zone) + count_in(silver_ahead, zone) +
                 count_in(bb_left(silver_ahead), zone) + count_in(bb_right(silver_ahead), zone) +
                 count_in(bb_left(behind), back_zone) + count_in(bb_right(behind), back_zone) +
                 count_in(bb_left(jump), knight_zone) + count_in(bb_right(jump), knight_zone);
    }
    return count;
}

/* Counts the moves of sliding pieces. */
FORCE_INLINE int count_slides(const Position *pos, Color us, Bitboard movers, Bitboard targets) {
    const Bitboard *type = pos->type_bb;
    Bitboard occupied = pos_occupied(pos);
    Bitboard zone = bb_relative_ranks(us, 0, 2);
    int count = 0;
    for (Bitboard lances = bb_and(type[LANCE], movers); bb_any(lances);) {
        Bitboard reach = bb_and(attacks_lance(us, bb_pop(&lances), occupied), targets);
        count += bb_count(reach) + count_in(reach, bb_relative_ranks(us, 1, 2));
    }
    for (Bitboard bishops = bb_and(type[BISHOP], movers); bb_any(bishops);) {
        Square from = bb_pop(&bishops);
        Bitboard reach = bb_and(attacks_bishop(from, occupied), targets);
        count += bb_count(reach) + count_in(reach, bb_has(zone, from) ? BB_ALL : zone);
    }
    for (Bitboard rooks = bb_and(type[ROOK], movers); bb_any(rooks);) {
        Square from = bb_pop(&rooks);
        Bitboard reach = bb_and(attacks_rook(from, occupied), targets);
        count += bb_count(reach) + count_in(reach, bb_has(zone, from) ? BB_ALL : zone);
    }
    for (Bitboard horses = bb_and(type[HORSE], movers); bb_any(horses);) {
        count += count_in(attacks_horse(bb_pop(&horses), occupied), targets);
    }
    for (Bitboard dragons = bb_and(type[DRAGON], movers); bb_any(dragons);) {
        count += count_in(attacks_dragon(bb_pop(&dragons), occupied), targets);
    }
    return count;
}

FORCE_INLINE int count_board(const Position *pos, Color us, Bitboard movers, Bitboard targets) {
    return count_steps(pos, us, movers, targets) + count_slides(pos, us, movers, targets);
}

/* Counts the drops on the given squares, including illegal pawn-drop mates. */
FORCE_INLINE int count_drops_unmated(const Position *pos, Color us, Bitboard squares) {
    Hand hand = pos->hand[us];
    if (hand == 0) {
        return 0;
    }
    int anywhere = hand_has(hand, SILVER) + hand_has(hand, GOLD) + hand_has(hand, BISHOP) +
                   hand_has(hand, ROOK);
    int count = anywhere * bb_count(squares);
    if (hand_has(hand, KNIGHT)) {
        count += count_in(squares, bb_living_ranks(us, KNIGHT));
    }
    Bitboard living = bb_and(squares, bb_living_ranks(us, LANCE));
    if (hand_has(hand, LANCE)) {
        count += bb_count(living);
    }
    if (hand_has(hand, PAWN)) {
        count += count_in(living, bb_files_without(pos_pieces(pos, us, PAWN)));
    }
    return count;
}

/* Counts the drops on the given squares under full rules. */
FORCE_INLINE int count_drops(const Position *pos, Color us, Bitboard squares) {
    int count = count_drops_unmated(pos, us, squares);
    Color them = color_flip(us);
    Square their_king = pos->king[them];
    if (hand_has(pos->hand[us], PAWN) && their_king != SQ_NONE) {
        Bitboard check = bb_and(attacks_pawn(them, their_king), squares);
        if (bb_meets(check, bb_files_without(pos_pieces(pos, us, PAWN)))) {
            Bitboard blockers = pos_find_blockers(pos, them);
            count -= legality_drop_mates(pos, us, bb_first(check), blockers);
        }
    }
    return count;
}

/* The pieces of `us` that must not leave their line to the king. */
FORCE_INLINE Bitboard find_pinned(const Position *pos, Color us, Square king) {
    Bitboard enemies = pos->color_bb[color_flip(us)];
    Bitboard snipers = attacks_snipers(pos->type_bb, enemies, us, king);
    return bb_and(attacks_blockers(king, snipers, pos_occupied(pos)), pos->color_bb[us]);
}

/* Counts the moves on the board of a side with a king, and sets *drop_squares to the squares on
 * which it may drop. */
FORCE_INLINE int count_with_king(const Position *pos, Color us, Bitboard *drop_squares) {
    Square king = pos->king[us];
    Bitboard own = pos->color_bb[us];
    Bitboard targets = bb_not(own);
    Bitboard king_set = bb_square(king);
    Bitboard danger = pos_king_danger(pos, us);
    int count = bb_count(bb_andnot(bb_andnot(attacks_king(king), own), danger));
    *drop_squares = bb_not(pos_occupied(pos));
    if (UNLIKELY(bb_meets(danger, king_set))) {
        Bitboard checkers = pos_attackers(pos, king, color_flip(us), pos_occupied(pos));
        if (bb_has_many(checkers)) {
            *drop_squares = BB_EMPTY;
            return count;
        }
        *drop_squares = bb_between(king, bb_first(checkers));
        targets = bb_or(*drop_squares, checkers);
    }
    Bitboard pinned = find_pinned(pos, us, king);
    count += count_board(pos, us, bb_andnot(bb_andnot(own, king_set), pinned), targets);
    while (UNLIKELY(bb_any(pinned))) {
        Square sq = bb_pop(&pinned);
        count += count_board(pos, us, bb_square(sq), bb_and(targets, bb_line(king, sq)));
    }
    return count;
}

/* Counts the moves on the board, and sets *drop_squares to the squares on which the side may
 * drop. */
FORCE_INLINE int count_on_board(const Position *pos, Color us, Bitboard *drop_squares) {
    if (pos->king[us] != SQ_NONE) {
        return count_with_king(pos, us, drop_squares);
    }
    *drop_squares = bb_not(pos_occupied(pos));
    return count_board(pos, us, pos->color_bb[us], bb_not(pos->color_bb[us]));
}

FORCE_INLINE int count_side(const Position *pos, Color us) {
    Bitboard drop_squares;
    int count = count_on_board(pos, us, &drop_squares);
    return count + count_drops(pos, us, drop_squares);
}

static int count_black(const Position *pos) {
    return count_side(pos, BLACK);
}

static int count_white(const Position *pos) {
    return count_side(pos, WHITE);
}

int gen_count(const Position *pos) {
    return pos->side == BLACK ? count_black(pos) : count_white(pos);
}

/* ---- answers to many moves ------------------------------------------------------------------- */

/* Makes a move in the bitboards only. A second call takes it back. */
FORCE_INLINE void flip_move(Position *pos, Color us, Move move) {
    Square to = move_to(move);
    if (move_is_drop(move)) {
        pos_flip_piece(pos, to, piece_make(us, move_drop_type(move)));
        return;
    }
    Piece piece = pos->board[move_from(move)];
    Piece after = move_is_promotion(move) ? piece | PROMOTED : piece;
    pos_flip_move(pos, move_from(move), to, piece, after, pos->board[to]);
}

FORCE_INLINE bool is_king_move(const Position *pos, Color us, Move move) {
    return move_origin(move) == pos->king[us];
}

/* Counts the answers of `them` to one move from scratch. */
FORCE_INLINE int count_after(Position *pos, Color them, Move move) {
    Color us = color_flip(them);
    Square king = pos->king[us];
    pos->king[us] = is_king_move(pos, us, move) ? move_to(move) : king;
    flip_move(pos, us, move);
    int count = count_side(pos, them);
    flip_move(pos, us, move);
    pos->king[us] = king;
    return count;
}

/* The part of the count of answers that is the same for most moves. A move changes it only if it
 * leaves or reaches a sensitive square, or puts a slider on a square from which it attacks the
 * surroundings of the king. */
typedef struct Answers {
    int steady;           /* number of board moves of the answering side */
    Bitboard sensitive;   /* squares whose change may change `steady` */
    const KingZone *zone; /* zone of the answering side's king */
    bool may_drop_mate;   /* a pawn drop might mate the moving side's king on its present square */
    int16_t after_drop[SQ_NB]; /* number of answers to a drop on the square that changes nothing
                                  else; -1: unknown */
} Answers;

/* The squares of those sliders in the three sets that belong to `color`, and the squares that they
 * attack. */
FORCE_INLINE Bitboard slider_reach(const Position *pos, Color color, const KingZone *zone,
                                   Bitboard occupied) {
    const Bitboard *type = pos->type_bb;
    Bitboard own = pos->color_bb[color];
    Bitboard rooks = bb_and(bb_and(bb_or(type[ROOK], type[DRAGON]), own), zone->rooks);
    Bitboard bishops = bb_and(bb_and(bb_or(type[BISHOP], type[HORSE]), own), zone->bishops);
    Bitboard lances = bb_and(bb_and(type[LANCE], own), zone->lances[color_flip(color)]);
    Bitboard reach = bb_or(bb_or(rooks, bishops), lances);
    while (bb_any(rooks)) {
        reach = bb_or(reach, attacks_rook(bb_pop(&rooks), occupied));
    }
    while (bb_any(bishops)) {
        reach = bb_or(reach, attacks_bishop(bb_pop(&bishops), occupied));
    }
    while (bb_any(lances)) {
        reach = bb_or(reach, attacks_lance(color, bb_pop(&lances), occupied));
    }
    return reach;
}

/* The squares on which a move may change the number of board moves of `them`. They are the squares
 * of their pieces, the squares that their sliders attack, and the surroundings of their king. Enemy
 * sliders that aim at these surroundings add the squares that they attack and their lines to the
 * king. */
FORCE_INLINE Bitboard sensitive_squares(const Position *pos, Color them, const KingZone *zone) {
    Color us = color_flip(them);
    Square king = pos->king[them];
    Bitboard occupied = pos_occupied(pos);
    Bitboard set =
        bb_or(pos->color_bb[them], slider_reach(pos, them, &pos_king_zones[SQ_NONE], occupied));
    if (king == SQ_NONE) {
        return set;
    }
    Bitboard see_through = bb_andnot(occupied, bb_square(king));
    set = bb_or(set, bb_or(zone->steps[them], slider_reach(pos, us, zone, see_through)));
    Bitboard aiming = attacks_snipers(pos->type_bb, pos->color_bb[us], them, king);
    while (bb_any(aiming)) {
        set = bb_or(set, bb_between(king, bb_pop(&aiming)));
    }
    return set;
}

/* True if a piece of this type on `to` attacks the surroundings of the answering side's king. */
FORCE_INLINE bool aims_at_king(const Answers *answers, Color them, PieceType type, Square to) {
    switch (type) {
    case LANCE:
        return bb_has(answers->zone->lances[them], to);
    case BISHOP:
    case HORSE:
        return bb_has(answers->zone->bishops, to);
    case ROOK:
    case DRAGON:
        return bb_has(answers->zone->rooks, to);
    default:
        return false;
    }
}

/* Counts the drops of `them` after a move that does not affect their moves on the board. */
FORCE_INLINE int drops_after(Position *pos, Color them, Move move, bool may_drop_mate) {
    Color us = color_flip(them);
    Bitboard empty = bb_andnot(bb_not(pos_occupied(pos)), bb_square(move_to(move)));
    if (!move_is_drop(move)) {
        empty = bb_or(empty, bb_square(move_from(move)));
    }
    if (!may_drop_mate && !is_king_move(pos, us, move)) {
        return count_drops_unmated(pos, them, empty);
    }
    Square king = pos->king[us];
    pos->king[us] = is_king_move(pos, us, move) ? move_to(move) : king;
    flip_move(pos, us, move);
    int count = count_drops(pos, them, empty);
    flip_move(pos, us, move);
    pos->king[us] = king;
    return count;
}

FORCE_INLINE int count_answer(Position *pos, Color them, Answers *answers, Move move) {
    Square to = move_to(move);
    bool is_drop = move_is_drop(move);
    if (bb_has(answers->sensitive, to) ||
        (!is_drop && bb_has(answers->sensitive, move_from(move))) ||
        aims_at_king(answers, them, pos_moved_type(pos, move), to)) {
        return count_after(pos, them, move);
    }
    if (pos->hand[them] == 0) {
        return answers->steady;
    }
    if (!is_drop || answers->may_drop_mate) {
        return answers->steady + drops_after(pos, them, move, answers->may_drop_mate);
    }
    if (answers->after_drop[to] < 0) {
        int count = answers->steady + drops_after(pos, them, move, false);
        answers->after_drop[to] = (int16_t)count;
    }
    return answers->after_drop[to];
}

FORCE_INLINE uint64_t count_answers_of(Position *pos, Color them, const Move *list, int count) {
    Color us = color_flip(them);
    Bitboard drop_squares;
    const KingZone *zone = &pos_king_zones[pos->king[them]];
    Answers answers = {.steady = count_on_board(pos, them, &drop_squares),
                       .sensitive = sensitive_squares(pos, them, zone),
                       .zone = zone};
    Square king = pos->king[us];
    answers.may_drop_mate = hand_has(pos->hand[them], PAWN) && king != SQ_NONE &&
                            bb_has(bb_files_without(pos_pieces(pos, them, PAWN)), king);
    if (pos->hand[us] != 0) {
        memset(answers.after_drop, -1, sizeof(answers.after_drop));
    }
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        total += (uint64_t)count_answer(pos, them, &answers, list[i]);
    }
    return total;
}

static uint64_t count_answers_of_black(Position *pos, const Move *list, int count) {
    return count_answers_of(pos, BLACK, list, count);
}

static uint64_t count_answers_of_white(Position *pos, const Move *list, int count) {
    return count_answers_of(pos, WHITE, list, count);
}

uint64_t gen_count_answers(Position *pos, const Move *list, int count) {
    return pos->side == BLACK ? count_answers_of_white(pos, list, count)
                              : count_answers_of_black(pos, list, count);
}
