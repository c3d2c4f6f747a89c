/* features.c: computes input numbers, and the inputs that a move switches on and off. */
#include "eval/features.h"

static Square input_square(int input) {
    return input % SQ_NB;
}

int features_other_side(int input) {
    ASSERT(input >= 0 && input < NNUE_PIECE_INPUTS);
    if (input < NNUE_BOARD_INPUTS) {
        Square sq = input_square(input);
        int half = NNUE_BOARD_INPUTS / 2;
        int other = input < half ? input + half : input - half;
        return other - sq + sq_turn(sq);
    }
    return input < NNUE_BOARD_INPUTS + NNUE_HAND_SIDE ? input + NNUE_HAND_SIDE
                                                      : input - NNUE_HAND_SIDE;
}

int features_mirrored(int input) {
    ASSERT(input >= 0 && input < NNUE_PIECE_INPUTS);
    if (input >= NNUE_BOARD_INPUTS) {
        return input;
    }
    Square sq = input_square(input);
    return input - sq + features_square((NnueView){BLACK, true}, sq);
}

void features_list(const Position *pos, NnueView view, NnueInputs *out) {
    out->count = 0;
    for (Bitboard rest = pos_occupied(pos); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        out->input[out->count++] = (uint16_t)features_board_input(view, pos->board[sq], sq);
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            int count =
                int_min(hand_count(pos->hand[color], (PieceType)type), pt_total((PieceType)type));
            for (int i = 0; i < count; i++) {
                out->input[out->count++] =
                    (uint16_t)features_hand_input(view, (Color)color, (PieceType)type, i);
            }
        }
    }
}

static void delta_add(NnueDelta *delta, int off, int on) {
    delta->off[delta->count] = (uint16_t)off;
    delta->on[delta->count] = (uint16_t)on;
    delta->count++;
}

void features_move_delta(const State *after, NnueView view, NnueDelta *out) {
    out->count = 0;
    if (after->moved == NO_PIECE) {
        return; /* null move */
    }
    Move move = after->move;
    Square to = move_to(move);
    Color us = piece_color(after->moved);
    int on = features_board_input(view, after->moved, to);
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        int left = hand_count(after->hand[us], type);
        delta_add(out, features_hand_input(view, us, type, left), on);
        return;
    }
    Piece before = move_is_promotion(move) ? after->moved & (Piece)~PROMOTED : after->moved;
    delta_add(out, features_board_input(view, before, move_from(move)), on);
    if (after->captured != NO_PIECE) {
        PieceType type = pt_raw(piece_type(after->captured));
        int count = hand_count(after->hand[us], type);
        delta_add(out, features_board_input(view, after->captured, to),
                  features_hand_input(view, us, type, count - 1));
    }
}

bool features_move_flips(const State *after, Color side) {
    if (after->moved != piece_make(side, KING)) {
        return false;
    }
    return features_is_mirrored(side, move_from(after->move)) !=
           features_is_mirrored(side, move_to(after->move));
}
