/* kernels.h: the inner loops of the evaluation, in one version per instruction set.
 *
 * All versions give bit-identical results. The version is chosen once at run time according to the
 * processor's features. Tests and comparisons may pass fewer features. Hidden sums and weights must
 * be aligned to 64 bytes, rows to their length. Stateless; safe from every thread. */
#ifndef KMD_EVAL_KERNELS_H
#define KMD_EVAL_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of the weight table to add and to subtract. */
typedef struct KernelChange {
    const void *table; /* rows of `hidden` weights, packed as in rows.h, or as numbers of 16 bits
                          that may start at any address */
    int hidden;        /* a multiple of NNUE_HIDDEN_STEP */
    int added_count;
    int removed_count;
    const uint32_t *added; /* row numbers */
    const uint32_t *removed;
} KernelChange;

/* The most inputs of a layer of bytes. */
enum { KERNEL_MAX_INPUTS = 8192 };

/* A layer whose inputs are bytes of 0 to 127. */
typedef struct KernelAffine {
    bool is_sparse;        /* many inputs are 0, so it is worth to look for groups of zeros */
    int inputs;            /* a multiple of 4; of 8 if there are 8 lanes, of 64 if sparse */
    int lanes;             /* outputs: 8, or rounded up to a multiple of 16 */
    const int32_t *bias;   /* [lanes] */
    const int8_t *weights; /* [inputs / 4][lanes][4], aligned to 64 bytes */
} KernelAffine;

/* The inner loops of foreign networks (layers.c). `update` serves every network whose rows are
 * not packed, and `affine` the small layers of Komadori's own, too. */
typedef struct KernelLayers {
    /* The same as `update` below, for rows that are not packed. */
    void (*update)(int16_t *to, const int16_t *from, const KernelChange *change);

    /* Clips sums to 0..127. `count` is a multiple of 32. */
    void (*clip)(uint8_t *out, const int16_t *sums, int count);

    /* Multiplies each clipped sum of the first half by that of the second half, >> 7. `half` is a
     * multiple of 32. */
    void (*multiply)(uint8_t *out, const int16_t *sums, int half);

    /* out[lanes] = bias + weights * in, modulo 2^32. */
    void (*affine)(int32_t *out, const KernelAffine *layer, const uint8_t *in);
} KernelLayers;

typedef struct NnueKernels {
    const char *name;
    uint32_t needs; /* required processor features (bits of CPU_*) */

    /* to = from + the rows in `added` - the rows in `removed`, modulo 2^16. `to` may equal `from`.
     */
    void (*update)(int16_t *to, const int16_t *from, const KernelChange *change);

    /* Returns the sum over `hidden` sums of (clip(sum, 0, NNUE_QA)^2 >> NNUE_SQUARE_SHIFT) *
     * weight, modulo 2^32. */
    int32_t (*output)(const int16_t *sums, const int16_t *weights, int hidden);

    /* Clips sums to 0 .. NNUE_QA and writes the rounded bytes of their squares, (clip(sum)^2 >>
     * NNUE_SQUARE_SHIFT) + NNUE_BYTE_HALF >> NNUE_BYTE_SHIFT. */
    void (*squares)(uint8_t *out, const int16_t *sums, int hidden);

    KernelLayers layers;
} NnueKernels;

/* The fastest version that needs no features besides `features` (bits of CPU_*). Never NULL. */
const NnueKernels *kernels_choose(uint32_t features);

/* The version with this index; NULL after the last. Index 0 is the scalar version. Versions for
 * other architectures are not included. The caller must check `needs`. */
const NnueKernels *kernels_get(int index);

/* The versions, for kernels.c; NULL if not available on this architecture. */
const NnueKernels *kernels_scalar(void);
const NnueKernels *kernels_neon(void);
const NnueKernels *kernels_avx2(void);
const NnueKernels *kernels_avx512(void);
const NnueKernels *kernels_vnni(void);

#endif
