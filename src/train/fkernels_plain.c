/* fkernels_plain.c: the trainer's kernels in portable C. */
#include "train/fkernels_body.h"

const FloatKernels *fkernels_plain(void) {
    static const FloatKernels kernels = {
        "plain",      0,          body_forward,    body_backward, body_output, body_output_back,
        body_squares, body_layer, body_layer_back, body_gather,   body_adam};
    return &kernels;
}
