/* arch.h: the shape of the evaluation network and how its numbers are scaled: the one place.
 *
 *   inputs (2,344, about 40 of them on, per side's view)
 *     -> hidden sums of N per view, clipped to 0..1 and squared
 *     -> one of several outputs, chosen by the phase of the game; both views, the mover's first
 *
 * In integers: a hidden sum of NNUE_QA is 1, its square loses NNUE_SQUARE_SHIFT bits to fit 16, an
 * output weight of NNUE_QB is 1. The limits below make overflow of the 16-bit parts impossible, so
 * every kernel gives the same number.
 * Sources: NNUE (Nasu 2018); this feature set without king product (Stoat, 2025); squared clipped
 * ReLU and output buckets are common practice in chess engines. Values only. */
#ifndef KMD_EVAL_ARCH_H
#define KMD_EVAL_ARCH_H

#include "rules/position.h"

enum {
    NNUE_KINDS = 14, /* PAWN .. DRAGON */
    NNUE_BOARD_INPUTS = 2 * NNUE_KINDS * SQ_NB,
    NNUE_HAND_SIDE = 38, /* pieces of a set that can be in hand */
    NNUE_INPUTS = NNUE_BOARD_INPUTS + 2 * NNUE_HAND_SIDE,
    NNUE_MOST_ACTIVE = 40, /* each piece of a set is one active input */

    NNUE_MOST_HIDDEN = 1024,
    NNUE_HIDDEN_STEP = 32, /* the number of hidden sums is a multiple */
    NNUE_MOST_BUCKETS = 8,

    NNUE_QA = 511,
    NNUE_QB = 1024,
    NNUE_SQUARE_SHIFT = 4,
    NNUE_MOST_INPUT_WEIGHT = 799, /* times 41 (inputs and bias) fits 16 bits */
    NNUE_MOST_OUTPUT_WEIGHT = 32000,
    NNUE_MOST_OUTPUT_BIAS = 1 << 30,
    NNUE_MOST_SCALE = 10000, /* centipawns per unit of the output */

    NNUE_SCORE_MAX = 20000 /* evaluations in centipawns stay within -this .. this */
};

_Static_assert(NNUE_INPUTS == 2344, "the number of inputs is part of the file format");
_Static_assert((NNUE_MOST_ACTIVE + 1) * (int)NNUE_MOST_INPUT_WEIGHT <= INT16_MAX,
               "sums fit 16 bits");
_Static_assert((NNUE_QA * NNUE_QA) >> NNUE_SQUARE_SHIFT <= INT16_MAX, "squares fit 16 bits");

/* What the output's sum counts per unit: exact, for NNUE_QB is a multiple of what is lost. */
#define NNUE_OUTPUT_UNIT ((int64_t)NNUE_QA * NNUE_QA * (NNUE_QB >> NNUE_SQUARE_SHIFT))

/* The output for a position out of `buckets` (1 or NNUE_MOST_BUCKETS): by how many pieces have left
 * the board or been promoted, which grows through a game as material in shogi does not. */
static inline int nnue_bucket(const Position *pos, int buckets) {
    static const uint8_t bucket[NNUE_MOST_ACTIVE + 1] = {0, 0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5,
                                                         6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                                         7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const Bitboard *type = pos->type_bb;
    Bitboard promoted = bb_or(
        bb_or(bb_or(type[PRO_PAWN], type[PRO_LANCE]), bb_or(type[PRO_KNIGHT], type[PRO_SILVER])),
        bb_or(type[HORSE], type[DRAGON]));
    int phase = NNUE_MOST_ACTIVE - bb_count(type[SET_ALL]) + bb_count(promoted);
    return buckets == 1 ? 0 : bucket[int_clamp(phase, 0, NNUE_MOST_ACTIVE)];
}

#endif
