/* fkernels.h: the trainer's floating-point kernels, chosen at run time by what the processor can
 * do. The versions may differ in the last bits of their sums. No state. */
#ifndef KMD_TRAIN_FKERNELS_H
#define KMD_TRAIN_FKERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/arch.h"

/* Hidden sums are handled in groups of this many, so that a group's weights for all inputs fit the
 * second-level cache and its sums stay in registers. LISTS are worked on together: their sums of
 * one group, GROUP_STRIDE numbers before those of the next, nearly fit the first level. */
enum {
    GROUP = 32,
    LIST_LEN = NNUE_MOST_ACTIVE,
    LISTS = 512,
    GROUP_STRIDE =
        (LISTS + 1) * GROUP, /* one more, so that the groups do not share a few cache lines */
    ROWS = NNUE_INPUTS
};

/* What a list of rows changes against the list before it, or against nothing. Successive positions
 * of a game share most of their inputs. */
typedef struct ListStep {
    uint32_t at;  /* where its rows begin in Lists: those that come, then those that go */
    uint8_t come; /* how many; together at most LIST_LEN */
    uint8_t leave;
    bool is_fresh; /* against nothing */
} ListStep;

typedef struct Lists {
    int count; /* of steps, at most LISTS; the first is fresh */
    ListStep step[LISTS];
    uint16_t row[LISTS * LIST_LEN];
} Lists;

/* Steps turned round: row r comes in the steps list[begin[r]] .. list[middle[r] - 1] and goes in
 * those up to list[begin[r + 1] - 1], both in rising order. */
typedef struct RowIndex {
    uint32_t begin[ROWS + 1];
    uint32_t middle[ROWS];
    uint16_t list[LISTS * LIST_LEN];
} RowIndex;

/* Samples of one phase that go through the layers together. */
enum { LAYER_SAMPLES = 8, LAYER_INPUTS = 2 * NNUE_FIRST };

/* Where the layers of one phase follow one another, each a multiple of 16 numbers: weights of
 * the first layer [NNUE_FIRST][hidden] and its biases, of the second [LAYER_INPUTS][NNUE_SECOND],
 * values before squares, and its biases, of the output, and its bias. */
static inline int layers_first_bias_at(int hidden) {
    return NNUE_FIRST * hidden;
}

static inline int layers_second_at(int hidden) {
    return layers_first_bias_at(hidden) + NNUE_FIRST;
}

static inline int layers_second_bias_at(int hidden) {
    return layers_second_at(hidden) + LAYER_INPUTS * NNUE_SECOND;
}

static inline int layers_output_at(int hidden) {
    return layers_second_bias_at(hidden) + NNUE_SECOND;
}

static inline int layers_output_bias_at(int hidden) {
    return layers_output_at(hidden) + NNUE_SECOND;
}

static inline int layers_size(int hidden) {
    return layers_output_bias_at(hidden) + GROUP;
}

typedef struct LayerBlock {
    int count;                     /* of samples */
    int hidden;                    /* per view */
    bool rounds;                   /* products, as the integers do */
    float *sums[LAYER_SAMPLES][2]; /* of the mover's view and the other's, GROUP_STRIDE apart */
    float output[LAYER_SAMPLES];
    /* The intermediate results that the backward pass needs. */
    _Alignas(64) float products[LAYER_SAMPLES][NNUE_MOST_HIDDEN];
    _Alignas(64) float first[LAYER_SAMPLES][NNUE_FIRST];
    _Alignas(64) float active[LAYER_SAMPLES][LAYER_INPUTS];
    _Alignas(64) float second[LAYER_SAMPLES][NNUE_SECOND];
} LayerBlock;

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

    /* The sum of bias and rows of each list, GROUP numbers. weights is [ROWS][GROUP]. */
    void (*forward)(const float *weights, const float *bias, const Lists *lists, float *sums);

    /* The way back: adds the gradients of the sums, [count][GROUP], to the gradients of the rows
     * in each list, and to those of the bias. What stands in `gradients` is lost. */
    void (*backward)(float *weights, float *bias, const RowIndex *index, const Lists *lists,
                     float *gradients);

    /* The outputs of the block's samples by the layers of their phase. */
    void (*layers)(const float *layers, LayerBlock *block);

    /* The way back: from the gradients of the outputs, in their place, to those of the layers
     * (added) and of the sums (instead of the sums). */
    void (*layers_back)(const float *layers, float *gradients, LayerBlock *block);

    /* The sum of clip(sum, 0, 1)^2 * weight over `groups` groups. */
    float (*output)(const float *sums, const float *weights, int groups);

    /* From the gradient of the output to those of its weights (added) and of the sums (instead of
     * the sums). */
    void (*output_back)(float *sums, const float *weights, float *weight_gradients, float gradient,
                        int groups);

    /* to += from; from = 0. */
    void (*gather)(float *to, float *from, int n);

    /* One step for n weights; the gradients become 0. */
    void (*adam)(float *const state[4], int n, const AdamStep *step);
} FloatKernels;

/* The meaning of adam's state[]. */
enum { ADAM_WEIGHT, ADAM_MEAN, ADAM_SQUARE, ADAM_GRADIENT };

/* The fastest version that needs no more than `features` (bits of CPU_*). Never NULL. */
const FloatKernels *fkernels_choose(uint32_t features);

/* Version number `index` from 0, the plain one, on; NULL after the last. */
const FloatKernels *fkernels_get(int index);

/* Each version, for fkernels.c. */
const FloatKernels *fkernels_plain(void);
const FloatKernels *fkernels_avx2(void);
const FloatKernels *fkernels_avx512(void);

#endif
