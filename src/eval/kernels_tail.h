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
