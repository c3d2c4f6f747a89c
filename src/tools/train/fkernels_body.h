/* fkernels_body.h: the trainer's kernels, written for vectors of BODY_LANES numbers. Only the files
 * fkernels_*.c include it. Each defines BODY_LANES for its processor; the Makefile selects the
 * instruction set for each (FLAGS_*). */
#ifndef KMD_TRAIN_FKERNELS_BODY_H
#define KMD_TRAIN_FKERNELS_BODY_H

#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "tools/train/fkernels.h"

/* The default for any processor. */
#ifndef BODY_LANES
#define BODY_LANES 4
#endif

enum { LANES = BODY_LANES, GROUP_VECTORS = GROUP / LANES };

typedef float Vector VECTOR_OF(LANES * sizeof(float));
typedef int32_t Mask VECTOR_OF(LANES * sizeof(int32_t));

/* All arrays are aligned to the size of a vector. */
FORCE_INLINE Vector *body_at(float *numbers, int index) {
    return (Vector *)(void *)numbers + index;
}

FORCE_INLINE Vector body_load(const float *numbers, int index) {
    return ((const Vector *)(const void *)numbers)[index];
}

FORCE_INLINE Vector body_splat(float number) {
    return (Vector){0} + number;
}

FORCE_INLINE Vector body_select(Mask mask, Vector yes, Vector no) {
    return (Vector)((mask & (Mask)yes) | (~mask & (Mask)no));
}

FORCE_INLINE Vector body_clip(Vector value) {
    Vector zero = body_splat(0);
    Vector one = body_splat(1);
    value = body_select(value > zero, value, zero);
    return body_select(value < one, value, one);
}

static inline void body_forward(const float *weights, const float *bias, const Lists *lists,
                                float *sums) {
    Vector sum[GROUP_VECTORS] = {0};
    for (int i = 0; i < lists->count; i++) {
        const ListStep *step = &lists->step[i];
        const uint16_t *row = lists->row + step->at;
        for (int v = 0; v < GROUP_VECTORS && step->is_fresh; v++) {
            sum[v] = body_load(bias, v);
        }
        for (int k = 0; k < step->come; k++) {
            const float *weight = weights + (size_t)*row++ * GROUP;
            for (int v = 0; v < GROUP_VECTORS; v++) {
                sum[v] += body_load(weight, v);
            }
        }
        for (int k = 0; k < step->leave; k++) {
            const float *weight = weights + (size_t)*row++ * GROUP;
            for (int v = 0; v < GROUP_VECTORS; v++) {
                sum[v] -= body_load(weight, v);
            }
        }
        for (int v = 0; v < GROUP_VECTORS; v++) {
            *body_at(sums, v) = sum[v];
        }
        sums += GROUP;
    }
}

/* Adds up gradients along each chain of lists. A row that is added to a list stays in the following
 * lists of its chain until it is removed. Each list's gradient is therefore replaced by the sum of
 * itself and the gradients after it in the chain. The bias is in all lists. */
static inline void body_sum_chains(float *bias, const Lists *lists, float *gradients) {
    Vector all[GROUP_VECTORS];
    Vector sum[GROUP_VECTORS] = {0};
    for (int v = 0; v < GROUP_VECTORS; v++) {
        all[v] = body_load(bias, v);
    }
    for (int i = lists->count - 1; i >= 0; i--) {
        for (int v = 0; v < GROUP_VECTORS; v++) {
            sum[v] += body_load(gradients + (size_t)i * GROUP, v);
            *body_at(gradients + (size_t)i * GROUP, v) = sum[v];
        }
        for (int v = 0; v < GROUP_VECTORS && lists->step[i].is_fresh; v++) {
            all[v] += sum[v];
            sum[v] = body_splat(0);
        }
    }
    for (int v = 0; v < GROUP_VECTORS; v++) {
        *body_at(bias, v) = all[v];
    }
}

/* For each row, adds up in registers the gradients of the lists in which the row is added or
 * removed. Adding each list's gradient to its rows in memory would need a store for every load and
 * take longer. */
