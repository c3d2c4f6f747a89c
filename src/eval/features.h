/* features.h: the inputs of the network for the squares of pieces, from the view of each side.
 *
 * A view turns the board so that its side plays upwards, and mirrors it left to right when that
 * side's king would stand on files 1 to 4: the own king is always on files 5 to 9. Input numbers:
 *
 *   0 .. 2267     ((is_enemy * 14 + type - 1) * 81) + square as the view sees it
 *   2268 .. 2343  2268 + is_enemy * 38 + first of the type in hand + number of the piece from 0
 *
 * Two pawns in hand switch on the first and the second pawn (a thermometer). Reads positions only;
 * safe from every thread. */
#ifndef KMD_EVAL_FEATURES_H
#define KMD_EVAL_FEATURES_H

#include "eval/arch.h"

/* Whose eyes, and whether left and right are exchanged. */
typedef struct NnueView {
    Color side;
    bool is_mirrored;
} NnueView;

/* A list of active inputs. Room for every square and hand of positions that no set could make, and
 * for threats. */
typedef struct NnueInputs {
    int count;
    uint16_t input[SQ_NB + 2 * NNUE_HAND_SIDE + NNUE_MOST_THREATS];
} NnueInputs;

/* The changes by one move: equally many inputs are switched off and on, at most two. */
typedef struct NnueDelta {
    int count;
    uint16_t off[2];
    uint16_t on[2];
} NnueDelta;

/* True when the view of `side` with its king on `king` (SQ_NONE: without) is mirrored. */
static inline bool nnue_is_mirrored(Color side, Square king) {
    if (king == SQ_NONE) {
        return false;
    }
    int file = sq_file(king);
    return side == BLACK ? file < 4 : file > 4;
}

static inline NnueView nnue_view(const Position *pos, Color side) {
    return (NnueView){side, nnue_is_mirrored(side, pos->king[side])};
}

static inline Square nnue_square(NnueView view, Square sq) {
    Square turned = view.side == BLACK ? sq : sq_turn(sq);
    return view.is_mirrored ? turned + 72 - 18 * sq_file(turned) : turned;
}

static inline int nnue_board_input(NnueView view, Piece piece, Square sq) {
    int is_enemy = piece_color(piece) != view.side;
    int kind = is_enemy * NNUE_KINDS + (int)piece_type(piece) - 1;
    return kind * SQ_NB + nnue_square(view, sq);
}

/* The input of the piece number `index` (from 0) of a type in the hand of `owner`. */
static inline int nnue_hand_input(NnueView view, Color owner, PieceType type, int index) {
    static const uint8_t first[HAND_TYPE_NB] = {0, 0, 18, 22, 26, 34, 36, 30};
    ASSERT(index >= 0 && index < pt_total(type));
    int is_enemy = owner != view.side;
    return NNUE_BOARD_INPUTS + is_enemy * NNUE_HAND_SIDE + first[type] + index;
}

/* The same piece of the same position as the other side's unmirrored view sees it. Between two
 * unmirrored views this is all there is to change. */
int features_other_side(int input);

/* The input with left and right exchanged. */
int features_mirrored(int input);

/* Every active input of a piece. */
void features_list(const Position *pos, NnueView view, NnueInputs *out);

/* The changes by the move that led to `after`, for a view that is the same before and after it. */
void features_move_delta(const State *after, NnueView view, NnueDelta *out);

/* True when the move that led to `after` made the view of `side` flip left and right. */
bool features_move_flips(const State *after, Color side);

#endif
