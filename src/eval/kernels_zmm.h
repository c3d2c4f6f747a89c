/* kernels_zmm.h: the kernels for AVX-512. kernels_vnni.c defines ZMM_VNNI before including this
 * file, to use the instructions that multiply and add in one step. Empty unless compiled for
 * AVX-512. */
#ifndef KMD_EVAL_KERNELS_ZMM_H
#define KMD_EVAL_KERNELS_ZMM_H

#if defined(__AVX512BW__)
#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#include "eval/arch.h"
#include "eval/rows.h"

/* ---- what kernels_layers.h needs --------------------------------------------------------------
 */

typedef uint32_t LayerVector VECTOR_OF(64);

typedef struct LayerSum {
    LayerVector part[1];
} LayerSum;

/* Inputs are at most 127, so pairs of products fit 16 bits. */
FORCE_INLINE void layer_add_fours(LayerSum *sum, const uint8_t *low, const uint8_t *high,
                                  const int8_t *weights) {
    int32_t four[2];
    memcpy(&four[0], low, sizeof(four[0]));
    memcpy(&four[1], high, sizeof(four[1]));
    __m512i all = _mm512_set1_epi32(four[0]), row = _mm512_load_si512(weights);
    all = low == high ? all : _mm512_mask_set1_epi32(all, 0xFF00, four[1]);
#if defined(ZMM_VNNI)
    sum->part[0] = (LayerVector)_mm512_dpbusd_epi32((__m512i)sum->part[0], all, row);
#else
    __m512i pairs = _mm512_maddubs_epi16(all, row);
    sum->part[0] += (LayerVector)_mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
#endif
}

FORCE_INLINE unsigned layer_nonzero(const uint8_t *in) {
    __m512i fours = _mm512_loadu_si512(in);
    return _mm512_test_epi32_mask(fours, fours);
}

#define LAYER_FOURS
#define LAYER_WIDTH 8
#include "eval/kernels_layers.h"

/* ---- Komadori's own networks ----------------------------------------------------------------- */

enum { ZMM_LANES = 32 };

/* Updates `width` vectors of words from `column` on, in blocks of `half` words. All sums stay in
 * registers while the rows are added. The sums of the low bytes are kept as sums of whole words
 * until the end. `width` and `half` are constants in every call. Rows are aligned to 32 bytes at
 * least. */
FORCE_INLINE void zmm_update_part(int16_t *to, const int16_t *from, const KernelChange *change,
                                  int column, int width, int half) {
    __m512i low[8], high[8];
    const int16_t *table = (const int16_t *)change->table + column / 2;
    size_t stride = (size_t)change->hidden / 2;
    int bias = (change->removed_count - change->added_count) * ROW_BIAS;
    for (int i = 0; i < width; i++) {
        low[i] = _mm512_set1_epi16((int16_t)bias);
        high[i] = _mm512_setzero_si512();
    }
    for (int k = 0; k < change->added_count; k++) {
        const int16_t *row = table + change->added[k] * stride;
        for (int i = 0; i < width; i++) {
            __m512i words = _mm512_loadu_si512(row + i * ZMM_LANES);
            low[i] = _mm512_add_epi16(low[i], words);
            high[i] = _mm512_add_epi16(high[i], _mm512_srai_epi16(words, 8));
        }
    }
    for (int k = 0; k < change->removed_count; k++) {
        const int16_t *row = table + change->removed[k] * stride;
        for (int i = 0; i < width; i++) {
            __m512i words = _mm512_loadu_si512(row + i * ZMM_LANES);
            low[i] = _mm512_sub_epi16(low[i], words);
            high[i] = _mm512_sub_epi16(high[i], _mm512_srai_epi16(words, 8));
        }
    }
    for (int i = 0; i < width; i++) {
        int place = column + i * ZMM_LANES + i * ZMM_LANES / half * half;
        __m512i first = _mm512_sub_epi16(low[i], _mm512_slli_epi16(high[i], 8));
        _mm512_store_si512(to + place, _mm512_add_epi16(_mm512_load_si512(from + place), first));
        _mm512_store_si512(to + place + half,
                           _mm512_add_epi16(_mm512_load_si512(from + place + half), high[i]));
    }
}

