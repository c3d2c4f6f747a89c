/* arch.h: the shape of the evaluation network and how its numbers are scaled: the one place.
 *
 *   inputs (4,384, about 60 of them on, per side's view): 2,344 for what stands where (features.h),
 *   and, but in older networks, 2,040 for what attacks what (threats.h)
 *     -> hidden sums of N per view, clipped to 0..1
 *     -> plain: squared; one of several outputs chosen by the phase of the game, over both views,
 *        the mover's first
 *        layered: the first half times the second half, N / 2 products a view
 *     -> NNUE_FIRST neurons, clipped to 0..1, themselves and squared
 *     -> NNUE_SECOND neurons, clipped to 0..1 -> the output; all layers chosen by the phase
 *
 * In integers, plain: a hidden sum of NNUE_QA is 1, its square loses NNUE_SQUARE_SHIFT bits to fit
 * 16, an output weight of NNUE_QB is 1. Layered: a product loses NNUE_PRODUCT_SHIFT bits to fit 8,
 * a weight of the first layer of NNUE_FIRST_UNIT is 1, what it and the second layer output loses
 * bits until NNUE_ACTIVE and NNUE_SECOND_ACTIVE are 1; what is lost is rounded.
 * The limits below make overflow impossible, so every kernel gives the same number.
 *
 * Sources: NNUE (Nasu 2018); this feature set without king product (Stoat, 2025); squared clipped
 * ReLU, pairwise products, dual activation and layers chosen by phase are common practice in chess
 * engines. Values only. */
#ifndef KMD_EVAL_ARCH_H
#define KMD_EVAL_ARCH_H

#include "rules/position.h"

enum {
    NNUE_KINDS = 14, /* PAWN .. DRAGON */
    NNUE_BOARD_INPUTS = 2 * NNUE_KINDS * SQ_NB,
    NNUE_HAND_SIDE = 38, /* pieces of a set that can be in hand */
    NNUE_PIECE_INPUTS = NNUE_BOARD_INPUTS + 2 * NNUE_HAND_SIDE,
    NNUE_THREAT_SIDE = 1020, /* of each owner */
    NNUE_INPUTS = NNUE_PIECE_INPUTS + 2 * NNUE_THREAT_SIDE,
    NNUE_MOST_PIECES = 40, /* each piece of a set is one active input */
    NNUE_MOST_THREATS = 64,
    NNUE_THREAT_PLACES = 160, /* that they are found at, and some more to fill vectors */
    NNUE_MOST_ACTIVE = NNUE_MOST_PIECES + NNUE_MOST_THREATS,

    NNUE_MOST_HIDDEN = 1024,
    NNUE_HIDDEN_STEP = 32, /* the number of hidden sums is a multiple */
    NNUE_MOST_BUCKETS = 8,

    NNUE_QA = 511,
    NNUE_QB = 1024,
    NNUE_SQUARE_SHIFT = 4,
    NNUE_MOST_INPUT_WEIGHT = 799, /* times 41 (pieces and bias) fits 16 bits; */
    NNUE_MOST_PIECE_WEIGHT = 560, /* with threats these two do together */
    NNUE_MOST_THREAT_WEIGHT = 150,
    NNUE_MOST_OUTPUT_WEIGHT = 32000,
    NNUE_MOST_OUTPUT_BIAS = 1 << 30,
    NNUE_MOST_SCALE = 10000, /* centipawns per unit of the output */

    NNUE_FIRST = 16,
    NNUE_SECOND = 32,
    NNUE_PRODUCT_SHIFT = 11, /* of 511 * 511: 128 */
    NNUE_FIRST_UNIT = 64,
    NNUE_FIRST_SHIFT = 1,   /* a neuron's sum is 1 at NNUE_ACTIVE << this */
    NNUE_ACTIVE = 4080,     /* 127.5 * 64 >> 1 */
    NNUE_SQUARE_LOSS = 12,  /* of 4080 * 4080: 4064 */
    NNUE_LAYER_UNIT = 1024, /* of the weights after */
    NNUE_SECOND_SHIFT = 10, /* as NNUE_FIRST_SHIFT */
    NNUE_SECOND_ACTIVE = 4080,
    NNUE_MOST_FIRST = 127, /* weights */
    NNUE_MOST_SECOND = 8192,
    NNUE_MOST_LAYER_OUTPUT = 8192,
    NNUE_MOST_LAYER_BIAS = 1 << 28, /* of both layers */

