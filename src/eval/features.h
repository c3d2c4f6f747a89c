/* features.h: the network inputs for the pieces, as seen by each side.
 *
 * A view is rotated so that its side plays up the board, and mirrored if that side's king would be
 * on files 1 to 4, so its own king is always on files 5 to 9. Input numbers:
 *
 *   0 .. 2267     (is_enemy * 14 + type - 1) * 81 + square in this view
 *   2268 .. 2343  2268 + is_enemy * 38 + first number of the type + index in hand from 0
 *
 * Two pawns in hand activate the inputs of the first and of the second pawn (thermometer code).
 * These functions only read positions: safe from every thread. */
#ifndef KMD_EVAL_FEATURES_H
#define KMD_EVAL_FEATURES_H

#include "eval/arch.h"

/* A view: the side it belongs to, and whether it is mirrored. */
typedef struct NnueView {
    Color side;
    bool is_mirrored;
} NnueView;

/* A list of active inputs. The list has room for the inputs of all squares and hands, even in
 * positions that no real set can form, and for threats. */
typedef struct NnueInputs {
    int count;
    uint16_t input[SQ_NB + 2 * NNUE_HAND_SIDE + NNUE_MOST_THREATS];
} NnueInputs;

/* The inputs that a move switches on and off. Both lists have the same length, at most two. */
typedef struct NnueDelta {
    int count;
    uint16_t off[2];
    uint16_t on[2];
} NnueDelta;

/* True if the view of `side` is mirrored when its king is on `king` (SQ_NONE: no king). */
static inline bool features_is_mirrored(Color side, Square king) {
    if (king == SQ_NONE) {
        return false;
    }
    int file = sq_file(king);
    return side == BLACK ? file < 4 : file > 4;
}

static inline NnueView features_view(const Position *pos, Color side) {
    return (NnueView){side, features_is_mirrored(side, pos->king[side])};
}

static inline Square features_square(NnueView view, Square sq) {
    Square turned = view.side == BLACK ? sq : sq_turn(sq);
    return view.is_mirrored ? turned + 72 - 18 * sq_file(turned) : turned;
}

static inline int features_board_input(NnueView view, Piece piece, Square sq) {
    int is_enemy = piece_color(piece) != view.side;
    int kind = is_enemy * NNUE_KINDS + (int)piece_type(piece) - 1;
    return kind * SQ_NB + features_square(view, sq);
}

/* The input for piece number `index` (from 0) of a type in the hand of `owner`. */
static inline int features_hand_input(NnueView view, Color owner, PieceType type, int index) {
    static const uint8_t first[HAND_TYPE_NB] = {0, 0, 18, 22, 26, 34, 36, 30};
    ASSERT(index >= 0 && index < pt_total(type));
    int is_enemy = owner != view.side;
    return NNUE_BOARD_INPUTS + is_enemy * NNUE_HAND_SIDE + first[type] + index;
}

/* Converts an input between the two sides' unmirrored views. */
int features_other_side(int input);

/* The input for the same piece with left and right exchanged. */
int features_mirrored(int input);

/* Lists the active inputs for all pieces on the board and in hand. */
void features_list(const Position *pos, NnueView view, NnueInputs *out);

/* Lists the inputs that were changed by the move that led to `after`. The move must not have
 * changed the mirroring of the view. */
void features_move_delta(const State *after, NnueView view, NnueDelta *out);

/* True if the move that led to `after` changed the mirroring of `side`'s view. */
bool features_move_flips(const State *after, Color side);

#endif
