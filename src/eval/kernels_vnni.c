#include "eval/kernels_vnni.h"

#include <stddef.h>

#include "base/cpu.h"
#include "eval/arch.h"
#include "eval/kernels_type.h"

#if defined(__AVX512VNNI__)
#include "eval/kernels_zmm.h"

/* Sums that do not wait for each other: each addition takes as long as four more are begun. */
enum { CHAINS = 4 };

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    __m512i total[CHAINS] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                             _mm512_setzero_si512()};
    int i = 0;
    for (; i + CHAINS * ZMM_LANES <= hidden; i += CHAINS * ZMM_LANES) {
        for (int k = 0; k < CHAINS; k++) {
            const int place = i + k * ZMM_LANES;
            total[k] = _mm512_dpwssd_epi32(total[k], zmm_squares(sums + place),
                                           _mm512_load_si512(weights + place));
        }
    }
    for (; i < hidden; i += ZMM_LANES) {
        total[0] =
            _mm512_dpwssd_epi32(total[0], zmm_squares(sums + i), _mm512_load_si512(weights + i));
    }
    return _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_add_epi32(total[0], total[1]),
                                                    _mm512_add_epi32(total[2], total[3])));
}

/* total + the four products of a group by the weights of each neuron. */
FORCE_INLINE __m512i add_group(__m512i total, const uint8_t *products, int group,
                               const int8_t *first) {
    int32_t four;
    memcpy(&four, products + group * KERNEL_GROUP, sizeof(four));
    __m512i weights = _mm512_load_si512(first + group * KERNEL_GROUP * NNUE_FIRST);
    return _mm512_dpbusd_epi32(total, _mm512_set1_epi32(four), weights);
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

const NnueKernels *kernels_vnni(void) {
    static const NnueKernels kernels = {"vnni", CPU_AVX512 | CPU_VNNI, zmm_update, output, layers};
    return &kernels;
}

#else

const NnueKernels *kernels_vnni(void) {
    return NULL;
}

#endif
