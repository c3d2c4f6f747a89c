#include "eval/kernels_avx512.h"

#include <stddef.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/kernels_type.h"

#if defined(__AVX512BW__)
#include "eval/kernels_zmm.h"

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    __m512i total = _mm512_setzero_si512();
    for (int i = 0; i < hidden; i += ZMM_LANES) {
        __m512i products = _mm512_madd_epi16(zmm_squares(sums + i), _mm512_load_si512(weights + i));
        total = _mm512_add_epi32(total, products);
    }
    return _mm512_reduce_add_epi32(total);
}

/* total + the four products of a group by the weights of each neuron. */
FORCE_INLINE __m512i add_group(__m512i total, const uint8_t *products, int group,
                               const int8_t *first) {
    int32_t four;
    memcpy(&four, products + group * KERNEL_GROUP, sizeof(four));
    __m512i weights = _mm512_load_si512(first + group * KERNEL_GROUP * NNUE_FIRST);
    __m512i pairs = _mm512_maddubs_epi16(_mm512_set1_epi32(four), weights);
    return _mm512_add_epi32(total, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

static int32_t layers(const int16_t *const sums[2], const KernelLayers *net, int hidden) {
    uint8_t products[NNUE_MOST_HIDDEN + 64];
    int32_t groups[KERNEL_MOST_GROUPS + 16];
    int count = zmm_products(sums, hidden, products, groups);
    /* Four sums that do not wait for each other. */
    __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        a = add_group(a, products, groups[i], net->first);
        b = add_group(b, products, groups[i + 1], net->first);
        c = add_group(c, products, groups[i + 2], net->first);
        d = add_group(d, products, groups[i + 3], net->first);
    }
    for (; i < count; i++) {
        a = add_group(a, products, groups[i], net->first);
    }
    int32_t first[NNUE_FIRST];
    _mm512_storeu_si512(first, _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)));
    return kernel_tail(first, net);
}

const NnueKernels *kernels_avx512(void) {
    static const NnueKernels kernels = {"avx512", CPU_AVX512, zmm_update, output, layers};
    return &kernels;
}

#else

const NnueKernels *kernels_avx512(void) {
    return NULL;
}

#endif
