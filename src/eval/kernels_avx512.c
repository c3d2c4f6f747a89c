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

/* total + the four products by the weights of each neuron. */
FORCE_INLINE __m512i add_group(__m512i total, __m512i four, const int8_t *weights) {
    __m512i pairs = _mm512_maddubs_epi16(four, _mm512_load_si512(weights));
    return _mm512_add_epi32(total, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

static int32_t layers(const int16_t *const sums[2], const KernelLayers *net, int hidden) {
    uint8_t products[NNUE_MOST_HIDDEN + 64];
    int32_t groups[KERNEL_MOST_GROUPS + 16];
    int count = zmm_products(sums, hidden, products, groups);
    __m512i total[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int i = 0; i < count; i++) {
        int32_t four;
        memcpy(&four, products + groups[i] * 4, sizeof(four));
        total[i % 2] = add_group(total[i % 2], _mm512_set1_epi32(four),
                                 net->first + (size_t)groups[i] * 4 * NNUE_FIRST);
    }
    int32_t first[NNUE_FIRST];
    _mm512_storeu_si512(first, _mm512_add_epi32(total[0], total[1]));
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
