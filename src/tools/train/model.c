#include "tools/train/model.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xmem.h"
#include "eval/arch.h"
#include "eval/netfile.h"
#include "tools/train/fkernels_type.h"

static size_t round_up(size_t count) {
    return (count + GROUP - 1) / GROUP * GROUP;
}

void model_create(Model *model, int hidden, int buckets) {
    size_t wide = (size_t)hidden;
    *model = (Model){.hidden = hidden, .buckets = buckets, .bias_at = wide * ROWS};
    model->output_at = model->bias_at + wide;
    model->output_bias_at = model->output_at + (size_t)buckets * 2 * wide;
    model->count = model->output_bias_at + round_up((size_t)buckets);
    model->params = xmem_alloc_aligned(model->count, sizeof(float), 64);
}

void model_free(Model *model) {
    xmem_free_aligned(model->params);
    *model = (Model){.hidden = 0};
}

size_t model_group_at(int group) {
    return (size_t)group * ROWS * GROUP;
}

size_t model_output_at(const Model *model, int bucket, int view) {
    return model->output_at + (size_t)(bucket * 2 + view) * (size_t)model->hidden;
}

float model_limit(void) {
    return (float)NNUE_MOST_INPUT_WEIGHT / NNUE_QA;
}

static float random_between(Rng *rng, double low, double high) {
    return (float)(low + (high - low) * rng_unit(rng));
}

/* Input weights start small, for those of rare inputs stay about what they were; what makes the
 * hidden sums differ are their biases and output weights. */
void model_randomize(Model *model, uint64_t seed) {
    Rng rng = rng_init(seed);
    for (size_t i = 0; i < model->bias_at; i++) {
        model->params[i] = random_between(&rng, -0.03, 0.03);
    }
    for (size_t i = model->bias_at; i < model->output_at; i++) {
        model->params[i] = random_between(&rng, 0.0, 0.5);
    }
    double reach = 1 / sqrt(model->hidden);
    for (size_t i = model->output_at; i < model->output_bias_at; i++) {
        model->params[i] = random_between(&rng, -reach, reach);
    }
    for (size_t i = model->output_bias_at; i < model->count; i++) {
        model->params[i] = 0;
    }
    /* The outputs start equal. */
    size_t one = (size_t)model->hidden * 2;
    for (int bucket = 1; bucket < model->buckets; bucket++) {
        memcpy(model->params + model_output_at(model, bucket, 0), model->params + model->output_at,
               one * sizeof(float));
    }
    model_clear_padding(model);
}

void model_clear_padding(Model *model) {
    for (int group = 0; group < model->hidden / GROUP; group++) {
        float *padding = model->params + model_group_at(group) + (size_t)NNUE_INPUTS * GROUP;
        memset(padding, 0, GROUP * sizeof(float));
    }
}

static void round_to(float *values, size_t count, float unit) {
    for (size_t i = 0; i < count; i++) {
        values[i] = rintf(values[i] * unit) / unit;
    }
}

void model_round(Model *model) {
    round_to(model->params, model->output_at, NNUE_QA);
    round_to(model->params + model->output_at, model->output_bias_at - model->output_at, NNUE_QB);
}

/* The place of the weight from an input to a hidden sum. */
static size_t weight_at(int input, int sum) {
    return model_group_at(sum / GROUP) + (size_t)input * GROUP + (size_t)(sum % GROUP);
}

static int16_t to_int16(float value, int unit, int limit) {
    return (int16_t)int_clamp((int)lroundf(value * (float)unit), -limit, limit);
}

NnueNet *model_to_net(const Model *model, int scale) {
    NnueNet *net = net_create(model->hidden, model->buckets, scale);
    size_t hidden = (size_t)model->hidden;
    const float *params = model->params;
    for (int sum = 0; sum < model->hidden; sum++) {
        net->input_bias[sum] =
            to_int16(params[model->bias_at + (size_t)sum], NNUE_QA, NNUE_MOST_INPUT_WEIGHT);
        for (int input = 0; input < NNUE_INPUTS; input++) {
            net->input_weights[(size_t)input * hidden + (size_t)sum] =
                to_int16(params[weight_at(input, sum)], NNUE_QA, NNUE_MOST_INPUT_WEIGHT);
        }
    }
    for (size_t i = 0; i < (size_t)model->buckets * 2 * hidden; i++) {
        net->output_weights[i] =
            to_int16(params[model->output_at + i], NNUE_QB, NNUE_MOST_OUTPUT_WEIGHT);
    }
    for (int bucket = 0; bucket < model->buckets; bucket++) {
        double bias = params[model->output_bias_at + (size_t)bucket] * (double)NNUE_OUTPUT_UNIT;
        net->output_bias[bucket] =
            (int32_t)fmax(-NNUE_MOST_OUTPUT_BIAS, fmin(NNUE_MOST_OUTPUT_BIAS, round(bias)));
    }
    net_seal(net);
    return net;
}

void model_from_net(Model *model, const NnueNet *net) {
    model_create(model, net->hidden, net->buckets);
    size_t hidden = (size_t)model->hidden;
    float *params = model->params;
    for (int sum = 0; sum < model->hidden; sum++) {
        params[model->bias_at + (size_t)sum] = (float)net->input_bias[sum] / NNUE_QA;
        for (int input = 0; input < NNUE_INPUTS; input++) {
            int16_t weight = net->input_weights[(size_t)input * hidden + (size_t)sum];
            params[weight_at(input, sum)] = (float)weight / NNUE_QA;
        }
    }
    for (size_t i = 0; i < (size_t)model->buckets * 2 * hidden; i++) {
        params[model->output_at + i] = (float)net->output_weights[i] / NNUE_QB;
    }
    for (int bucket = 0; bucket < model->buckets; bucket++) {
        params[model->output_bias_at + (size_t)bucket] =
            (float)net->output_bias[bucket] / (float)NNUE_OUTPUT_UNIT;
    }
}
