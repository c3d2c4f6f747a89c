#include "eval/kernels_avx2.h"

#include <stddef.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/kernels_type.h"

#if defined(__AVX2__)
#include <immintrin.h>

enum { LANES = 16 };

/* `width` vectors from `column` on. They stay in registers while the rows pass by: width is a
 * constant wherever this is used. */
FORCE_INLINE void update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                              int column, int width) {
    __m256i sum[8];
    const int16_t *table = change->table + column;
    size_t stride = (size_t)change->hidden;
    for (int i = 0; i < width; i++) {
        sum[i] = _mm256_load_si256((const __m256i *)(from + column + i * LANES));
    }
    for (int k = 0; k < change->on_count; k++) {
        const int16_t *row = table + change->on[k] * stride;
        for (int i = 0; i < width; i++) {
            __m256i weights = _mm256_load_si256((const __m256i *)(row + i * LANES));
            sum[i] = _mm256_add_epi16(sum[i], weights);
        }
    }
    for (int k = 0; k < change->off_count; k++) {
        const int16_t *row = table + change->off[k] * stride;
        for (int i = 0; i < width; i++) {
            __m256i weights = _mm256_load_si256((const __m256i *)(row + i * LANES));
            sum[i] = _mm256_sub_epi16(sum[i], weights);
        }
    }
    for (int i = 0; i < width; i++) {
        _mm256_store_si256((__m256i *)(to + column + i * LANES), sum[i]);
    }
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 8 * LANES <= change->hidden; column += 8 * LANES) {
        update_part(to, from, change, column, 8);
    }
    for (; column < change->hidden; column += 2 * LANES) {
        update_part(to, from, change, column, 2);
    }
}

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i one = _mm256_set1_epi16(NNUE_QA);
    __m256i total = zero;
    for (int i = 0; i < hidden; i += LANES) {
        __m256i value = _mm256_load_si256((const __m256i *)(sums + i));
        __m256i weight = _mm256_load_si256((const __m256i *)(weights + i));
        value = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
        /* The high half of the square of 2^6 times the value is the square less 4 bits. */
        value = _mm256_slli_epi16(value, (16 - NNUE_SQUARE_SHIFT) / 2);
        __m256i square = _mm256_mulhi_epi16(value, value);
        total = _mm256_add_epi32(total, _mm256_madd_epi16(square, weight));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 1));
    return _mm_cvtsi128_si32(half);
}

const NnueKernels *kernels_avx2(void) {
    static const NnueKernels kernels = {"avx2", CPU_AVX2, update, output};
    return &kernels;
}

#else

const NnueKernels *kernels_avx2(void) {
    return NULL;
}

#endif
