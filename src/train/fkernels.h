/* fkernels.h: the floating-point kernels of the trainer, chosen at run time by processor features.
 * The versions may differ in the last bits of their sums. Stateless. */
#ifndef KMD_TRAIN_FKERNELS_H
#define KMD_TRAIN_FKERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/arch.h"

/* Hidden sums are processed in groups of GROUP, so that the weights of a group for all inputs fit
 * the second-level cache and its sums stay in registers. LISTS lists are processed together; their
 * sums for one group, GROUP_STRIDE numbers, nearly fit the first-level cache. */
enum {
    GROUP = 32,
    LIST_LEN = NNUE_MAX_ACTIVE,
    LISTS = 512,
    GROUP_STRIDE =
        (LISTS + 1) *
        GROUP, /* one list is added, so that the groups do not compete for the same cache lines */
    ROWS = NNUE_INPUTS
};

/* The rows in which a list differs from the previous list, or all rows of a list. Successive
 * positions of a game share most of their inputs. */
typedef struct ListStep {
    uint32_t at;  /* index in Lists of the step's rows: those added, then those removed */
    uint8_t come; /* number of rows added; with those removed, at most LIST_LEN */
    uint8_t leave;
    bool is_fresh; /* the list does not depend on the previous one */
} ListStep;

typedef struct Lists {
    int count; /* number of steps, at most LISTS; the first one is fresh */
    ListStep step[LISTS];
    uint16_t row[LISTS * LIST_LEN];
} Lists;

/* The same steps sorted by row. Row r is added in the steps list[begin[r]] to list[middle[r] - 1],
 * and removed in the steps from there to list[begin[r + 1] - 1]. Both kinds of steps are in
 * ascending order. */
typedef struct RowIndex {
    uint32_t begin[ROWS + 1];
    uint32_t middle[ROWS];
    uint16_t list[LISTS * LIST_LEN];
} RowIndex;

/* One step of AdamW (Loshchilov and Hutter 2017). */
typedef struct AdamStep {
    float rate;  /* learning rate, including the corrections for the first steps */
    float decay; /* factor applied to a weight */
    float beta1;
    float beta2;
    float epsilon;
    float limit; /* weights are kept within -limit .. limit */
} AdamStep;

/* A layer and what comes in. `inputs` is a multiple of 16. */
typedef struct FloatLayer {
    int inputs;
    int outputs;
    const float *in;      /* [inputs] */
    const float *weights; /* [outputs][inputs] */
} FloatLayer;

typedef struct FloatKernels {
    const char *name;
    uint32_t needs; /* required processor features (bits of CPU_*) */

    /* Computes the sum of the bias and the rows of each list: GROUP numbers. weights is
     * [ROWS][GROUP]. */
    void (*forward)(const float *weights, const float *bias, const Lists *lists, float *sums);

    /* Backward pass: adds the gradients of each list's sums, [count][GROUP], to the gradients of
     * its rows and of the bias. Overwrites `gradients`. */
    void (*backward)(float *weights, float *bias, const RowIndex *index, const Lists *lists,
                     float *gradients);

    /* Returns the sum of clip(sum, 0, 1)^2 * weight over `groups` groups. */
    float (*output)(const float *sums, const float *weights, int groups);

    /* From the gradient of the output and its slopes by the squares, computes the gradients of the
     * output weights (added) and of the sums (replacing the sums). */
    void (*output_back)(float *sums, const float *slopes, float *weight_gradients, float gradient,
                        int groups);

    /* Writes clip(sum, 0, 1)^2 of all groups one after the other. */
    void (*squares)(const float *sums, float *out, int groups);

    /* out[k] = bias[k] + the sum of in[i] * weights[k][i]. */
    void (*layer)(const FloatLayer *layer, const float *bias, float *out);

    /* From the slopes of the network's output by out[k], and the gradient of that output, adds to
     * the gradients of the weights and to the slopes by in[i]. */
    void (*layer_back)(const FloatLayer *layer, const float *slopes, float gradient,
                       float *weight_gradients, float *in_slopes);

    /* Adds from[] to to[] and sets from[] to 0. */
    void (*gather)(float *to, float *from, int n);

    /* Makes one AdamW step for n weights and resets their gradients to 0. */
    void (*adam)(float *const state[4], int n, const AdamStep *step);
} FloatKernels;

/* The indices of adam's state[]. */
enum { ADAM_WEIGHT, ADAM_MEAN, ADAM_SQUARE, ADAM_GRADIENT };

/* The fastest version that needs no features besides `features` (bits of CPU_*). Never NULL. */
const FloatKernels *fkernels_choose(uint32_t features);

/* The version with this index; NULL after the last. Index 0 is the portable version. */
const FloatKernels *fkernels_get(int index);

/* The versions, for fkernels.c. */
const FloatKernels *fkernels_plain(void);
const FloatKernels *fkernels_avx2(void);
const FloatKernels *fkernels_avx512(void);

#endif
