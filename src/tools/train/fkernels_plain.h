/* fkernels_plain.h: the trainer's kernels for any processor; see fkernels.h. */
#ifndef KMD_TRAIN_FKERNELS_PLAIN_H
#define KMD_TRAIN_FKERNELS_PLAIN_H

struct FloatKernels;

const struct FloatKernels *fkernels_plain(void);

#endif
