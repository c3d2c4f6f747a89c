/* fkernels_type.h: the loops that training spends its time in; see fkernels.h. Types only. */
#ifndef KMD_TRAIN_FKERNELS_TYPE_H
#define KMD_TRAIN_FKERNELS_TYPE_H

#include <stdint.h>

#include "nnue/arch.h"

/* Hidden sums are handled in groups of this many, so that a group's weights for all inputs fit the
 * second-level cache and its sums stay in registers. */
enum { GROUP = 32, LIST_LEN = NNUE_MOST_ACTIVE };

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

    /* For each of `count` lists of LIST_LEN rows: the sum of bias and rows, GROUP numbers, written
     * `stride` numbers apart. weights is [rows][GROUP]. */
    void (*forward)(const float *weights, const float *bias, const uint16_t *lists, int count,
                    float *sums, int stride);

    /* The way back: adds each list's gradient, `stride` numbers apart, to the gradients of its rows
     * and of the bias. */
    void (*backward)(float *weights, float *bias, const uint16_t *lists, int count,
                     const float *gradients, int stride);

    /* The sum over n of clip(sums, 0, 1)^2 * weights. */
    float (*output)(const float *sums, const float *weights, int n);

    /* From the gradient of the output to those of its weights (added) and of the sums (in place of
     * the sums). */
    void (*output_back)(float *sums, const float *weights, float *weight_gradients, float gradient,
                        int n);

    /* to += from; from = 0. */
    void (*gather)(float *to, float *from, int n);

    /* One step for n weights; the gradients become 0. */
    void (*adam)(float *const state[4], int n, const AdamStep *step);
} FloatKernels;

/* What state[] of adam is. */
enum { ADAM_WEIGHT, ADAM_MEAN, ADAM_SQUARE, ADAM_GRADIENT };

#endif
