/* mate1.c: one candidate check at a time: which squares the king loses, whether the checking piece
 * can be captured, whether anything can interpose. */
#include "mate/mate1.h"

#include "rules/attacks.h"
#include "rules/danger.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The data shared by all candidate moves of a position. `them` defend. */
typedef struct Finder {
    const Position *pos;
    Color us;
    Color them;
    Square king;           /* the defender's */
    Bitboard targets;      /* where a move of another piece than our king may end */
    Bitboard drop_targets; /* empty squares where a drop may end */
    Bitboard escapes;      /* steps of the king to squares that we do not attack now */
    Bitboard guarded;      /* the steps of the king to squares that we attack now */
    bool can_block;        /* the defender holds a piece that may be dropped on any square */
    bool has_pawn_trap;    /* a pawn dropped to block might mate our king */
} Finder;

/* A candidate as the board would be after it. The moved piece is in `occupied` but not in `own`:
 * what it attacks is in `reach`, found with the king off the board. */
typedef struct After {
    Square to;
    Bitboard occupied;
    Bitboard own;
    Bitboard reach;
} After;

/* Our pieces other than the moved one that attack sq after the candidate. */
static Bitboard attackers_after(const Finder *finder, const After *after, Square sq,
                                Bitboard occupied) {
    Bitboard set = pos_attackers(finder->pos, sq, finder->us, occupied);
    return bb_and(set, after->own);
}

/* True when the king can take one of these steps after the candidate. */
static bool can_step(const Finder *finder, const After *after, Bitboard steps) {
    Bitboard without_king = bb_xor(after->occupied, bb_square(finder->king));
    while (bb_any(steps)) {
        if (!bb_any(attackers_after(finder, after, bb_pop(&steps), without_king))) {
            return true;
        }
    }
    return false;
}

/* True when the king can step out of check after the candidate. Squares guarded now may no longer
 * be: the move takes a guard away or blocks its line. */
static bool king_escapes(const Finder *finder, const After *after) {
    if (can_step(finder, after, bb_andnot(finder->escapes, after->reach))) {
        return true;
    }
    Bitboard taking = bb_and(attacks_king(finder->king), bb_square(after->to));
    Bitboard guarded = bb_andnot(bb_or(finder->guarded, taking), after->reach);
    return can_step(finder, after, guarded);
}

/* Pieces that are alone between the defender's king and a slider of ours after the candidate. */
static Bitboard pinned_after(const Finder *finder, const After *after, PieceType moved) {
    Bitboard snipers =
        attacks_snipers(finder->pos->type_bb, after->own, finder->them, finder->king);
    if (bb_has(attack_empty[finder->us][moved][after->to], finder->king)) {
        snipers = bb_or(snipers, bb_square(after->to));
    }
    return attacks_blockers(finder->king, snipers, after->occupied);
}

/* True when a defender other than the king can move to sq, where it takes the checking piece or
 * blocks its line. */
static bool can_move_to(const Finder *finder, const After *after, PieceType moved, Square sq) {
    Bitboard movers = pos_attackers(finder->pos, sq, finder->them, after->occupied);
    movers = bb_andnot(movers, bb_square(finder->king));
    if (sq != after->to) {
        movers = bb_andnot(movers, bb_square(after->to));
    }
    if (!bb_any(movers)) {
        return false;
    }
    Bitboard pinned = pinned_after(finder, after, moved);
    while (bb_any(movers)) {
        Square from = bb_pop(&movers);
        if (!bb_has(pinned, from) || sq_aligned(finder->king, from, sq)) {
            return true;
        }
    }
    return false;
}

/* The squares of `between` on which the defender may drop a pawn, lance or knight; pawn-drop mate
 * is not asked for. *others are those for lances and knights. */
