/* fkernels_avx512.c: the trainer's kernels for AVX-512. */
#define BODY_LANES 16
#include "base/cpu.h"
#include "train/fkernels_body.h"

const FloatKernels *fkernels_avx512(void) {
    static const FloatKernels kernels = {
        "avx512",     CPU_AVX512, body_forward,    body_backward, body_output, body_output_back,
        body_squares, body_layer, body_layer_back, body_gather,   body_adam};
    return &kernels;
}
