#include "eval/kernels_neon.h"

#include <stddef.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/kernels_type.h"

#if defined(__ARM_NEON)
#include <arm_neon.h>

enum { LANES = 8 };

/* `width` vectors from `column` on. They stay in registers while the rows pass by: width is a
 * constant wherever this is used. */
FORCE_INLINE void update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                              int column, int width) {
    int16x8_t sum[16];
    const int16_t *table = change->table + column;
    size_t stride = (size_t)change->hidden;
    for (int i = 0; i < width; i++) {
        sum[i] = vld1q_s16(from + column + i * LANES);
    }
    for (int k = 0; k < change->on_count; k++) {
        const int16_t *row = table + change->on[k] * stride;
        for (int i = 0; i < width; i++) {
            sum[i] = vaddq_s16(sum[i], vld1q_s16(row + i * LANES));
        }
    }
    for (int k = 0; k < change->off_count; k++) {
        const int16_t *row = table + change->off[k] * stride;
        for (int i = 0; i < width; i++) {
            sum[i] = vsubq_s16(sum[i], vld1q_s16(row + i * LANES));
        }
    }
    for (int i = 0; i < width; i++) {
        vst1q_s16(to + column + i * LANES, sum[i]);
    }
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 16 * LANES <= change->hidden; column += 16 * LANES) {
        update_part(to, from, change, column, 16);
    }
    for (; column < change->hidden; column += 4 * LANES) {
        update_part(to, from, change, column, 4);
    }
}

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    const int16x8_t zero = vdupq_n_s16(0);
    const int16x8_t one = vdupq_n_s16(NNUE_QA);
    int32x4_t low = vdupq_n_s32(0);
    int32x4_t high = vdupq_n_s32(0);
    for (int i = 0; i < hidden; i += LANES) {
        int16x8_t value = vminq_s16(vmaxq_s16(vld1q_s16(sums + i), zero), one);
        /* The doubling multiplication's high half, of 2^5 and 2^6 times the value, is the square
         * less 4 bits. */
        int16x8_t square = vqdmulhq_s16(vshlq_n_s16(value, 5), vshlq_n_s16(value, 6));
        int16x8_t weight = vld1q_s16(weights + i);
        low = vmlal_s16(low, vget_low_s16(square), vget_low_s16(weight));
        high = vmlal_high_s16(high, square, weight);
    }
    return vaddvq_s32(vaddq_s32(low, high));
}

const NnueKernels *kernels_neon(void) {
    static const NnueKernels kernels = {"neon", CPU_NEON, update, output};
    return &kernels;
}

#else

const NnueKernels *kernels_neon(void) {
    return NULL;
}

#endif
