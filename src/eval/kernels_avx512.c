/* kernels_avx512.c: the kernels for AVX-512 without VNNI; see kernels_zmm.h. */
#include "eval/kernels.h"

#include <stddef.h>

#if defined(__AVX512BW__)
#include "base/cpu.h"
#include "eval/kernels_zmm.h"

const NnueKernels *kernels_avx512(void) {
    static const NnueKernels kernels = {
        "avx512",   CPU_AVX512,   zmm_update,
        zmm_output, square_bytes, {layer_update, layer_clip, layer_multiply, layer_affine}};
    return &kernels;
}

#else

const NnueKernels *kernels_avx512(void) {
    return NULL;
}

#endif
