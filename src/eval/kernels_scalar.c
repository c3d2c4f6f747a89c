#include "eval/kernels_scalar.h"

#include <stddef.h>

#include "eval/arch.h"
#include "eval/kernels_type.h"

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

const NnueKernels *kernels_scalar(void) {
    static const NnueKernels kernels = {"scalar", 0, update, output};
    return &kernels;
}
