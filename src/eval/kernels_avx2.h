/* kernels_avx2.h: the avx2 version of the kernels; see kernels.h. */
#ifndef KMD_EVAL_KERNELS_AVX2_H
#define KMD_EVAL_KERNELS_AVX2_H

struct NnueKernels;

/* NULL where this architecture has no such version. */
const struct NnueKernels *kernels_avx2(void);

#endif
