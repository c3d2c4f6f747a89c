/* kernels_avx2.c: the kernels for AVX2. */
#include "eval/kernels.h"

#include <stddef.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/rows.h"

/* ---- what kernels_layers.h needs --------------------------------------------------------------
 */

typedef uint32_t LayerVector VECTOR_OF(32);

typedef struct LayerSum {
    LayerVector part[2];
} LayerSum;

/* Inputs are at most 127, so pairs of products fit 16 bits. */
FORCE_INLINE void layer_add_fours(LayerSum *sum, const uint8_t *low, const uint8_t *high,
                                  const int8_t *weights) {
    int32_t four[2];
    memcpy(&four[0], low, sizeof(four[0]));
    memcpy(&four[1], high, sizeof(four[1]));
    for (int i = 0; i < 2; i++) {
        __m256i row = _mm256_load_si256((const __m256i *)(weights + i * 32));
        __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(four[i]), row);
        sum->part[i] += (LayerVector)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    }
}

FORCE_INLINE unsigned layer_nonzero(const uint8_t *in) {
    unsigned zeros = 0;
    for (int i = 0; i < 2; i++) {
        __m256i fours = _mm256_loadu_si256((const __m256i *)(in + i * 32));
        __m256i is_zero = _mm256_cmpeq_epi32(fours, _mm256_setzero_si256());
        zeros |= (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_zero)) << i * 8;
    }
    return ~zeros & 0xFFFF;
}

#define LAYER_FOURS
#define LAYER_WIDTH 4
#include "eval/kernels_layers.h"

/* ---- Komadori's own networks ----------------------------------------------------------------- */

enum { LANES = 16 };

/* Prefetches the part of a row that the next call adds, two cache lines, if there is one. Otherwise
 * each call would wait for its part of every row. */
FORCE_INLINE void prefetch_part(const int16_t *row, bool has_next) {
    if (has_next) {
        PREFETCH(row);
        PREFETCH(row + 2 * LANES);
    }
}

/* Updates `width` vectors of words from `column` on, in blocks of `half` words. All sums stay in
 * registers while the rows are added. The sums of the low bytes are kept as sums of whole words
 * until the end. `width` and `half` are constants in every call. */
FORCE_INLINE void update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                              int column, int width, int half) {
    __m256i low[4], high[4];
    const int16_t *table = (const int16_t *)change->table + column / 2;
    size_t stride = (size_t)change->hidden / 2;
    int bias = (change->removed_count - change->added_count) * ROW_BIAS;
    bool has_next = column + 2 * width * LANES < change->hidden;
    for (int i = 0; i < width; i++) {
        low[i] = _mm256_set1_epi16((int16_t)bias);
        high[i] = _mm256_setzero_si256();
    }
    for (int k = 0; k < change->added_count; k++) {
        const int16_t *row = table + change->added[k] * stride;
        prefetch_part(row + width * LANES, has_next);
        for (int i = 0; i < width; i++) {
            __m256i words = _mm256_load_si256((const __m256i *)(row + i * LANES));
            low[i] = _mm256_add_epi16(low[i], words);
            high[i] = _mm256_add_epi16(high[i], _mm256_srai_epi16(words, 8));
        }
    }
    for (int k = 0; k < change->removed_count; k++) {
        const int16_t *row = table + change->removed[k] * stride;
        prefetch_part(row + width * LANES, has_next);
        for (int i = 0; i < width; i++) {
            __m256i words = _mm256_load_si256((const __m256i *)(row + i * LANES));
            low[i] = _mm256_sub_epi16(low[i], words);
            high[i] = _mm256_sub_epi16(high[i], _mm256_srai_epi16(words, 8));
        }
    }
    for (int i = 0; i < width; i++) {
        int place = column + i * LANES + i * LANES / half * half;
        __m256i first = _mm256_sub_epi16(low[i], _mm256_slli_epi16(high[i], 8));
        _mm256_store_si256(
            (__m256i *)(to + place),
            _mm256_add_epi16(_mm256_load_si256((const __m256i *)(from + place)), first));
        _mm256_store_si256(
            (__m256i *)(to + place + half),
            _mm256_add_epi16(_mm256_load_si256((const __m256i *)(from + place + half)), high[i]));
    }
}

static void update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 2 * ROW_BLOCK <= change->hidden; column += 2 * ROW_BLOCK) {
        update_part(to, from, change, column, 4, ROW_BLOCK / 2);
    }
    for (; column + ROW_BLOCK <= change->hidden; column += ROW_BLOCK) {
        update_part(to, from, change, column, 2, ROW_BLOCK / 2);
    }
    if (column < change->hidden) {
        update_part(to, from, change, column, 1, ROW_BLOCK / 4);
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
        /* The high half of (2^6 * value)^2 is value^2 >> 4. */
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
    static const NnueKernels kernels = {
        "avx2", CPU_AVX2,     update,
        output, square_bytes, {layer_update, layer_clip, layer_multiply, layer_affine}};
    return &kernels;
}

#else

const NnueKernels *kernels_avx2(void) {
    return NULL;
}

#endif