static inline void body_backward(float *weights, float *bias, const RowIndex *index,
                                 const Lists *lists, float *gradients) {
    body_sum_chains(bias, lists, gradients);
    for (int row = 0; row < ROWS; row++) {
        const uint16_t *list = index->list + index->begin[row];
        const uint16_t *middle = index->list + index->middle[row];
        const uint16_t *end = index->list + index->begin[row + 1];
        if (list == end) {
            continue;
        }
        Vector sum[GROUP_VECTORS];
        float *weight = weights + (size_t)row * GROUP;
        for (int v = 0; v < GROUP_VECTORS; v++) {
            sum[v] = body_load(weight, v);
        }
        for (; list < middle; list++) {
            for (int v = 0; v < GROUP_VECTORS; v++) {
                sum[v] += body_load(gradients + (size_t)*list * GROUP, v);
            }
        }
        for (; list < end; list++) {
            for (int v = 0; v < GROUP_VECTORS; v++) {
                sum[v] -= body_load(gradients + (size_t)*list * GROUP, v);
            }
        }
        for (int v = 0; v < GROUP_VECTORS; v++) {
            *body_at(weight, v) = sum[v];
        }
    }
}

FORCE_INLINE float body_total(Vector vector) {
    float total = 0;
    for (int i = 0; i < LANES; i++) {
        total += vector[i];
    }
    return total;
}

/* Rounds small numbers to the nearest integer, by adding a number so large that no bits are left
 * for a fraction. */
FORCE_INLINE Vector body_round(Vector value) {
    Vector large = body_splat(12582912.0F);
    Vector sum = value + large;
    return sum - large;
}

/* Computes the products of a sample's pairs, the mover's view first. */
static inline void body_products(const LayerBlock *block, int sample, float *products) {
    for (int view = 0; view < 2; view++) {
        const float *sums = block->sums[sample][view];
        for (int i = 0; i < block->hidden / 2; i += LANES) {
            int high = i + block->hidden / 2;
            Vector a = body_load(sums + (size_t)(i / GROUP) * GROUP_STRIDE, i % GROUP / LANES);
            Vector b =
                body_load(sums + (size_t)(high / GROUP) * GROUP_STRIDE, high % GROUP / LANES);
            Vector product = body_clip(a) * body_clip(b);
            if (block->rounds) {
                /* Halves are rounded up, as in the integer kernels. Other fractions differ from a
                 * half by at least 1/2048. */
                product = body_round(product * (float)NNUE_PRODUCT_UNIT + 0.00024F) *
                          (float)(1 / NNUE_PRODUCT_UNIT);
            }
            *body_at(products, (view * block->hidden / 2 + i) / LANES) = product;
        }
    }
}

/* Computes the first layer for all samples. Each weight loaded is used for four samples. */
static inline void body_first(const float *weights, LayerBlock *block) {
    const float *bias = weights + layers_first_bias_at(block->hidden);
    for (int s = 0; s < LAYER_SAMPLES; s += 4) {
        for (int n = 0; n < NNUE_FIRST; n += 2) {
            Vector sum[4][2] = {{{0}}};
            const float *row = weights + (size_t)n * (size_t)block->hidden;
            for (int i = 0; i < block->hidden / LANES; i++) {
                Vector one = body_load(row, i);
                Vector two = body_load(row + block->hidden, i);
                for (int k = 0; k < 4; k++) {
                    Vector product = body_load(block->products[s + k], i);
                    sum[k][0] += product * one;
                    sum[k][1] += product * two;
                }
            }
            for (int k = 0; k < 4; k++) {
                block->first[s + k][n] = body_total(sum[k][0]) + bias[n];
                block->first[s + k][n + 1] = body_total(sum[k][1]) + bias[n + 1];
            }
        }
    }
}

