/* kernels_vnni.c: the kernels for AVX-512 with VNNI; see kernels_zmm.h. */
#include "eval/kernels.h"

#include <stddef.h>

#if defined(__AVX512VNNI__)
#define ZMM_VNNI
#include "base/cpu.h"
#include "eval/kernels_zmm.h"

const NnueKernels *kernels_vnni(void) {
    static const NnueKernels kernels = {
        "vnni",       CPU_AVX512 | CPU_VNNI,
        zmm_update,   zmm_output,
        square_bytes, {layer_update, layer_clip, layer_multiply, layer_affine}};
    return &kernels;
}

#else

const NnueKernels *kernels_vnni(void) {
    return NULL;
}

#endif
