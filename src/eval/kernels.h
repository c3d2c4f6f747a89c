/* kernels.h: the two loops that evaluation spends its time in, in one version per instruction set.
 *
 * All versions give the same result to the last bit. A table of functions is chosen once, at run
 * time, by what the processor can do; the caller may hand in fewer features than there are, to test
 * or compare. Hidden sums and weights stand at multiples of 64 bytes. No state: safe from every
 * thread. */
#ifndef KMD_EVAL_KERNELS_H
#define KMD_EVAL_KERNELS_H

#include "eval/kernels_type.h"

/* The fastest version that needs no more than `features` (bits of CPU_*). Never NULL. */
const NnueKernels *kernels_choose(uint32_t features);

/* Version number `index` from 0, the scalar one, on; NULL behind the last. Versions made for
 * another architecture are left out. The caller checks `needs`. */
const NnueKernels *kernels_get(int index);

#endif
