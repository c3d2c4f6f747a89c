/* kernels.c: lists the kernels in this program and chooses one by the processor's features. */
#include "eval/kernels.h"

#include <stddef.h>

#include "base/base.h"

/* From the slowest to the fastest. */
static const NnueKernels *(*const versions[])(void) = {
    kernels_scalar, kernels_neon, kernels_avx2, kernels_avx512, kernels_vnni,
};

const NnueKernels *kernels_get(int index) {
    for (size_t i = 0; i < COUNTOF(versions); i++) {
        const NnueKernels *kernels = versions[i]();
        if (kernels != NULL && index-- == 0) {
            return kernels;
        }
    }
    return NULL;
}

const NnueKernels *kernels_choose(uint32_t features) {
    const NnueKernels *best = kernels_scalar();
    for (size_t i = 0; i < COUNTOF(versions); i++) {
        const NnueKernels *kernels = versions[i]();
        if (kernels != NULL && (kernels->needs & ~features) == 0) {
            best = kernels;
        }
    }
    return best;
}
