/* fkernels_avx2.c: the trainer's kernels for AVX2. */
#define BODY_LANES 8
#include "base/cpu.h"
#include "train/fkernels_body.h"

const FloatKernels *fkernels_avx2(void) {
    static const FloatKernels kernels = {
        "avx2",       CPU_AVX2,   body_forward,    body_backward, body_output, body_output_back,
        body_squares, body_layer, body_layer_back, body_gather,   body_adam};
    return &kernels;
}
