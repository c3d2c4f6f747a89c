/* fkernels_avx512.h: the trainer's kernels for AVX-512; see fkernels.h. */
#ifndef KMD_TRAIN_FKERNELS_AVX512_H
#define KMD_TRAIN_FKERNELS_AVX512_H

struct FloatKernels;

const struct FloatKernels *fkernels_avx512(void);

#endif
