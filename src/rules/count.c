#include "rules/count.h"

#include "rules/attacks.h"
#include "rules/legality.h"
#include "rules/position.h"

/* By square of a king: from where an enemy piece may bear on it or on a square beside it. [color]
 * is the king's. Anything outside these sets is of no concern to the king's moves. */
typedef struct KingZone {
    Bitboard steps[COLOR_NB];
    Bitboard lances[COLOR_NB];
    Bitboard bishops;
    Bitboard rooks;
} KingZone;

static KingZone king_zone[SQ_NB];

void count_init(void) {
    for (Square king = 0; king < SQ_NB; king++) {
        KingZone zone = {.bishops = BB_EMPTY, .rooks = BB_EMPTY};
        for (Bitboard near = bb_or(attacks_king(king), bb_square(king)); bb_any(near);) {
            Square sq = bb_pop(&near);
            Bitboard self = bb_square(sq);
            zone.bishops = bb_or(zone.bishops, bb_or(attack_cross[0][sq], self));
            zone.rooks = bb_or(zone.rooks, bb_or(attack_cross[1][sq], self));
            for (int color = BLACK; color <= WHITE; color++) {
                Bitboard steps = bb_or(attacks_king(sq), attacks_knight((Color)color, sq));
                zone.steps[color] = bb_or(zone.steps[color], steps);
                zone.lances[color] = bb_or(zone.lances[color], bb_before((Color)color, sq));
            }
        }
        king_zone[king] = zone;
    }
}

/* Every function below takes the side to move as a constant, so that each is made twice and
 * "forward" costs nothing. */

FORCE_INLINE Bitboard forward(Color us, Bitboard set) {
    return us == BLACK ? bb_up(set) : bb_down(set);
}

FORCE_INLINE Bitboard backward(Color us, Bitboard set) {
    return us == BLACK ? bb_down(set) : bb_up(set);
}

FORCE_INLINE int count_in(Bitboard a, Bitboard b) {
    return bb_count(bb_and(a, b));
}

/* Moves of the pieces that step: pawns, knights, silvers, golds. */
FORCE_INLINE int count_steps(const Position *pos, Color us, Bitboard movers, Bitboard targets) {
    const Bitboard *type = pos->type_bb;
    Bitboard pawns = bb_and(type[PAWN], movers);
    Bitboard knights = bb_and(type[KNIGHT], movers);
    Bitboard silvers = bb_and(type[SILVER], movers);
    Bitboard golds = bb_and(type[SET_GOLDS], movers);
    Bitboard generals = bb_or(silvers, golds);
    Bitboard ahead = forward(us, generals);
    Bitboard behind = backward(us, silvers);
    Bitboard jump = forward(us, forward(us, knights));
    int count = count_in(bb_or(ahead, forward(us, pawns)), targets) +
                count_in(bb_left(ahead), targets) + count_in(bb_right(ahead), targets) +
                count_in(bb_left(golds), targets) + count_in(bb_right(golds), targets) +
                count_in(backward(us, golds), targets) + count_in(bb_left(behind), targets) +
                count_in(bb_right(behind), targets) + count_in(bb_left(jump), targets) +
                count_in(bb_right(jump), targets);
    /* A second time where promotion is open but not forced. */
    Bitboard pieces = bb_or(bb_or(pawns, knights), silvers);
    if (bb_meets(pieces, bb_relative_ranks(us, 0, 4))) {
        Bitboard zone = bb_and(targets, bb_relative_ranks(us, 0, 2));
        Bitboard back_zone = bb_and(targets, bb_relative_ranks(us, 1, 3));
        Bitboard knight_zone = bb_and(targets, bb_relative_ranks(us, 2, 2));
        Bitboard pawn_zone = bb_and(targets, bb_relative_ranks(us, 1, 2));
        Bitboard silver_ahead = forward(us, silvers);
        count += count_in(forward(us, pawns), pawn_zone) + count_in(silver_ahead, zone) +
                 count_in(bb_left(silver_ahead), zone) + count_in(bb_right(silver_ahead), zone) +
                 count_in(bb_left(behind), back_zone) + count_in(bb_right(behind), back_zone) +
                 count_in(bb_left(jump), knight_zone) + count_in(bb_right(jump), knight_zone);
    }
    return count;
}

/* Moves of the pieces that slide. */
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

