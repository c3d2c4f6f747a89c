/* kernels.h: the inner loops of the evaluation, in one version per instruction set.
 *
 * All versions give bit-identical results. The version is chosen once at run time according to the
 * processor's features. Tests and comparisons may pass fewer features. Hidden sums and weights must
 * be aligned to 64 bytes, rows to their length. Stateless; safe from every thread. */
#ifndef KMD_EVAL_KERNELS_H
#define KMD_EVAL_KERNELS_H

#include <stdint.h>

/* 64-bit words in a bit set of threat places; and the step of widths and outputs. */
enum { KERNEL_CHANGED = 3, KERNEL_LANES = 16 };

/* Rows of the weight table to add and to subtract. */
typedef struct KernelChange {
    const int16_t *table; /* rows of `hidden` weights, packed as in rows.h */
    int hidden;           /* a multiple of NNUE_HIDDEN_STEP */
    int on_count;
    int off_count;
    const uint16_t *on; /* row numbers */
    const uint16_t *off;
} KernelChange;

/* Rows of `width` little-endian 16-bit weights, of any alignment, to add and to subtract. */
typedef struct KernelRows {
    int width; /* a multiple of KERNEL_LANES */
    int on_count;
    int off_count;
    const unsigned char *const *on;
    const unsigned char *const *off;
} KernelRows;

/* The layers of one bucket that follow the hidden sums, without the output bias. */
typedef struct KernelLayers {
    const int8_t
        *first; /* [hidden / 4][NNUE_FIRST][4]: the weights of four products for each neuron */
    const int32_t *first_bias; /* [NNUE_FIRST] */
    const int16_t *second; /* [NNUE_FIRST][2][NNUE_SECOND]: weights for a neuron's value, then for
                              its square */
    const int32_t *second_bias; /* [NNUE_SECOND] */
    const int16_t *output;      /* [NNUE_SECOND] */
} KernelLayers;

typedef struct NnueKernels {
    const char *name;
    uint32_t needs; /* required processor features (bits of CPU_*) */

    /* to = from + the rows in `on` - the rows in `off`, modulo 2^16. `to` may equal `from`. */
    void (*update)(int16_t *to, const int16_t *from, const KernelChange *change);

    /* Sets a bit in `changed` for each place at which the two lists of NNUE_THREAT_PLACES numbers
     * differ, starting with the lowest bit of changed[0] for the first place. */
    void (*compare)(const uint16_t *a, const uint16_t *b, uint64_t changed[KERNEL_CHANGED]);

    /* Returns the sum over `hidden` sums of (clip(sum, 0, NNUE_QA)^2 >> NNUE_SQUARE_SHIFT) *
     * weight, modulo 2^32. */
    int32_t (*output)(const int16_t *sums, const int16_t *weights, int hidden);

    /* Returns the output of the layers for the hidden sums of the mover's view and of the
     * opponent's view. */
    int32_t (*layers)(const int16_t *const sums[2], const KernelLayers *layers, int hidden);

    /* The next three are for the networks of nnbin.h. */

    /* to = from + the rows in `on` - the rows in `off`, modulo 2^16. `to` may equal `from`; both
     * are aligned to 32 bytes. */
    void (*add_rows)(int16_t *to, const int16_t *from, const KernelRows *rows);

    /* Clips `count` sums, a multiple of KERNEL_LANES, to 0 .. 127. */
    void (*clip)(uint8_t *to, const int16_t *sums, int count);

    /* out[o] = bias[o] + the sum over g and k of in[4 * g + k] * weights[g][o][k], for `groups`
     * groups of four inputs (0 .. 127) and `outputs` outputs, a multiple of KERNEL_LANES. Weights
     * are aligned to 64 bytes. */
    void (*affine)(int32_t *out, const uint8_t *in, const int8_t *weights, const int32_t *bias,
                   int groups, int outputs);
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
