/* arch.h: the architecture of the evaluation network and its quantisation. All other code takes
 * these numbers from here.
 *
 *   inputs     4,384 per view, about 60 of them active: 2,344 for the pieces (features.h) and 2,040
 *              for threats (threats.h; older networks have none)
 *     |
 *   hidden     N sums per view, clipped to 0..1
 *     |
 *   output     the sums are squared; one output over both views, the mover's first
 *     +
 *   layers     the same squares through two small layers, added to the output (older networks have
 *              none): NNUE_FIRST sums, each clipped to 0..1 and, beside it, squared and clipped;
 *              then NNUE_SECOND sums clipped to 0..1
 *
 * A network has several outputs ("buckets"). The phase of the game selects the one to use
 * (nnue_bucket). N and the number of outputs are in the file; the built-in network has 512 and 8.
 * To change them, train a network (komadori-train --hidden; docs/training.md).
 *
 * Quantisation, as the integer that stands for 1 and the shift that follows:
 *
 *   value                  stands for 1           then
 *   hidden sum             NNUE_QA = 511          squared
 *   square                 NNUE_QA^2              >> NNUE_SQUARE_SHIFT, to fit 16 bits
 *   output weight          NNUE_QB = 1024
 *   input of a layer       NNUE_BYTE = 127        a byte, rounded from a square >> NNUE_BYTE_SHIFT
 *   weight of a layer      NNUE_FIRST_ONE = 512, NNUE_SECOND_ONE = 128
 *
 * The limits below rule out overflow, so all kernels give the same result.
 *
 * Sources: NNUE (Nasu 2018); the piece inputs without a king product (Stoat, 2025). Squared clipped
 * ReLU and outputs selected by phase are common practice in chess engines, and so are a skip
 * connection past the layers and values beside their squares. Only the ideas were used. */
#ifndef KMD_EVAL_ARCH_H
#define KMD_EVAL_ARCH_H

#include "rules/position.h"

enum {
    NNUE_KINDS = 14, /* PAWN .. DRAGON */
    NNUE_BOARD_INPUTS = 2 * NNUE_KINDS * SQ_NB,
    NNUE_HAND_SIDE = 38, /* number of pieces of a set that can be in hand */
    NNUE_PIECE_INPUTS = NNUE_BOARD_INPUTS + 2 * NNUE_HAND_SIDE,
    NNUE_THREAT_SIDE = 1020, /* threat inputs per owner */
    NNUE_INPUTS = NNUE_PIECE_INPUTS + 2 * NNUE_THREAT_SIDE,
    NNUE_MAX_PIECES = 40, /* one active input for each piece of a set */
    NNUE_MAX_THREATS = 64,
    NNUE_MAX_ACTIVE = NNUE_MAX_PIECES + NNUE_MAX_THREATS,

    NNUE_MAX_SUMS = 4096,   /* hidden sums per view of any network; */
    NNUE_MAX_HIDDEN = 1024, /* of Komadori's own */
    NNUE_HIDDEN_STEP = 32,  /* the number of hidden sums is a multiple of this */
    NNUE_MAX_BUCKETS = 8,

    NNUE_QA = 511,
    NNUE_QB = 1024,
    NNUE_SQUARE_SHIFT = 4,
    NNUE_MAX_INPUT_WEIGHT = 799, /* the sum of 41 of these (40 pieces and the bias) fits 16 bits */
    NNUE_MAX_PIECE_WEIGHT = 560, /* the sum of 41 of these and of NNUE_MAX_THREATS threat weights
                                     fits 16 bits */
    NNUE_MAX_THREAT_WEIGHT = 150,
    NNUE_MAX_OUTPUT_WEIGHT = 32000,
    NNUE_MAX_OUTPUT_BIAS = 1 << 30,

    NNUE_FIRST = 8,   /* outputs of the first layer; */
    NNUE_SECOND = 32, /* of the second, which has 2 * NNUE_FIRST inputs */
    NNUE_BYTE = 127,
    NNUE_BYTE_SHIFT = 7,
    NNUE_BYTE_HALF = 63, /* rounds; (511^2 >> NNUE_SQUARE_SHIFT) + 63 >> 7 is still NNUE_BYTE */
    NNUE_FIRST_ONE = 512,
    NNUE_FIRST_SHIFT = 9, /* a sum of the first layer >> this has the unit NNUE_BYTE */
    NNUE_SECOND_ONE = 128,
    NNUE_SECOND_SHIFT = 7,
    NNUE_MAX_LAYER_BIAS = 1 << 24,
    NNUE_MAX_LAYER_OUTPUT = 1 << 18,
    NNUE_MAX_SCALE = 10000, /* centipawns per unit of the output */

    NNUE_SCORE_MAX = 20000 /* evaluations lie within -NNUE_SCORE_MAX .. NNUE_SCORE_MAX centipawns */
};

_Static_assert(NNUE_PIECE_INPUTS == 2344 && NNUE_INPUTS == 4384,
               "the number of inputs is part of the file format");
_Static_assert((NNUE_MAX_PIECES + 1) * (int)NNUE_MAX_INPUT_WEIGHT <= INT16_MAX, "sums fit 16 bits");
_Static_assert((NNUE_MAX_PIECES + 1) * (int)NNUE_MAX_PIECE_WEIGHT +
                       NNUE_MAX_THREATS * (int)NNUE_MAX_THREAT_WEIGHT <=
                   INT16_MAX,
               "sums with threats fit 16 bits");
_Static_assert((NNUE_QA * NNUE_QA) >> NNUE_SQUARE_SHIFT <= INT16_MAX, "squares fit 16 bits");

/* A view: the side it belongs to, whether it is mirrored, and the number of the first input of the
 * own king's square. */
typedef struct NnueView {
    Color side;
    bool is_mirrored;
    int base;
} NnueView;

/* The integer that stands for 1 in an output. The integer is exact, because
 * 2^NNUE_SQUARE_SHIFT divides NNUE_QB. */
#define NNUE_OUTPUT_UNIT ((int64_t)NNUE_QA * NNUE_QA * (NNUE_QB >> NNUE_SQUARE_SHIFT))

/* The bucket of a position, out of `buckets` (1 or NNUE_MAX_BUCKETS). The phase is the number of
 * pieces that have left the board plus the number of promoted pieces. This number grows during a
 * game. Material would not measure the phase, because captured pieces return to the board. */
static inline int nnue_bucket(const Position *pos, int buckets) {
    static const uint8_t bucket[NNUE_MAX_PIECES + 1] = {0, 0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5,
                                                        6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                                        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const Bitboard *type = pos->type_bb;
    Bitboard promoted = bb_or(
        bb_or(bb_or(type[PRO_PAWN], type[PRO_LANCE]), bb_or(type[PRO_KNIGHT], type[PRO_SILVER])),
        bb_or(type[HORSE], type[DRAGON]));
    int phase = NNUE_MAX_PIECES - bb_count(type[SET_ALL]) + bb_count(promoted);
    return buckets == 1 ? 0 : bucket[int_clamp(phase, 0, NNUE_MAX_PIECES)];
}

#endif