FORCE_INLINE int count_drops(const Position *pos, Color us, Bitboard squares) {
    Hand hand = pos->hand[us];
    if (hand == 0) {
        return 0;
    }
    int anywhere = hand_has(hand, SILVER) + hand_has(hand, GOLD) + hand_has(hand, BISHOP) +
                   hand_has(hand, ROOK);
    int count = anywhere * bb_count(squares);
    if (hand_has(hand, KNIGHT)) {
        count += count_in(squares, bb_relative_ranks(us, 2, 8));
    }
    Bitboard living = bb_and(squares, bb_relative_ranks(us, 1, 8));
    if (hand_has(hand, LANCE)) {
        count += bb_count(living);
    }
    if (hand_has(hand, PAWN)) {
        Color them = color_flip(us);
        living = bb_and(living, bb_files_without(pos_pieces(pos, us, PAWN)));
        count += bb_count(living);
        Square enemy_king = pos->king[them];
        if (enemy_king != SQ_NONE && bb_meets(living, attacks_pawn(them, enemy_king))) {
            Square to = bb_first(attacks_pawn(them, enemy_king));
            count -= pawn_drop_mates(pos, us, to, pos_find_blockers(pos, them));
        }
    }
    return count;
}

/* What the enemy's stepping pieces within `near` attack. */
FORCE_INLINE Bitboard step_attacks(const Position *pos, Color us, Bitboard near) {
    const Bitboard *type = pos->type_bb;
    Color them = color_flip(us);
    Bitboard kings = type[KING];
    Bitboard straight = bb_or(bb_or(type[SET_GOLDS], type[HORSE]), kings);
    Bitboard askew = bb_or(bb_or(type[SILVER], type[DRAGON]), kings);
    Bitboard up = bb_or(bb_or(straight, type[PAWN]), type[SILVER]);
    Bitboard side = bb_and(straight, near);
    Bitboard ahead_askew = forward(them, bb_and(bb_or(askew, type[SET_GOLDS]), near));
    Bitboard behind_askew = backward(them, bb_and(askew, near));
    Bitboard jump = forward(them, forward(them, bb_and(type[KNIGHT], near)));
    Bitboard beside = bb_or(bb_or(side, ahead_askew), bb_or(behind_askew, jump));
    return bb_or(bb_or(forward(them, bb_and(up, near)), backward(them, side)),
                 bb_or(bb_left(beside), bb_right(beside)));
}

/* What the enemy attacks around our king, seen through the king itself. Squares farther off may
 * be missing. */
FORCE_INLINE Bitboard danger_near(const Position *pos, Color us, Square king) {
    const KingZone *zone = &king_zone[king];
    const Bitboard *type = pos->type_bb;
    Bitboard enemy = pos->color_bb[color_flip(us)];
    Bitboard see_through = bb_andnot(pos_occupied(pos), bb_square(king));
    Bitboard danger = BB_EMPTY;
    Bitboard near = bb_and(enemy, zone->steps[us]);
    if (bb_any(near)) {
        danger = step_attacks(pos, us, near);
    }
    Bitboard rooks = bb_and(bb_and(bb_or(type[ROOK], type[DRAGON]), enemy), zone->rooks);
    while (bb_any(rooks)) {
        danger = bb_or(danger, attacks_rook(bb_pop(&rooks), see_through));
    }
    Bitboard bishops = bb_and(bb_and(bb_or(type[BISHOP], type[HORSE]), enemy), zone->bishops);
    while (bb_any(bishops)) {
        danger = bb_or(danger, attacks_bishop(bb_pop(&bishops), see_through));
    }
    Bitboard lances = bb_and(bb_and(type[LANCE], enemy), zone->lances[us]);
    while (bb_any(lances)) {
        danger = bb_or(danger, attacks_lance(color_flip(us), bb_pop(&lances), see_through));
    }
    return danger;
}