static Bitboard drops_between(const Finder *finder, const After *after, Bitboard between,
                              Bitboard *others) {
    Hand hand = finder->pos->hand[finder->them];
    *others = BB_EMPTY;
    if (hand_has(hand, KNIGHT)) {
        *others = bb_and(between, bb_living_ranks(finder->them, KNIGHT));
    }
    Bitboard living = bb_and(between, bb_living_ranks(finder->them, LANCE));
    if (hand_has(hand, LANCE)) {
        *others = bb_or(*others, living);
    }
    if (!hand_has(hand, PAWN)) {
        return BB_EMPTY;
    }
    Bitboard pawns = bb_andnot(pos_pieces(finder->pos, finder->them, PAWN), bb_square(after->to));
    return bb_and(living, bb_files_without(pawns));
}

/* Whether the defender has an answer when the only one found is to drop a pawn on a square of
 * `pawns`: legal unless it mates our king, a case so rare that the move is made to see. The copy
 * has room for it in an array of its own, so that nothing is allocated. */
static bool pawn_drop_answers(const Finder *finder, Bitboard pawns, Move move) {
    Square king = finder->pos->king[finder->us];
    Bitboard checks = king == SQ_NONE ? BB_EMPTY : attacks_pawn(finder->us, king);
    if (move_origin(move) == king) {
        checks = attacks_pawn(finder->us, move_to(move));
    }
    if (bb_any(bb_andnot(pawns, checks))) {
        return true;
    }
    State states[2] = {*finder->pos->now};
    Position copy = *finder->pos;
    copy.states = states;
    copy.now = states;
    copy.state_cap = COUNTOF(states);
    pos_do(&copy, move);
    return gen_has_move(&copy);
}

/* True when the check from `checker` over the squares `between` can be blocked. */
static bool can_interpose(const Finder *finder, const After *after, PieceType moved,
                          Bitboard between, Move move) {
    if (finder->can_block) {
        return true;
    }
    Bitboard others;
    Bitboard pawns = drops_between(finder, after, between, &others);
    if (bb_any(others)) {
        return true;
    }
    for (Bitboard rest = between; bb_any(rest);) {
        if (can_move_to(finder, after, moved, bb_pop(&rest))) {
            return true;
        }
    }
    return bb_any(pawns) && pawn_drop_answers(finder, pawns, move);
}

/* True when the candidate, which must be pseudo-legal and must leave our own king safe, is mate. */
static bool is_mate(const Finder *finder, Move move, PieceType moved) {
    const Position *pos = finder->pos;
    Square to = move_to(move);
    Bitboard to_bb = bb_square(to);
    Bitboard from_bb = move_is_drop(move) ? BB_EMPTY : bb_square(move_from(move));
    Bitboard king_bb = bb_square(finder->king);
    After after = {.to = to,
                   .occupied = bb_or(bb_andnot(pos_occupied(pos), from_bb), to_bb),
                   .own = bb_andnot(pos->color_bb[finder->us], from_bb)};
    after.reach = attacks_of(finder->us, moved, to, bb_xor(after.occupied, king_bb));
    if (king_escapes(finder, &after)) {
        return false;
    }
    Bitboard checkers = BB_EMPTY;
    if (bb_meets(from_bb, pos->now->blockers[finder->them])) {
        checkers = attackers_after(finder, &after, finder->king, after.occupied);
    }
    if (bb_has(after.reach, finder->king)) {
        checkers = bb_or(checkers, to_bb);
    }
    ASSERT(bb_any(checkers));
    if (bb_has_many(checkers)) {
        return true;
    }
    Square checker = bb_first(checkers);
    Bitboard between = bb_between(finder->king, checker);
    return !can_move_to(finder, &after, moved, checker) &&
           !(bb_any(between) && can_interpose(finder, &after, moved, between, move));
}

/* True when a drop there can be mate at all: a drop adds the reach of one piece and nothing else,
 * and a lone piece beside the king is taken. */
static bool drop_is_promising(const Finder *finder, PieceType type, Square to) {
    Bitboard to_bb = bb_square(to);
    if (bb_meets(to_bb, attacks_king(finder->king))) {
        if (!bb_meets(to_bb, finder->guarded)) {
            return false;
        }
    } else if (finder->can_block && type != KNIGHT) {
        return false;
    }
    Bitboard occupied = bb_xor(pos_occupied(finder->pos), bb_square(finder->king));
    Bitboard left = bb_andnot(finder->escapes, to_bb);
    return !bb_any(left) || !bb_any(bb_andnot(left, attacks_of(finder->us, type, to, occupied)));
}

