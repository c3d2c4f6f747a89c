/* kernels_avx512.h: the avx512 version of the kernels; see kernels.h. */
#ifndef KMD_EVAL_KERNELS_AVX512_H
#define KMD_EVAL_KERNELS_AVX512_H

struct NnueKernels;

/* NULL where this architecture has no such version. */
const struct NnueKernels *kernels_avx512(void);

#endif