/* Updates the half block at the end of an odd width. */
static inline void zmm_update_last(int16_t *to, const int16_t *from, const KernelChange *change,
                                   int column) {
    const int16_t *table = (const int16_t *)change->table + column / 2;
    size_t stride = (size_t)change->hidden / 2;
    int bias = (change->removed_count - change->added_count) * ROW_BIAS;
    __m256i low = _mm256_set1_epi16((int16_t)bias);
    __m256i high = _mm256_setzero_si256();
    for (int k = 0; k < change->added_count + change->removed_count; k++) {
        bool is_on = k < change->added_count;
        uint32_t number = is_on ? change->added[k] : change->removed[k - change->added_count];
        __m256i words = _mm256_load_si256((const __m256i *)(table + number * stride));
        __m256i upper = _mm256_srai_epi16(words, 8);
        low = is_on ? _mm256_add_epi16(low, words) : _mm256_sub_epi16(low, words);
        high = is_on ? _mm256_add_epi16(high, upper) : _mm256_sub_epi16(high, upper);
    }
    const __m256i *first = (const __m256i *)(from + column);
    __m256i *out = (__m256i *)(to + column);
    low = _mm256_sub_epi16(low, _mm256_slli_epi16(high, 8));
    _mm256_store_si256(out, _mm256_add_epi16(_mm256_load_si256(first), low));
    _mm256_store_si256(out + 1, _mm256_add_epi16(_mm256_load_si256(first + 1), high));
}

static inline void zmm_update(int16_t *to, const int16_t *from, const KernelChange *change) {
    int column = 0;
    for (; column + 8 * ROW_BLOCK <= change->hidden; column += 8 * ROW_BLOCK) {
        zmm_update_part(to, from, change, column, 8, ROW_BLOCK / 2);
    }
    for (; column + 4 * ROW_BLOCK <= change->hidden; column += 4 * ROW_BLOCK) {
        zmm_update_part(to, from, change, column, 4, ROW_BLOCK / 2);
    }
    for (; column + ROW_BLOCK <= change->hidden; column += ROW_BLOCK) {
        zmm_update_part(to, from, change, column, 1, ROW_BLOCK / 2);
    }
    if (column < change->hidden) {
        zmm_update_last(to, from, change, column);
    }
}

/* Returns hidden sums clipped to 0 .. NNUE_QA and squared. The high half of (2^6 * value)^2 is
 * value^2 >> 4. */
FORCE_INLINE __m512i zmm_squares(const int16_t *sums) {
    __m512i value = _mm512_max_epi16(_mm512_load_si512(sums), _mm512_setzero_si512());
    value = _mm512_min_epi16(value, _mm512_set1_epi16(NNUE_QA));
    value = _mm512_slli_epi16(value, (16 - NNUE_SQUARE_SHIFT) / 2);
    return _mm512_mulhi_epi16(value, value);
}

/* Returns total + the sums of adjacent pairs of 16-bit products. */
#if defined(ZMM_VNNI)
FORCE_INLINE __m512i zmm_add_pairs(__m512i total, __m512i a, __m512i b) {
    return _mm512_dpwssd_epi32(total, a, b);
}
#else
FORCE_INLINE __m512i zmm_add_pairs(__m512i total, __m512i a, __m512i b) {
    return _mm512_add_epi32(total, _mm512_madd_epi16(a, b));
}
#endif

/* Number of independent sums, to hide the latency of the additions. */
enum { ZMM_CHAINS = 4 };

static inline int32_t zmm_output(const int16_t *sums, const int16_t *weights, int hidden) {
    __m512i total[ZMM_CHAINS] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                                 _mm512_setzero_si512(), _mm512_setzero_si512()};
    int i = 0;
    for (; i + ZMM_CHAINS * ZMM_LANES <= hidden; i += ZMM_CHAINS * ZMM_LANES) {
        for (int k = 0; k < ZMM_CHAINS; k++) {
            const int place = i + k * ZMM_LANES;
            total[k] = zmm_add_pairs(total[k], zmm_squares(sums + place),
                                     _mm512_load_si512(weights + place));
        }
    }
    for (; i < hidden; i += ZMM_LANES) {
        total[0] = zmm_add_pairs(total[0], zmm_squares(sums + i), _mm512_load_si512(weights + i));
    }
    return _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_add_epi32(total[0], total[1]),
                                                    _mm512_add_epi32(total[2], total[3])));
}

#endif
#endif
