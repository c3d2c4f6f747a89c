/* matehand.c: computes the minimum and maximum of two hands by piece type, and the change of a
 * required hand by a move. */
#include "mate/matehand.h"

#include "rules/attacks.h"
#include "rules/position.h"

/* A hand with one piece of each type. */
#define HAND_ONES ((Hand)0x02444441)

/* All bits of the counts in which a is at least b. After the subtraction, the guard bits that are
 * still set mark these counts. A guard bit minus the lowest bit of its count is the mask of the
 * count. */
static Hand at_least_mask(Hand a, Hand b) {
    enum { PAWN_GUARD = 1 << 5, PAIR_GUARDS = 1 << 24 | 1 << 27 };
    Hand guards = ((a | HAND_GUARDS) - b) & HAND_GUARDS;
    Hand pawn = guards & PAWN_GUARD;
    Hand pairs = guards & PAIR_GUARDS;
    Hand fours = guards ^ pawn ^ pairs;
    return guards - (pawn >> 5 | pairs >> 2 | fours >> 3);
}

Hand matehand_max(Hand a, Hand b) {
    Hand mask = at_least_mask(a, b);
    return (a & mask) | (b & ~mask);
}

Hand matehand_min(Hand a, Hand b) {
    Hand mask = at_least_mask(a, b);
    return (b & mask) | (a & ~mask);
}

Hand matehand_total(const Position *pos) {
    return pos->hand[BLACK] + pos->hand[WHITE];
}

Hand matehand_monopoly(const Position *pos) {
    Bitboard checkers = pos->now->checkers;
    if (bb_any(checkers) &&
        (bb_has_many(checkers) || !bb_any(bb_between(pos->king[pos->side], bb_first(checkers))))) {
        return 0;
    }
    Hand defender_has = at_least_mask(pos->hand[pos->side], HAND_ONES);
    return pos->hand[color_flip(pos->side)] & ~defender_has;
}

Hand matehand_undo_proof(const Position *pos, Move move, Hand after) {
    if (move_is_drop(move)) {
        return hand_add(after, move_drop_type(move));
    }
    Piece captured = pos->board[move_to(move)];
    if (captured != NO_PIECE && hand_has(after, pt_raw(piece_type(captured)))) {
        return hand_remove(after, pt_raw(piece_type(captured)));
    }
    return after;
}

Hand matehand_undo_disproof(const Position *pos, Move move, Hand after) {
    return matehand_min(matehand_undo_proof(pos, move, after), matehand_total(pos));
}

Hand matehand_without_new_kinds(const Position *pos, Hand hand) {
    return hand & at_least_mask(pos->hand[pos->side], HAND_ONES);
}

Hand matehand_without_new_checks(const Position *pos, Hand hand) {
    Color us = pos->side;
    Bitboard empty = bb_not(pos_occupied(pos));
    for (int t = PAWN; t <= GOLD; t++) {
        PieceType type = (PieceType)t;
        if (hand_has(pos->hand[us], type) || !hand_has(hand, type)) {
            continue;
        }
        Bitboard squares = bb_and(empty, pos_check_squares(pos, type));
        if (type == PAWN) {
            squares = bb_and(squares, bb_files_without(pos_pieces(pos, us, PAWN)));
        }
        if (bb_any(squares)) {
            hand &= ~(hand_mask(type) << hand_shift(type));
        }
    }
    return hand;
}
