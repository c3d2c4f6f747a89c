/* fkernels.c: lists the kernels in this program and chooses one by the processor's features. */
#include "train/fkernels.h"

#include <stddef.h>

#include "base/base.h"

/* From the slowest to the fastest. */
static const FloatKernels *(*const versions[])(void) = {
    fkernels_plain,
    fkernels_avx2,
    fkernels_avx512,
};

const FloatKernels *fkernels_get(int index) {
    return index < (int)COUNTOF(versions) ? versions[index]() : NULL;
}

const FloatKernels *fkernels_choose(uint32_t features) {
    const FloatKernels *best = versions[0]();
    for (size_t i = 0; i < COUNTOF(versions); i++) {
        const FloatKernels *kernels = versions[i]();
        if ((kernels->needs & ~features) == 0) {
            best = kernels;
        }
    }
    return best;
}
