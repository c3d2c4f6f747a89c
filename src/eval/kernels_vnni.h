/* kernels_vnni.h: the vnni version of the kernels; see kernels.h. */
#ifndef KMD_EVAL_KERNELS_VNNI_H
#define KMD_EVAL_KERNELS_VNNI_H

struct NnueKernels;

/* NULL where this architecture has no such version. */
const struct NnueKernels *kernels_vnni(void);

#endif
