#include <stddef.h>

#include "eval/arch.h"
#include "eval/kernels_tail.h"

static const int16_t *row_of(const KernelChange *change, int row) {
    return change->table + (size_t)row * (size_t)change->hidden;
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    for (int i = 0; i < change->hidden; i++) {
        to[i] = from[i];
    }
    for (int k = 0; k < change->on_count; k++) {
        const int16_t *row = row_of(change, change->on[k]);
        for (int i = 0; i < change->hidden; i++) {
            to[i] = (int16_t)(to[i] + row[i]);
        }
    }
    for (int k = 0; k < change->off_count; k++) {
        const int16_t *row = row_of(change, change->off[k]);
        for (int i = 0; i < change->hidden; i++) {
            to[i] = (int16_t)(to[i] - row[i]);
        }
    }
}

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    uint32_t total = 0;
    for (int i = 0; i < hidden; i++) {
        int value = int_clamp(sums[i], 0, NNUE_QA);
        total += (uint32_t)((value * value >> NNUE_SQUARE_SHIFT) * weights[i]);
    }
    return (int32_t)total;
}

static int product(int a, int b) {
    int both = int_clamp(a, 0, NNUE_QA) * int_clamp(b, 0, NNUE_QA);
    return (both + (1 << (NNUE_PRODUCT_SHIFT - 1))) >> NNUE_PRODUCT_SHIFT;
}

static int32_t layers(const int16_t *const sums[2], const KernelLayers *net, int hidden) {
    int32_t first[NNUE_FIRST] = {0};
    int half = hidden / 2;
    for (int i = 0; i < hidden; i++) {
        const int16_t *view = sums[i / half] + i % half;
        int value = product(view[0], view[half]);
        const int8_t *weights = net->first + (size_t)(i / 4) * NNUE_FIRST * 4 + i % 4;
        for (int k = 0; k < NNUE_FIRST && value > 0; k++) {
            first[k] += value * weights[k * 4];
        }
    }
    return kernel_tail(first, net);
}

const NnueKernels *kernels_scalar(void) {
    static const NnueKernels kernels = {"scalar", 0, update, output, layers};
    return &kernels;
}
