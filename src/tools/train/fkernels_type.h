/* fkernels_type.h: the loops that training spends its time in; see fkernels.h. Types only. */
#ifndef KMD_TRAIN_FKERNELS_TYPE_H
#define KMD_TRAIN_FKERNELS_TYPE_H

#include <stdint.h>

#include "eval/arch.h"

/* Hidden sums are handled in groups of this many, so that a group's weights for all inputs fit the
 * second-level cache and its sums stay in registers. LISTS are worked on together: their sums of
 * one group, GROUP_STRIDE numbers before those of the next, nearly fit the first level. */
enum {
    GROUP = 32,
    LIST_LEN = NNUE_MOST_ACTIVE,
    LISTS = 512,
    GROUP_STRIDE = (LISTS + 1) * GROUP, /* one more, lest all groups share a few cache lines */
    ROWS = NNUE_INPUTS + 1              /* the last for padding; its weights are 0 */
};

/* Lists turned round: the lists that hold row r are list[begin[r]] .. list[begin[r + 1] - 1], in
 * rising order. Padding is left out. */
typedef struct RowIndex {
    uint32_t begin[ROWS + 1];
    uint16_t list[LISTS * LIST_LEN];
} RowIndex;

/* One step of AdamW (Loshchilov and Hutter 2017). */
typedef struct AdamStep {
    float rate;  /* learning rate, corrections for the first steps included */
    float decay; /* what a weight is multiplied by */
    float beta1;
    float beta2;
    float epsilon;
    float limit; /* weights stay within -limit .. limit */
} AdamStep;

typedef struct FloatKernels {
    const char *name;
    uint32_t needs; /* bits of CPU_* */

    /* For each of `count` lists of LIST_LEN rows: the sum of bias and rows, GROUP numbers.
     * weights is [ROWS][GROUP]. */
    void (*forward)(const float *weights, const float *bias, const uint16_t *lists, int count,
                    float *sums);

    /* The way back: adds the gradients of the sums, [count][GROUP], to the gradients of the rows
     * in each list, and to those of the bias. */
    void (*backward)(float *weights, float *bias, const RowIndex *index, int count,
                     const float *gradients);

    /* The sum of clip(sum, 0, 1)^2 * weight over `groups` groups. */
    float (*output)(const float *sums, const float *weights, int groups);

    /* From the gradient of the output to those of its weights (added) and of the sums (in place of
     * the sums). */
    void (*output_back)(float *sums, const float *weights, float *weight_gradients, float gradient,
                        int groups);

    /* to += from; from = 0. */
    void (*gather)(float *to, float *from, int n);

    /* One step for n weights; the gradients become 0. */
    void (*adam)(float *const state[4], int n, const AdamStep *step);
} FloatKernels;

/* What state[] of adam is. */
enum { ADAM_WEIGHT, ADAM_MEAN, ADAM_SQUARE, ADAM_GRADIENT };

#endif
