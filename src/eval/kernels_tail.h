/* kernels_tail.h: the computation after the first layer, which all versions of the kernels share.
 * Each version compiles this code for its own instruction set. */
#ifndef KMD_EVAL_KERNELS_TAIL_H
#define KMD_EVAL_KERNELS_TAIL_H

#include <string.h>

#include "eval/arch.h"
#include "eval/kernels.h"

enum { KERNEL_GROUP = 4, KERNEL_MOST_GROUPS = NNUE_MOST_HIDDEN / KERNEL_GROUP };

_Static_assert(NNUE_THREAT_PLACES % 32 == 0 && NNUE_THREAT_PLACES <= 64 * KERNEL_CHANGED,
               "places fill vectors, and there is a bit for each");

/* The portable version of `compare`. The loop compares four places at once, because most places are
 * equal. */
FORCE_INLINE void kernel_compare(const uint16_t *a, const uint16_t *b,
                                 uint64_t changed[KERNEL_CHANGED]) {
    memset(changed, 0, KERNEL_CHANGED * sizeof(*changed));
    for (int i = 0; i < NNUE_THREAT_PLACES; i += 4) {
        uint64_t before, now;
        memcpy(&before, a + i, sizeof(before));
        memcpy(&now, b + i, sizeof(now));
        for (int k = i; before != now && k < i + 4; k++) {
            changed[k / 64] |= (uint64_t)(a[k] != b[k]) << k % 64;
        }
    }
}

/* The portable version of `add_rows`. */
FORCE_INLINE void kernel_add_rows(int16_t *to, const int16_t *from, const KernelRows *rows) {
    for (int column = 0; column < rows->width; column += KERNEL_LANES) {
        int16_t sums[KERNEL_LANES], row[KERNEL_LANES];
        memcpy(sums, from + column, sizeof(sums));
        for (int k = 0; k < rows->on_count; k++) {
            memcpy(row, rows->on[k] + sizeof(row[0]) * (size_t)column, sizeof(row));
            for (int i = 0; i < KERNEL_LANES; i++) {
                sums[i] = (int16_t)(sums[i] + row[i]);
            }
        }
        for (int k = 0; k < rows->off_count; k++) {
            memcpy(row, rows->off[k] + sizeof(row[0]) * (size_t)column, sizeof(row));
            for (int i = 0; i < KERNEL_LANES; i++) {
                sums[i] = (int16_t)(sums[i] - row[i]);
            }
        }
        memcpy(to + column, sums, sizeof(sums));
    }
}

/* The portable version of `clip`. */
FORCE_INLINE void kernel_clip(uint8_t *to, const int16_t *sums, int count) {
    for (int i = 0; i < count; i++) {
        to[i] = (uint8_t)int_clamp(sums[i], 0, 127);
    }
}

/* The portable version of `affine`. */
FORCE_INLINE void kernel_affine(int32_t *out, const uint8_t *in, const int8_t *weights,
                                const int32_t *bias, int groups, int outputs) {
    memcpy(out, bias, (size_t)outputs * sizeof(*out));
    for (int g = 0; g < groups; g++, in += KERNEL_GROUP) {
        for (int o = 0; o < outputs; o++, weights += KERNEL_GROUP) {
            out[o] +=
                in[0] * weights[0] + in[1] * weights[1] + in[2] * weights[2] + in[3] * weights[3];
        }
    }
}

/* Computes the output from the sums of the first layer, to which the biases have not been added
 * yet. */
FORCE_INLINE int32_t kernel_tail(const int32_t *first, const KernelLayers *layers) {
    int32_t second[NNUE_SECOND];
    memcpy(second, layers->second_bias, sizeof(second));
    for (int i = 0; i < NNUE_FIRST; i++) {
        int sum = first[i] + layers->first_bias[i];
        int value = int_clamp(sum, 0, NNUE_FIRST_ONE);
        value = (value + (1 << (NNUE_FIRST_SHIFT - 1))) >> NNUE_FIRST_SHIFT;
        if (value == 0) {
            continue;
        }
        int square = (value * value + (1 << (NNUE_SQUARE_LOSS - 1))) >> NNUE_SQUARE_LOSS;
        const int16_t *row = layers->second + (size_t)i * 2 * NNUE_SECOND;
        for (int k = 0; k < NNUE_SECOND; k++) {
            second[k] += value * row[k] + square * row[NNUE_SECOND + k];
        }
    }
    int32_t total = 0;
    for (int k = 0; k < NNUE_SECOND; k++) {
        int value = int_clamp(second[k], 0, NNUE_SECOND_ONE);
        value = (value + (1 << (NNUE_SECOND_SHIFT - 1))) >> NNUE_SECOND_SHIFT;
        total += value * layers->output[k];
    }
    return total;
}

#endif