static inline float clip_one(float value) {
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static inline void body_layers(const float *layers, LayerBlock *block) {
    int hidden = block->hidden;
    const float *second = layers + layers_second_at(hidden);
    const float *output = layers + layers_output_at(hidden);
    for (int s = 0; s < LAYER_SAMPLES; s++) {
        if (s < block->count) {
            body_products(block, s, block->products[s]);
        } else {
            memset(block->products[s], 0, (size_t)hidden * sizeof(float));
        }
    }
    body_first(layers, block);
    for (int s = 0; s < block->count; s++) {
        float *sums = block->second[s];
        memcpy(sums, layers + layers_second_bias_at(hidden), NNUE_SECOND * sizeof(float));
        for (int i = 0; i < NNUE_FIRST; i++) {
            float value = clip_one(block->first[s][i]);
            block->active[s][i] = value;
            block->active[s][NNUE_FIRST + i] = value * value;
        }
        for (int i = 0; i < LAYER_INPUTS; i++) {
            for (int k = 0; k < NNUE_SECOND; k++) {
                sums[k] += block->active[s][i] * second[i * NNUE_SECOND + k];
            }
        }
        float total = layers[layers_output_bias_at(hidden)];
        for (int k = 0; k < NNUE_SECOND; k++) {
            total += clip_one(sums[k]) * output[k];
        }
        block->output[s] = total;
    }
}

/* Backward pass after the first layer: computes the gradients of the first layer's sums from the
 * gradient of the output. They replace the sums. */
static inline void body_tail_back(const float *layers, float *gradients, LayerBlock *block, int s) {
    int hidden = block->hidden;
    const float *second = layers + layers_second_at(hidden);
    const float *output = layers + layers_output_at(hidden);
    float *second_gradients = gradients + layers_second_at(hidden);
    float *second_bias_gradients = gradients + layers_second_bias_at(hidden);
    float *output_gradients = gradients + layers_output_at(hidden);
    float gradient = block->output[s];
    float back[NNUE_SECOND];
    gradients[layers_output_bias_at(hidden)] += gradient;
    for (int k = 0; k < NNUE_SECOND; k++) {
        float sum = block->second[s][k];
        output_gradients[k] += gradient * clip_one(sum);
        back[k] = sum > 0 && sum < 1 ? gradient * output[k] : 0;
        second_bias_gradients[k] += back[k];
    }
    float inputs[LAYER_INPUTS];
    for (int i = 0; i < LAYER_INPUTS; i++) {
        float value = block->active[s][i];
        float total = 0;
        for (int k = 0; k < NNUE_SECOND; k++) {
            total += back[k] * second[i * NNUE_SECOND + k];
            second_gradients[i * NNUE_SECOND + k] += back[k] * value;
        }
        inputs[i] = total;
    }
    float *first_bias_gradients = gradients + layers_first_bias_at(hidden);
    for (int i = 0; i < NNUE_FIRST; i++) {
        float sum = block->first[s][i];
        float slope = inputs[i] + 2 * sum * inputs[NNUE_FIRST + i];
        block->first[s][i] = sum > 0 && sum < 1 ? slope : 0;
        first_bias_gradients[i] += block->first[s][i];
    }
}

/* Replaces a sample's sums by their gradients, given the gradients of its products. */
static inline void body_products_back(LayerBlock *block, int sample, const float *products) {
    Vector zero = body_splat(0);
    Vector one = body_splat(1);
    for (int view = 0; view < 2; view++) {
        float *sums = block->sums[sample][view];
        for (int i = 0; i < block->hidden / 2; i += LANES) {
            int high = i + block->hidden / 2;
            float *low_at = sums + (size_t)(i / GROUP) * GROUP_STRIDE;
            float *high_at = sums + (size_t)(high / GROUP) * GROUP_STRIDE;
            Vector a = body_load(low_at, i % GROUP / LANES);
            Vector b = body_load(high_at, high % GROUP / LANES);
            Vector gradient = body_load(products, (view * block->hidden / 2 + i) / LANES);
            *body_at(low_at, i % GROUP / LANES) =
                body_select((a > zero) & (a < one), gradient * body_clip(b), zero);
            *body_at(high_at, high % GROUP / LANES) =
                body_select((b > zero) & (b < one), gradient * body_clip(a), zero);
        }
    }
}

static inline void body_layers_back(const float *layers, float *gradients, LayerBlock *block) {
    int hidden = block->hidden;
    memset(block->first + block->count, 0,
           (size_t)(LAYER_SAMPLES - block->count) * sizeof(block->first[0]));
    for (int s = 0; s < block->count; s++) {
        body_tail_back(layers, gradients, block, s);
    }
    for (int n = 0; n < NNUE_FIRST; n++) {
        float *row = gradients + (size_t)n * (size_t)hidden;
        for (int i = 0; i < hidden / LANES; i++) {
            Vector sum = body_load(row, i);
            for (int s = 0; s < LAYER_SAMPLES; s++) {
                sum += body_load(block->products[s], i) * block->first[s][n];
            }
            *body_at(row, i) = sum;
        }
    }
    for (int s = 0; s < LAYER_SAMPLES; s += 4) {
        for (int i = 0; i < hidden / LANES; i++) {
            Vector sum[4] = {{0}};
            for (int n = 0; n < NNUE_FIRST; n++) {
                Vector weight = body_load(layers + (size_t)n * (size_t)hidden, i);
                for (int k = 0; k < 4; k++) {
                    sum[k] += weight * block->first[s + k][n];
                }
            }
            for (int k = 0; k < 4; k++) {
                *body_at(block->products[s + k], i) = sum[k];
            }
        }
    }
    for (int s = 0; s < block->count; s++) {
        body_products_back(block, s, block->products[s]);
    }
}

static inline float body_output(const float *sums, const float *weights, int groups) {
    Vector total[GROUP_VECTORS] = {0};
    for (int group = 0; group < groups; group++) {
        for (int v = 0; v < GROUP_VECTORS; v++) {
            Vector value = body_clip(body_load(sums, v));
            total[v] += value * value * body_load(weights, v);
        }
        sums += GROUP_STRIDE;
        weights += GROUP;
    }
    float result = 0;
    for (int v = 0; v < GROUP_VECTORS; v++) {
        result += body_total(total[v]);
    }
    return result;
}

static inline void body_output_back(float *sums, const float *weights, float *weight_gradients,
                                    float gradient, int groups) {
    Vector zero = body_splat(0);
    Vector one = body_splat(1);
    for (int group = 0; group < groups; group++) {
        for (int v = 0; v < GROUP_VECTORS; v++) {
            Vector sum = body_load(sums, v);
            Vector value = body_clip(sum);
            *body_at(weight_gradients, v) += value * value * gradient;
            Vector slope = value * body_load(weights, v) * (2 * gradient);
            *body_at(sums, v) = body_select((sum > zero) & (sum < one), slope, zero);
        }
        sums += GROUP_STRIDE;
        weights += GROUP;
        weight_gradients += GROUP;
    }
}

static inline void body_gather(float *to, float *from, int n) {
    for (int i = 0; i < n / LANES; i++) {
        *body_at(to, i) += body_load(from, i);
        *body_at(from, i) = body_splat(0);
    }
}

/* Returns 1 / sqrt(square), accurate to about six digits. The function starts from an estimate made
 * from the bits of the number and takes three steps of Newton's method (Lomont 2003), because not
 * every compiler has a vector square root. */
FORCE_INLINE Vector body_inverse_root(Vector square) {
    Vector result = (Vector)(0x5F375A86 - ((Mask)square >> 1));
    Vector half = square * 0.5F;
    for (int i = 0; i < 3; i++) {
        result *= 1.5F - half * result * result;
    }
    return result;
}

static inline void body_adam(float *const state[4], int n, const AdamStep *step) {
    Vector limit = body_splat(step->limit);
    for (int i = 0; i < n / LANES; i++) {
        Vector gradient = body_load(state[ADAM_GRADIENT], i);
        Vector mean = body_load(state[ADAM_MEAN], i);
        Vector square = body_load(state[ADAM_SQUARE], i);
        mean += (gradient - mean) * (1 - step->beta1);
        square += (gradient * gradient - square) * (1 - step->beta2);
        Vector change = mean * body_inverse_root(square + step->epsilon);
        Vector weight = body_load(state[ADAM_WEIGHT], i) * step->decay - change * step->rate;
        weight = body_select(weight < limit, weight, limit);
        weight = body_select(weight > -limit, weight, -limit);
        *body_at(state[ADAM_WEIGHT], i) = weight;
        *body_at(state[ADAM_MEAN], i) = mean;
        *body_at(state[ADAM_SQUARE], i) = square;
        *body_at(state[ADAM_GRADIENT], i) = body_splat(0);
    }
}

#endif
