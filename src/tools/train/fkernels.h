/* fkernels.h: the trainer's floating-point kernels, chosen at run time by what the processor can
 * do. The versions may differ in the last bits of their sums. No state. */
#ifndef KMD_TRAIN_FKERNELS_H
#define KMD_TRAIN_FKERNELS_H

#include "tools/train/fkernels_type.h"

/* The fastest version that needs no more than `features` (bits of CPU_*). Never NULL. */
const FloatKernels *fkernels_choose(uint32_t features);

/* Version number `index` from 0, the plain one, on; NULL behind the last. */
const FloatKernels *fkernels_get(int index);

#endif
