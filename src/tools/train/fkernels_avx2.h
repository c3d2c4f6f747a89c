/* fkernels_avx2.h: the trainer's kernels for AVX2; see fkernels.h. */
#ifndef KMD_TRAIN_FKERNELS_AVX2_H
#define KMD_TRAIN_FKERNELS_AVX2_H

struct FloatKernels;

const struct FloatKernels *fkernels_avx2(void);

#endif
