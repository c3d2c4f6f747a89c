#include "nnue/kernels_avx512.h"

#include <stddef.h>

#include "base/cpu.h"
#include "nnue/arch.h"
#include "nnue/kernels_type.h"

#if defined(__AVX512BW__)
#include "nnue/kernels_zmm.h"

FORCE_INLINE __m512i add_products(__m512i total, __m512i a, __m512i b) {
    return _mm512_add_epi32(total, _mm512_madd_epi16(a, b));
}

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    __m512i total = _mm512_setzero_si512();
    for (int i = 0; i < hidden; i += ZMM_LANES) {
        __m512i value = zmm_clipped(sums + i);
        total = add_products(total, zmm_weighted(value, weights + i), value);
    }
    return _mm512_reduce_add_epi32(total);
}

const NnueKernels *kernels_avx512(void) {
    static const NnueKernels kernels = {"avx512", CPU_AVX512, zmm_update, output};
    return &kernels;
}

#else

const NnueKernels *kernels_avx512(void) {
    return NULL;
}

#endif
