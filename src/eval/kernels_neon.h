/* kernels_neon.h: the neon version of the kernels; see kernels.h. */
#ifndef KMD_EVAL_KERNELS_NEON_H
#define KMD_EVAL_KERNELS_NEON_H

struct NnueKernels;

/* NULL where this architecture has no such version. */
const struct NnueKernels *kernels_neon(void);

#endif