    NNUE_SCORE_MAX = 20000 /* evaluations in centipawns stay within -this .. this */
};

_Static_assert(NNUE_PIECE_INPUTS == 2344 && NNUE_INPUTS == 4384,
               "the number of inputs is part of the file format");
_Static_assert((NNUE_MOST_PIECES + 1) * (int)NNUE_MOST_INPUT_WEIGHT <= INT16_MAX,
               "sums fit 16 bits");
_Static_assert((NNUE_MOST_PIECES + 1) * (int)NNUE_MOST_PIECE_WEIGHT +
                       NNUE_MOST_THREATS * (int)NNUE_MOST_THREAT_WEIGHT <=
                   INT16_MAX,
               "sums with threats fit 16 bits");
_Static_assert((NNUE_QA * NNUE_QA) >> NNUE_SQUARE_SHIFT <= INT16_MAX, "squares fit 16 bits");

/* Products are at most 128, and pairs of them in 16 bits twice 128 * 127. */
_Static_assert((NNUE_QA * NNUE_QA + (1 << (NNUE_PRODUCT_SHIFT - 1))) >> NNUE_PRODUCT_SHIFT == 128,
               "products fit 8 bits");
_Static_assert(2 * 128 * NNUE_MOST_FIRST <= INT16_MAX, "pairs of products fit 16 bits");
_Static_assert(INT64_C(1) * NNUE_MOST_HIDDEN * 128 * NNUE_MOST_FIRST + NNUE_MOST_LAYER_BIAS <=
                   INT32_MAX,
               "the first layer fits 32 bits");
_Static_assert(INT64_C(2) * NNUE_FIRST * NNUE_ACTIVE * NNUE_MOST_SECOND + NNUE_MOST_LAYER_BIAS <=
                   INT32_MAX,
               "the second layer fits 32 bits");
_Static_assert(INT64_C(1) * NNUE_SECOND * NNUE_SECOND_ACTIVE * NNUE_MOST_LAYER_OUTPUT +
                       NNUE_MOST_OUTPUT_BIAS <=
                   INT32_MAX,
               "the output of layers fits 32 bits");

/* The unit of a product, of the inputs of the layers' sums and of a square, and of a layered
 * network's output. */
#define NNUE_PRODUCT_UNIT ((double)NNUE_QA * NNUE_QA / (1 << NNUE_PRODUCT_SHIFT))
#define NNUE_FIRST_ONE    (NNUE_ACTIVE << NNUE_FIRST_SHIFT)
#define NNUE_SECOND_ONE   (NNUE_SECOND_ACTIVE << NNUE_SECOND_SHIFT)
#define NNUE_SQUARE_UNIT  ((double)NNUE_ACTIVE * NNUE_ACTIVE / (1 << NNUE_SQUARE_LOSS))
#define NNUE_LAYERED_UNIT ((int64_t)NNUE_SECOND_ACTIVE * NNUE_LAYER_UNIT)

_Static_assert(NNUE_SECOND_ONE == NNUE_ACTIVE * NNUE_LAYER_UNIT, "the units of the second layer");

/* The value of one unit in the output's sum: exact, for NNUE_QB is a multiple of what is lost. */
#define NNUE_OUTPUT_UNIT ((int64_t)NNUE_QA * NNUE_QA * (NNUE_QB >> NNUE_SQUARE_SHIFT))

/* The output for a position out of `buckets` (1 or NNUE_MOST_BUCKETS): by how many pieces have left
 * the board or been promoted, which grows through a game as material in shogi does not. */
static inline int nnue_bucket(const Position *pos, int buckets) {
    static const uint8_t bucket[NNUE_MOST_PIECES + 1] = {0, 0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5,
                                                         6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                                         7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const Bitboard *type = pos->type_bb;
    Bitboard promoted = bb_or(
        bb_or(bb_or(type[PRO_PAWN], type[PRO_LANCE]), bb_or(type[PRO_KNIGHT], type[PRO_SILVER])),
        bb_or(type[HORSE], type[DRAGON]));
    int phase = NNUE_MOST_PIECES - bb_count(type[SET_ALL]) + bb_count(promoted);
    return buckets == 1 ? 0 : bucket[int_clamp(phase, 0, NNUE_MOST_PIECES)];
}

#endif