/* A pawn dropped may never mate, so pawns are not tried. */
static Move find_drop(const Finder *finder) {
    static const PieceType order[] = {GOLD, SILVER, ROOK, LANCE, BISHOP, KNIGHT};
    Hand hand = finder->pos->hand[finder->us];
    for (size_t i = 0; i < COUNTOF(order); i++) {
        PieceType type = order[i];
        if (!hand_has(hand, type)) {
            continue;
        }
        /* Whence it checks is never a rank where it could not move again. */
        Bitboard squares = bb_and(pos_check_squares(finder->pos, type), finder->drop_targets);
        while (bb_any(squares)) {
            Square to = bb_pop(&squares);
            Move move = move_make_drop(type, to);
            if (drop_is_promising(finder, type, to) && is_mate(finder, move, type)) {
                return move;
            }
        }
    }
    return MOVE_NONE;
}

/* The mating move of one piece as `moved` among the squares `to_set`. */
static Move find_among(const Finder *finder, Square from, PieceType moved, Bitboard to_set,
                       int flags) {
    while (bb_any(to_set)) {
        Move move = (Move)(flags | move_make(from, bb_pop(&to_set)));
        if (is_mate(finder, move, moved)) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* Where moving without promotion can be of use for a mate in one though promotion is possible:
 * where it checks another way. A piece that does not promote may also be too weak to take the pawn
 * with which the defender blocks, so that the block is a pawn-drop mate and illegal. */
static Bitboard useful_unpromoted(const Finder *finder, PieceType type) {
    Bitboard living = bb_living_ranks(finder->us, type);
    return finder->has_pawn_trap ? living : bb_andnot(living, bb_better_promoted(finder->us, type));
}

/* The mating move of one piece other than our king; `reach` is where it may go legally. */
static Move find_piece(const Finder *finder, Square from, PieceType type, Bitboard reach) {
    const Position *pos = finder->pos;
    Color us = finder->us;
    Bitboard uncovered = BB_EMPTY;
    if (bb_has(pos->now->blockers[finder->them], from)) {
        uncovered = bb_not(bb_line(finder->king, from));
    }
    Bitboard occupied = bb_xor(pos_occupied(pos), bb_square(from));
    if (pt_can_promote(type)) {
        Bitboard zone = sq_in_zone(us, from) ? BB_ALL : bb_relative_ranks(us, 0, 2);
        Bitboard promoting = bb_and(reach, zone);
        if (bb_any(promoting)) {
            Bitboard checks = attacks_of(finder->them, pt_promote(type), finder->king, occupied);
            Bitboard to_set = bb_and(promoting, bb_or(checks, uncovered));
            Move move = find_among(finder, from, pt_promote(type), to_set, MOVE_PROMOTE);
            if (move != MOVE_NONE) {
                return move;
            }
            reach = bb_andnot(reach, bb_andnot(promoting, useful_unpromoted(finder, type)));
        }
    }
    Bitboard checks = attacks_of(finder->them, type, finder->king, occupied);
    return find_among(finder, from, type, bb_and(reach, bb_or(checks, uncovered)), 0);
}

/* Our king can only uncover a check, and not walk into one. */
static Move find_king_move(const Finder *finder) {
    const Position *pos = finder->pos;
    Square king = pos->king[finder->us];
    if (king == SQ_NONE || !bb_has(pos->now->blockers[finder->them], king)) {
        return MOVE_NONE;
    }
    Bitboard reach = bb_andnot(attacks_king(king), pos->color_bb[finder->us]);
    reach = bb_andnot(reach, bb_line(finder->king, king));
    Bitboard occupied = bb_xor(pos_occupied(pos), bb_square(king));
    while (bb_any(reach)) {
        Square to = bb_pop(&reach);
        Move move = move_make(king, to);
        if (!pos_is_attacked(pos, to, finder->them, occupied) && is_mate(finder, move, KING)) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* Our pieces that may be able to check in one move: steppers near the king, sliders and knights
 * anywhere, and what uncovers a line. */
static Bitboard candidate_pieces(const Finder *finder) {
    const Bitboard *type = finder->pos->type_bb;
    Bitboard column = bb_square(finder->king);
    column = bb_or(column, bb_or(bb_up(column), bb_down(column)));
    column = bb_or(column, bb_or(bb_up(column), bb_down(column)));
    Bitboard zone = bb_or(column, bb_or(bb_left(column), bb_right(column)));
    zone = bb_or(zone, bb_or(bb_left(zone), bb_right(zone)));
    zone = bb_or(zone, bb_or(bb_or(type[LANCE], type[KNIGHT]), bb_or(type[BISHOP], type[ROOK])));
    zone = bb_or(zone,
                 bb_or(bb_or(type[HORSE], type[DRAGON]), finder->pos->now->blockers[finder->them]));
    return bb_andnot(bb_and(zone, finder->pos->color_bb[finder->us]), type[KING]);
}

static Move find_board_move(const Finder *finder) {
    const Position *pos = finder->pos;
    Square our_king = pos->king[finder->us];
    Bitboard pinned = our_king == SQ_NONE ? BB_EMPTY : pos->now->blockers[finder->us];
    Bitboard movers = candidate_pieces(finder);
    while (bb_any(movers)) {
        Square from = bb_pop(&movers);
        PieceType type = piece_type(pos->board[from]);
        Bitboard reach = attacks_of(finder->us, type, from, pos_occupied(pos));
        reach = bb_and(reach, finder->targets);
        if (bb_has(pinned, from)) {
            reach = bb_and(reach, bb_line(our_king, from));
        }
        Move move = find_piece(finder, from, type, reach);
        if (move != MOVE_NONE) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* Sorts the steps of the defender's king by whether we attack them. */
static void find_escapes(Finder *finder) {
    const Position *pos = finder->pos;
    Bitboard steps = bb_andnot(attacks_king(finder->king), pos->color_bb[finder->them]);
    Bitboard danger = danger_king(pos, finder->them);
    finder->guarded = bb_and(steps, danger);
    finder->escapes = bb_andnot(steps, danger);
}

Move mate1_find(const Position *pos) {
    Color us = pos->side;
    Color them = color_flip(us);
    if (pos->king[them] == SQ_NONE) {
        return MOVE_NONE;
    }
    Bitboard checkers = pos->now->checkers;
    Finder finder = {.pos = pos,
                     .us = us,
                     .them = them,
                     .king = pos->king[them],
                     .targets = bb_not(pos->color_bb[us]),
                     .drop_targets = bb_not(pos_occupied(pos)),
                     .can_block = (pos->hand[them] & (hand_mask(SILVER) << hand_shift(SILVER) |
                                                      hand_mask(GOLD) << hand_shift(GOLD) |
                                                      hand_mask(BISHOP) << hand_shift(BISHOP) |
                                                      hand_mask(ROOK) << hand_shift(ROOK))) != 0};
    if (pos->king[us] != SQ_NONE && hand_has(pos->hand[them], PAWN)) {
        Bitboard lines = bb_or(bb_diagonals(finder.king), bb_straights(finder.king));
        finder.has_pawn_trap = bb_meets(lines, attacks_pawn(us, pos->king[us]));
    }
    find_escapes(&finder);
    Move move = MOVE_NONE;
    if (!bb_has_many(checkers)) {
        if (bb_any(checkers)) {
            finder.drop_targets = bb_between(pos->king[us], bb_first(checkers));
            finder.targets = bb_or(finder.drop_targets, checkers);
        }
        move = find_drop(&finder);
        move = move != MOVE_NONE ? move : find_board_move(&finder);
    }
    return move != MOVE_NONE ? move : find_king_move(&finder);
}
