/* kernels_scalar.h: the scalar version of the kernels; see kernels.h. */
#ifndef KMD_EVAL_KERNELS_SCALAR_H
#define KMD_EVAL_KERNELS_SCALAR_H

struct NnueKernels;

/* The plain version, which the others are compared with. Never NULL. */
const struct NnueKernels *kernels_scalar(void);

#endif
