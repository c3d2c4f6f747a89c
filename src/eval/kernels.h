/* kernels.h: the inner loops of the evaluation, in one version per instruction set.
 *
 * All versions give bit-identical results. A table of functions is chosen once, at run time, by the
 * processor's features; the caller may pass fewer features than there are, to test or compare.
 * Hidden sums and weights are aligned to 64 bytes, rows of the inputs to their length. No state:
 * safe from every thread. */
#ifndef KMD_EVAL_KERNELS_H
#define KMD_EVAL_KERNELS_H

#include <stdint.h>

/* Words of a bit for each place of threats. */
enum { KERNEL_CHANGED = 3 };

/* Rows of the weight table to add and to take away. */
typedef struct KernelChange {
    const int16_t *table; /* rows of `hidden` weights, packed as rows.h says */
    int hidden;           /* a multiple of NNUE_HIDDEN_STEP */
    int on_count;
    int off_count;
    const uint16_t *on; /* row numbers */
    const uint16_t *off;
} KernelChange;

/* The layers after the hidden sums, of one phase, without the bias of the output. */
typedef struct KernelLayers {
    const int8_t *first;        /* [hidden / 4][NNUE_FIRST][4]: four products by every neuron */
    const int32_t *first_bias;  /* [NNUE_FIRST] */
    const int16_t *second;      /* [NNUE_FIRST][2][NNUE_SECOND]: a neuron, then its square */
    const int32_t *second_bias; /* [NNUE_SECOND] */
    const int16_t *output;      /* [NNUE_SECOND] */
} KernelLayers;

typedef struct NnueKernels {
    const char *name;
    uint32_t needs; /* bits of CPU_* */

    /* to = from + the rows that are on - the rows that are off, modulo 2^16. `to` may be `from`. */
    void (*update)(int16_t *to, const int16_t *from, const KernelChange *change);

    /* Sets the bits of the places where two lists of NNUE_THREAT_PLACES numbers differ, from the
     * lowest bit of changed[0] on. */
    void (*compare)(const uint16_t *a, const uint16_t *b, uint64_t changed[KERNEL_CHANGED]);

    /* The sum over `hidden` of (clip(sum, 0, NNUE_QA)^2 >> NNUE_SQUARE_SHIFT) * weight, modulo
     * 2^32. */
    int32_t (*output)(const int16_t *sums, const int16_t *weights, int hidden);

    /* The same through the layers, over the sums of the mover's and the other's view. */
    int32_t (*layers)(const int16_t *const sums[2], const KernelLayers *layers, int hidden);
} NnueKernels;

/* The fastest version that needs no more than `features` (bits of CPU_*). Never NULL. */
const NnueKernels *kernels_choose(uint32_t features);

/* Version number `index` from 0, the scalar one, on; NULL after the last. Versions for other
 * architectures are missing. The caller checks `needs`. */
const NnueKernels *kernels_get(int index);

/* Each version, for kernels.c; NULL where this architecture has no such one. */
const NnueKernels *kernels_scalar(void);
const NnueKernels *kernels_neon(void);
const NnueKernels *kernels_avx2(void);
const NnueKernels *kernels_avx512(void);
const NnueKernels *kernels_vnni(void);

#endif
