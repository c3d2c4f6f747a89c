/* fkernels_body.h: the trainer's kernels, written for vectors of BODY_LANES numbers. Only the files
 * fkernels_*.c include it. Each defines BODY_LANES for its processor; the Makefile selects the
 * instruction set for each (FLAGS_*). */
#ifndef KMD_TRAIN_FKERNELS_BODY_H
#define KMD_TRAIN_FKERNELS_BODY_H

#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "train/fkernels.h"

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

static inline void body_output_back(float *sums, const float *slopes, float *weight_gradients,
                                    float gradient, int groups) {
    Vector zero = body_splat(0);
    Vector one = body_splat(1);
    for (int group = 0; group < groups; group++) {
        for (int v = 0; v < GROUP_VECTORS; v++) {
            Vector sum = body_load(sums, v);
            Vector value = body_clip(sum);
            *body_at(weight_gradients, v) += value * value * gradient;
            Vector slope = value * body_load(slopes, v) * (2 * gradient);
            *body_at(sums, v) = body_select((sum > zero) & (sum < one), slope, zero);
        }
        sums += GROUP_STRIDE;
        slopes += GROUP;
        weight_gradients += GROUP;
    }
}

static inline void body_squares(const float *sums, float *out, int groups) {
    for (int group = 0; group < groups; group++) {
        for (int v = 0; v < GROUP_VECTORS; v++) {
            Vector value = body_clip(body_load(sums, v));
            *body_at(out, v) = value * value;
        }
        sums += GROUP_STRIDE;
        out += GROUP;
    }
}

static inline void body_layer(const FloatLayer *layer, const float *bias, float *out) {
    const float *weights = layer->weights;
    for (int k = 0; k < layer->outputs; k++) {
        Vector total[GROUP_VECTORS] = {0};
        int i = 0;
        for (; i + GROUP_VECTORS <= layer->inputs / LANES; i += GROUP_VECTORS) {
            for (int v = 0; v < GROUP_VECTORS; v++) {
                total[v] += body_load(layer->in, i + v) * body_load(weights, i + v);
            }
        }
        for (; i < layer->inputs / LANES; i++) {
            total[0] += body_load(layer->in, i) * body_load(weights, i);
        }
        out[k] = bias[k];
        for (int v = 0; v < GROUP_VECTORS; v++) {
            out[k] += body_total(total[v]);
        }
        weights += layer->inputs;
    }
}

static inline void body_layer_back(const FloatLayer *layer, const float *slopes, float gradient,
                                   float *weight_gradients, float *in_slopes) {
    const float *weights = layer->weights;
    for (int k = 0; k < layer->outputs; k++) {
        for (int i = 0; i < layer->inputs / LANES && slopes[k] != 0; i++) {
            *body_at(weight_gradients, i) += body_load(layer->in, i) * (slopes[k] * gradient);
            *body_at(in_slopes, i) += body_load(weights, i) * slopes[k];
        }
        weights += layer->inputs;
        weight_gradients += layer->inputs;
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
