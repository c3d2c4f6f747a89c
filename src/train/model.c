/* model.c: the parts of the parameter array, initial weights, and rounding to integers. */
#include "train/model.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xmem.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "train/fkernels.h"

static size_t round_up(size_t count) {
    return (count + GROUP - 1) / GROUP * GROUP;
}

void model_create(Model *model, const ModelShape *shape) {
    size_t wide = (size_t)shape->hidden;
    size_t buckets = (size_t)shape->buckets;
    *model = (Model){.shape = *shape, .bias_at = wide * ROWS};
    model->output_at = model->bias_at + wide;
    model->output_bias_at = model->output_at + buckets * 2 * wide;
    model->count = model->output_bias_at + round_up(buckets);
    model->params = xmem_alloc_aligned(model->count, sizeof(float), 64);
}

void model_free(Model *model) {
    xmem_free_aligned(model->params);
    *model = (Model){.count = 0};
}

size_t model_group_at(int group) {
    return (size_t)group * ROWS * GROUP;
}

size_t model_output_at(const Model *model, int bucket, int view) {
    return model->output_at + (size_t)(bucket * 2 + view) * (size_t)model->shape.hidden;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const float piece_limit = (float)NNUE_MAX_PIECE_WEIGHT / NNUE_QA;
static const float threat_limit = (float)NNUE_MAX_THREAT_WEIGHT / NNUE_QA;

bool model_part(const Model *model, size_t begin, ModelPart *part) {
    if (begin >= model->count) {
        return false;
    }
    *part = (ModelPart){begin, model->output_at, NNUE_QA, piece_limit, false};
    size_t in_group = begin % (ROWS * GROUP);
    if (begin < model->bias_at && in_group == 0) {
        part->end = begin + NNUE_PIECE_INPUTS * GROUP;
    } else if (begin < model->bias_at) {
        part->end = begin - in_group + ROWS * GROUP;
        part->limit = threat_limit;
        part->is_threats = true;
    }
    if (begin >= model->output_bias_at) {
        *part = (ModelPart){begin, model->count, 0, piece_limit, false};
    } else if (begin >= model->output_at) {
        *part = (ModelPart){begin, model->output_bias_at, NNUE_QB, piece_limit, false};
    }
    return true;
}

void model_round(Model *model) {
    ModelPart part;
    for (size_t at = 0; model_part(model, at, &part); at = part.end) {
        for (size_t i = part.begin; i < part.end && part.unit > 0; i++) {
            model->params[i] = rintf(model->params[i] * part.unit) / part.unit;
        }
    }
}

/* ---- initial weights ------------------------------------------------------------------------- */

static float random_between(Rng *rng, double low, double high) {
    return (float)(low + (high - low) * rng_unit(rng));
}

static void fill_random(Rng *rng, float *params, int count, double reach) {
    for (int i = 0; i < count; i++) {
        params[i] = random_between(rng, -reach, reach);
    }
}

/* Fills in random weights. Input weights start small, because the weights of rare inputs hardly
 * change. At first the hidden sums differ only by their biases and output weights. All outputs
 * start with equal weights. */
void model_randomize(Model *model, uint64_t seed) {
    Rng rng = rng_init(seed);
    float *params = model->params;
    int hidden = model->shape.hidden;
    memset(params, 0, model->count * sizeof(float));
    for (size_t i = 0; i < model->bias_at; i++) {
        params[i] = random_between(&rng, -0.03, 0.03);
    }
    for (size_t i = model->bias_at; i < model->output_at; i++) {
        params[i] = random_between(&rng, 0.0, 0.5);
    }
    size_t one = (size_t)hidden * 2;
    fill_random(&rng, params + model->output_at, hidden * 2, 1 / sqrt(hidden));
    for (int bucket = 1; bucket < model->shape.buckets; bucket++) {
        memcpy(params + model->output_at + (size_t)bucket * one, params + model->output_at,
               one * sizeof(float));
    }
}

/* The offset of the weight from an input to a hidden sum. */
static size_t weight_at(int input, int sum) {
    return model_group_at(sum / GROUP) + (size_t)input * GROUP + (size_t)(sum % GROUP);
}

void model_rescale(Model *model, float factor) {
    for (size_t i = model->output_at; i < model->count; i++) {
        model->params[i] *= factor;
    }
}

/* ---- integers -------------------------------------------------------------------------------- */

static int32_t to_int(double value, double unit, int limit) {
    return (int32_t)fmax(-limit, fmin(limit, round(value * unit)));
}

static void outputs_to_net(const Model *model, NnueNet *net) {
    const float *params = model->params;
    for (size_t i = 0; i < model->output_bias_at - model->output_at; i++) {
        net->output_weights[i] =
            (int16_t)to_int(params[model->output_at + i], NNUE_QB, NNUE_MAX_OUTPUT_WEIGHT);
    }
    for (int bucket = 0; bucket < model->shape.buckets; bucket++) {
        net->output_bias[bucket] = to_int(params[model->output_bias_at + (size_t)bucket],
                                          (double)NNUE_OUTPUT_UNIT, NNUE_MAX_OUTPUT_BIAS);
    }
}

NnueNet *model_to_net(const Model *model, int scale) {
    const ModelShape *shape = &model->shape;
    NnueNet *net = net_create_shape(&(NetShape){shape->hidden, shape->buckets, scale, true});
    size_t hidden = (size_t)shape->hidden;
    const float *params = model->params;
    for (int sum = 0; sum < shape->hidden; sum++) {
        net->input_bias[sum] =
            (int16_t)to_int(params[model->bias_at + (size_t)sum], NNUE_QA, NNUE_MAX_PIECE_WEIGHT);
        for (int input = 0; input < NNUE_INPUTS; input++) {
            int most = input < NNUE_PIECE_INPUTS ? NNUE_MAX_PIECE_WEIGHT : NNUE_MAX_THREAT_WEIGHT;
            net->input_weights[(size_t)input * hidden + (size_t)sum] =
                (int16_t)to_int(params[weight_at(input, sum)], NNUE_QA, most);
        }
    }
    outputs_to_net(model, net);
    net_seal(net);
    return net;
}

static void outputs_from_net(Model *model, const NnueNet *net) {
    for (size_t i = 0; i < model->output_bias_at - model->output_at; i++) {
        model->params[model->output_at + i] = (float)net->output_weights[i] / NNUE_QB;
    }
    for (int bucket = 0; bucket < model->shape.buckets; bucket++) {
        model->params[model->output_bias_at + (size_t)bucket] =
            (float)net->output_bias[bucket] / (float)NNUE_OUTPUT_UNIT;
    }
}

void model_from_net(Model *model, const NnueNet *net) {
    model_create(model, &(ModelShape){net->hidden, net->buckets});
    memset(model->params, 0, model->count * sizeof(float));
    size_t hidden = (size_t)net->hidden;
    for (int sum = 0; sum < net->hidden; sum++) {
        model->params[model->bias_at + (size_t)sum] = (float)net->input_bias[sum] / NNUE_QA;
        for (int input = 0; input < net->set->inputs; input++) {
            int16_t weight = net->input_weights[(size_t)input * hidden + (size_t)sum];
            model->params[weight_at(input, sum)] = (float)weight / NNUE_QA;
        }
    }
    outputs_from_net(model, net);
}
