/* kernels_zmm.h: what the two AVX-512 versions of the kernels share. Only for files compiled for
 * AVX-512; empty elsewhere. */
#ifndef KMD_EVAL_KERNELS_ZMM_H
#define KMD_EVAL_KERNELS_ZMM_H

#if defined(__AVX512BW__)
#include <immintrin.h>
#include <stddef.h>

#include "eval/arch.h"
#include "eval/kernels_type.h"

enum { ZMM_LANES = 32 };

/* `width` vectors from `column` on. They stay in registers while the rows pass by: width is a
 * constant wherever this is used. */
FORCE_INLINE void zmm_update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                                  int column, int width) {
    __m512i sum[8];
    const int16_t *table = change->table + column;
    size_t stride = (size_t)change->hidden;
    for (int i = 0; i < width; i++) {
        sum[i] = _mm512_load_si512(from + column + i * ZMM_LANES);
    }
    for (int k = 0; k < change->on_count; k++) {
        const int16_t *row = table + change->on[k] * stride;
        for (int i = 0; i < width; i++) {
            sum[i] = _mm512_add_epi16(sum[i], _mm512_load_si512(row + i * ZMM_LANES));
        }
    }
    for (int k = 0; k < change->off_count; k++) {
        const int16_t *row = table + change->off[k] * stride;
        for (int i = 0; i < width; i++) {
            sum[i] = _mm512_sub_epi16(sum[i], _mm512_load_si512(row + i * ZMM_LANES));
        }
    }
    for (int i = 0; i < width; i++) {
        _mm512_store_si512(to + column + i * ZMM_LANES, sum[i]);
    }
}

static inline void zmm_update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 8 * ZMM_LANES <= change->hidden; column += 8 * ZMM_LANES) {
        zmm_update_part(to, from, change, column, 8);
    }
    for (; column < change->hidden; column += ZMM_LANES) {
        zmm_update_part(to, from, change, column, 1);
    }
}

/* Hidden sums limited to 0 .. NNUE_QA and squared: the high half of the square of 2^6 times the
 * value is the square less 4 bits. */
FORCE_INLINE __m512i zmm_squares(const int16_t *sums) {
    __m512i value = _mm512_max_epi16(_mm512_load_si512(sums), _mm512_setzero_si512());
    value = _mm512_min_epi16(value, _mm512_set1_epi16(NNUE_QA));
    value = _mm512_slli_epi16(value, (16 - NNUE_SQUARE_SHIFT) / 2);
    return _mm512_mulhi_epi16(value, value);
}

#endif
#endif
