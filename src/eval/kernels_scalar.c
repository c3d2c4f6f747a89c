/* kernels_scalar.c: the kernels in portable C. Their results define those of all other versions. */
#include <stddef.h>

#include "eval/arch.h"
#include "eval/kernels_layers.h"
#include "eval/rows.h"

/* Updates a block of 2 * `half` sums from `column` on; `half` is a constant in every call. `low`
 * sums the whole words until the end, `high` only their high bytes. */
FORCE_INLINE void update_block(int16_t *to, const int16_t *from, const KernelChange *change,
                               int column, int half) {
    uint16_t low[ROW_BLOCK / 2], high[ROW_BLOCK / 2];
    const int16_t *table = (const int16_t *)change->table + column / 2;
    size_t stride = (size_t)change->hidden / 2;
    int bias = (change->removed_count - change->added_count) * ROW_BIAS;
    for (int i = 0; i < half; i++) {
        low[i] = (uint16_t)(from[column + i] + bias);
        high[i] = 0;
    }
    for (int k = 0; k < change->added_count; k++) {
        const int16_t *row = table + change->added[k] * stride;
        for (int i = 0; i < half; i++) {
            low[i] = (uint16_t)(low[i] + row[i]);
            high[i] = (uint16_t)(high[i] + (row[i] >> 8));
        }
    }
    for (int k = 0; k < change->removed_count; k++) {
        const int16_t *row = table + change->removed[k] * stride;
        for (int i = 0; i < half; i++) {
            low[i] = (uint16_t)(low[i] - row[i]);
            high[i] = (uint16_t)(high[i] - (row[i] >> 8));
        }
    }
    for (int i = 0; i < half; i++) {
        to[column + half + i] = (int16_t)(from[column + half + i] + high[i]);
        to[column + i] = (int16_t)(low[i] - high[i] * 256);
    }
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + ROW_BLOCK <= change->hidden; column += ROW_BLOCK) {
        update_block(to, from, change, column, ROW_BLOCK / 2);
    }
    if (column < change->hidden) {
        update_block(to, from, change, column, ROW_BLOCK / 4);
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
    static const NnueKernels kernels = {
        "scalar",     0,
        update,       output,
        square_bytes, {layer_update, layer_clip, layer_multiply, layer_affine}};
    return &kernels;
}
