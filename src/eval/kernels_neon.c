/* kernels_neon.c: the kernels for ARM. */
#include "eval/kernels.h"

#include <stddef.h>
#include <string.h>

#if defined(__ARM_NEON)
#include <arm_neon.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/rows.h"

/* ---- what kernels_layers.h needs --------------------------------------------------------------
 */

typedef uint32_t LayerVector VECTOR_OF(16);

typedef struct LayerSum {
    LayerVector part[4];
} LayerSum;

/* Inputs are at most 127, so pairs of products fit 16 bits. */
FORCE_INLINE void layer_add_fours(LayerSum *sum, const uint8_t *low, const uint8_t *high,
                                  const int8_t *weights) {
    for (int i = 0; i < 4; i++) {
        int32_t four;
        memcpy(&four, i < 2 ? low : high, sizeof(four));
        int8x16_t all = vreinterpretq_s8_s32(vdupq_n_s32(four));
        int8x16_t row = vld1q_s8(weights + i * 16);
        int16x8_t first = vmull_s8(vget_low_s8(all), vget_low_s8(row));
        int16x8_t pairs = vpaddq_s16(first, vmull_high_s8(all, row));
        sum->part[i] = (LayerVector)vpadalq_s16((int32x4_t)sum->part[i], pairs);
    }
}

FORCE_INLINE unsigned layer_nonzero(const uint8_t *in) {
    static const uint32_t bits[4] = {1, 2, 4, 8};
    unsigned mask = 0;
    for (int i = 0; i < 4; i++) {
        uint32x4_t fours = vreinterpretq_u32_u8(vld1q_u8(in + i * 16));
        uint32x4_t is_set = vtstq_u32(fours, fours);
        mask |= vaddvq_u32(vandq_u32(is_set, vld1q_u32(bits))) << i * 4;
    }
    return mask;
}

#define LAYER_FOURS
#define LAYER_WIDTH 4
#include "eval/kernels_layers.h"

/* ---- Komadori's own networks ----------------------------------------------------------------- */

enum { LANES = 8 };

/* Updates `width` vectors of words from `column` on, in blocks of `half` words. All sums stay in
 * registers while the rows are added. The sums of the low bytes are kept as sums of whole words
 * until the end. `width` and `half` are constants in every call. */
FORCE_INLINE void update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                              int column, int width, int half) {
    int16x8_t low[8], high[8];
    const int16_t *table = (const int16_t *)change->table + column / 2;
    size_t stride = (size_t)change->hidden / 2;
    int bias = (change->removed_count - change->added_count) * ROW_BIAS;
    for (int i = 0; i < width; i++) {
        low[i] = vdupq_n_s16((int16_t)bias);
        high[i] = vdupq_n_s16(0);
    }
    for (int k = 0; k < change->added_count; k++) {
        const int16_t *row = table + change->added[k] * stride;
        for (int i = 0; i < width; i++) {
            int16x8_t words = vld1q_s16(row + i * LANES);
            low[i] = vaddq_s16(low[i], words);
            high[i] = vsraq_n_s16(high[i], words, 8);
        }
    }
    for (int k = 0; k < change->removed_count; k++) {
        const int16_t *row = table + change->removed[k] * stride;
        for (int i = 0; i < width; i++) {
            int16x8_t words = vld1q_s16(row + i * LANES);
            low[i] = vsubq_s16(low[i], words);
            high[i] = vsubq_s16(high[i], vshrq_n_s16(words, 8));
        }
    }
    for (int i = 0; i < width; i++) {
        int place = column + i * LANES + i * LANES / half * half;
        int16x8_t first = vsubq_s16(low[i], vshlq_n_s16(high[i], 8));
        vst1q_s16(to + place, vaddq_s16(vld1q_s16(from + place), first));
        vst1q_s16(to + place + half, vaddq_s16(vld1q_s16(from + place + half), high[i]));
    }
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 2 * ROW_BLOCK <= change->hidden; column += 2 * ROW_BLOCK) {
        update_part(to, from, change, column, 8, ROW_BLOCK / 2);
    }
    for (; column + ROW_BLOCK <= change->hidden; column += ROW_BLOCK) {
        update_part(to, from, change, column, 4, ROW_BLOCK / 2);
    }
    if (column < change->hidden) {
        update_part(to, from, change, column, 2, ROW_BLOCK / 4);
    }
}

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    const int16x8_t zero = vdupq_n_s16(0);
    const int16x8_t one = vdupq_n_s16(NNUE_QA);
    int32x4_t low = vdupq_n_s32(0);
    int32x4_t high = vdupq_n_s32(0);
    for (int i = 0; i < hidden; i += LANES) {
        int16x8_t value = vminq_s16(vmaxq_s16(vld1q_s16(sums + i), zero), one);
        /* The instruction doubles the product and takes its high half: 2 * (2^5 * value) * (2^6 *
         * value) >> 16 is value^2 >> 4. */
        int16x8_t square = vqdmulhq_s16(vshlq_n_s16(value, 5), vshlq_n_s16(value, 6));
        int16x8_t weight = vld1q_s16(weights + i);
        low = vmlal_s16(low, vget_low_s16(square), vget_low_s16(weight));
        high = vmlal_high_s16(high, square, weight);
    }
    return vaddvq_s32(vaddq_s32(low, high));
}

const NnueKernels *kernels_neon(void) {
    static const NnueKernels kernels = {
        "neon", CPU_NEON,     update,
        output, square_bytes, {layer_update, layer_clip, layer_multiply, layer_affine}};
    return &kernels;
}

#else

const NnueKernels *kernels_neon(void) {
    return NULL;
}

#endif