/* Our pieces that may not leave their line to the king. */
FORCE_INLINE Bitboard find_pinned(const Position *pos, Color us, Square king) {
    const Bitboard *type = pos->type_bb;
    Bitboard snipers = bb_and(bb_or(type[ROOK], type[DRAGON]), attack_cross[1][king]);
    snipers = bb_or(snipers, bb_and(bb_or(type[BISHOP], type[HORSE]), attack_cross[0][king]));
    snipers = bb_or(snipers, bb_and(type[LANCE], bb_before(us, king)));
    snipers = bb_and(snipers, pos->color_bb[color_flip(us)]);
    Bitboard pinned = BB_EMPTY;
    while (bb_any(snipers)) {
        Bitboard between = bb_and(bb_between(king, bb_pop(&snipers)), pos_occupied(pos));
        if (!bb_has_many(between)) {
            pinned = bb_or(pinned, between);
        }
    }
    return bb_and(pinned, pos->color_bb[us]);
}

FORCE_INLINE int count_side(const Position *pos, Color us) {
    Square king = pos->king[us];
    Bitboard own = pos->color_bb[us];
    Bitboard targets = bb_not(own);
    Bitboard drop_squares = bb_not(pos_occupied(pos));
    if (king == SQ_NONE) {
        return count_board(pos, us, own, targets) + count_drops(pos, us, drop_squares);
    }
    Bitboard king_set = bb_square(king);
    Bitboard danger = danger_near(pos, us, king);
    int count = bb_count(bb_andnot(bb_andnot(attacks_king(king), own), danger));
    if (UNLIKELY(bb_meets(danger, king_set))) {
        Bitboard checkers = pos_attackers(pos, king, color_flip(us), pos_occupied(pos));
        if (bb_has_many(checkers)) {
            return count;
        }
        drop_squares = bb_between(king, bb_first(checkers));
        targets = bb_or(drop_squares, checkers);
    }
    Bitboard pinned = find_pinned(pos, us, king);
    count += count_board(pos, us, bb_andnot(bb_andnot(own, king_set), pinned), targets);
    while (UNLIKELY(bb_any(pinned))) {
        Square sq = bb_pop(&pinned);
        count += count_board(pos, us, bb_square(sq), bb_and(targets, bb_line(king, sq)));
    }
    return count + count_drops(pos, us, drop_squares);
}

static int count_black(const Position *pos) {
    return count_side(pos, BLACK);
}

static int count_white(const Position *pos) {
    return count_side(pos, WHITE);
}

int count_legal(const Position *pos) {
    return pos->side == BLACK ? count_black(pos) : count_white(pos);
}

FORCE_INLINE bool is_goldlike(PieceType type) {
    return type == GOLD || (type >= PRO_PAWN && type <= PRO_SILVER);
}

FORCE_INLINE void flip(Position *pos, PieceType type, Bitboard set) {
    pos->type_bb[type] = bb_xor(pos->type_bb[type], set);
    if (is_goldlike(type)) {
        pos->type_bb[SET_GOLDS] = bb_xor(pos->type_bb[SET_GOLDS], set);
    }
}

/* Plays a move on the sets only, mailbox, keys and state untouched; flipping again takes it back.
 */
FORCE_INLINE void flip_move(Position *pos, Color us, Move move) {
    Bitboard to = bb_square(move_to(move));
    Bitboard changed = to;
    if (move_is_drop(move)) {
        flip(pos, move_drop_type(move), to);
    } else {
        Bitboard from = bb_square(move_from(move));
        PieceType type = piece_type(pos->board[move_from(move)]);
        Piece captured = pos->board[move_to(move)];
        changed = bb_or(from, to);
        flip(pos, type, from);
        flip(pos, move_is_promotion(move) ? pt_promote(type) : type, to);
        if (captured != NO_PIECE) {
            flip(pos, piece_type(captured), to);
            pos->color_bb[color_flip(us)] = bb_xor(pos->color_bb[color_flip(us)], to);
            pos->type_bb[SET_ALL] = bb_xor(pos->type_bb[SET_ALL], to);
        }
    }
    pos->color_bb[us] = bb_xor(pos->color_bb[us], changed);
    pos->type_bb[SET_ALL] = bb_xor(pos->type_bb[SET_ALL], changed);
}

int count_replies(Position *pos, Move move) {
    Color us = pos->side;
    bool is_king = !move_is_drop(move) && move_from(move) == pos->king[us];
    flip_move(pos, us, move);
    if (is_king) {
        pos->king[us] = move_to(move);
    }
    int count = us == BLACK ? count_white(pos) : count_black(pos);
    if (is_king) {
        pos->king[us] = move_from(move);
    }
    flip_move(pos, us, move);
    return count;
}
