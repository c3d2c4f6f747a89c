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

const NnueKernels *kernels_avx512(void) {
    static const NnueKernels kernels = {"avx512", CPU_AVX512, zmm_update, output};
    return &kernels;
}

#else

const NnueKernels *kernels_avx512(void) {
    return NULL;
}

#endif
