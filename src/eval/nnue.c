/* nnue.c: turns the hidden sums into a score in centipawns, through the plain output or the
 * layers. */
#include "eval/nnue.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/accumulator.h"
#include "eval/features.h"
#include "eval/kernels.h"
#include "eval/net.h"
#include "eval/threats.h"

struct NnueEvaluator {
    Accumulator acc;
};

NnueEvaluator *nnue_create(const NnueNet *net, uint32_t features) {
    NnueEvaluator *evaluator = xmem_try_calloc(1, sizeof(*evaluator));
    if (evaluator != NULL && !accumulator_init(&evaluator->acc, net, kernels_choose(features))) {
        free(evaluator);
        return NULL;
    }
    return evaluator;
}

void nnue_free(NnueEvaluator *evaluator) {
    if (evaluator != NULL) {
        accumulator_free(&evaluator->acc);
        free(evaluator);
    }
}

static int clamp_score(int64_t total, int64_t unit, int scale) {
    return (int)i64_clamp(total * scale / unit, -NNUE_SCORE_MAX, NNUE_SCORE_MAX);
}

static int run_layers(const NnueNet *net, const NnueKernels *kernels, const int16_t *const sums[2],
                      int bucket) {
    size_t at = (size_t)bucket;
    KernelLayers layers = {
        .first = net->first_weights + at * (size_t)net->hidden * NNUE_FIRST,
        .first_bias = net->first_bias + at * NNUE_FIRST,
        .second = net->second_weights + at * NNUE_FIRST * 2 * NNUE_SECOND,
        .second_bias = net->second_bias + at * NNUE_SECOND,
        .output = net->output_weights + at * NNUE_SECOND,
    };
    int64_t total = kernels->layers(sums, &layers, net->hidden);
    return clamp_score(total + net->output_bias[bucket], NNUE_LAYERED_UNIT, net->scale);
}

/* The output of one bucket, from the sums of the mover's view and of the other's, in centipawns. */
static int run_output(const NnueNet *net, const NnueKernels *kernels, const int16_t *const sums[2],
                      int bucket) {
    if (net->is_layered) {
        return run_layers(net, kernels, sums, bucket);
    }
    size_t hidden = (size_t)net->hidden;
    const int16_t *weights = net->output_weights + (size_t)bucket * 2 * hidden;
    uint32_t total = (uint32_t)net->output_bias[bucket];
    total += (uint32_t)kernels->output(sums[0], weights, net->hidden);
    total += (uint32_t)kernels->output(sums[1], weights + hidden, net->hidden);
    return clamp_score((int32_t)total, NNUE_OUTPUT_UNIT, net->scale);
}

int nnue_evaluate(NnueEvaluator *evaluator, const Position *pos) {
    Accumulator *acc = &evaluator->acc;
    accumulator_update(acc, pos);
    const int16_t *sums[2] = {accumulator_sums(acc, pos, pos->side),
                              accumulator_sums(acc, pos, color_flip(pos->side))};
    int bucket = nnue_bucket(pos, acc->net->buckets);
    int score = run_output(acc->net, acc->kernels, sums, bucket);
    ASSERT(score == nnue_evaluate_fresh(acc->net, pos));
    return score;
}

void nnue_list_inputs(const NnueNet *net, const Position *pos, NnueInputs *views) {
    for (int i = 0; i < 2; i++) {
        NnueView view = nnue_view(pos, i == 0 ? pos->side : color_flip(pos->side));
        features_list(pos, view, &views[i]);
        if (net->inputs > NNUE_PIECE_INPUTS) {
            threats_add(pos, view, &views[i]);
        }
    }
}

/* The hidden sums of a view computed from the weights of the file, as a reference for the packed
 * rows. */
static void sum_rows(const NnueNet *net, const NnueInputs *view, int16_t *sums) {
    size_t hidden = (size_t)net->hidden;
    memcpy(sums, net->input_bias, hidden * sizeof(*sums));
    for (int k = 0; k < view->count; k++) {
        const int16_t *row = net->input_weights + view->input[k] * hidden;
        for (size_t i = 0; i < hidden; i++) {
            sums[i] = (int16_t)(sums[i] + row[i]);
        }
    }
}

int nnue_evaluate_inputs(const NnueNet *net, const NnueInputs *views, int bucket) {
    const NnueKernels *kernels = kernels_choose(0);
    _Alignas(64) int16_t sums[2][NNUE_MOST_HIDDEN];
    for (int i = 0; i < 2; i++) {
        sum_rows(net, &views[i], sums[i]);
    }
    const int16_t *both[2] = {sums[0], sums[1]};
    return run_output(net, kernels, both, bucket);
}

int nnue_evaluate_fresh(const NnueNet *net, const Position *pos) {
    NnueInputs views[2];
    nnue_list_inputs(net, pos, views);
    return nnue_evaluate_inputs(net, views, nnue_bucket(pos, net->buckets));
}

const char *nnue_kernel_name(const NnueEvaluator *evaluator) {
    return evaluator->acc.kernels->name;
}
