#include "nnue/kernels_vnni.h"

#include <stddef.h>

#include "base/cpu.h"
#include "nnue/arch.h"
#include "nnue/kernels_type.h"

#if defined(__AVX512VNNI__)
#include "nnue/kernels_zmm.h"

static int32_t output(const int16_t *sums, const int16_t *weights, int hidden) {
    __m512i total = _mm512_setzero_si512();
    for (int i = 0; i < hidden; i += ZMM_LANES) {
        total = _mm512_dpwssd_epi32(total, zmm_squares(sums + i), _mm512_load_si512(weights + i));
    }
    return _mm512_reduce_add_epi32(total);
}

const NnueKernels *kernels_vnni(void) {
    static const NnueKernels kernels = {"vnni", CPU_AVX512 | CPU_VNNI, zmm_update, output};
    return &kernels;
}

#else

const NnueKernels *kernels_vnni(void) {
    return NULL;
}

#endif
