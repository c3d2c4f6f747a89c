/* model.c: the parts of the parameter array, initial weights, and rounding to integers. */
#include "train/model.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xmem.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "train/fkernels.h"

static size_t round_up_to_group(size_t count) {
    return (count + GROUP - 1) / GROUP * GROUP;
}

void model_create(Model *model, int hidden) {
    size_t wide = (size_t)hidden;
    *model = (Model){.hidden = hidden, .bias_at = wide * ROWS};
    model->output_at = model->bias_at + wide;
    model->output_bias_at = model->output_at + BUCKETS * 2 * wide;
    model->first_at = model->output_bias_at + round_up_to_group(BUCKETS);
    model->first_bias_at = model->first_at + NNUE_FIRST * 2 * wide;
    model->second_at = model->first_bias_at + round_up_to_group(NNUE_FIRST);
    model->second_bias_at = model->second_at + NNUE_SECOND * 2 * NNUE_FIRST;
    model->small_output_at = model->second_bias_at + NNUE_SECOND;
    model->count = model->small_output_at + BUCKETS * NNUE_SECOND;
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
    return model->output_at + (size_t)(bucket * 2 + view) * (size_t)model->hidden;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const float piece_limit = (float)NNUE_MAX_PIECE_WEIGHT / NNUE_QA;
static const float threat_limit = (float)NNUE_MAX_THREAT_WEIGHT / NNUE_QA;

/* The part behind the inputs that starts at `begin`. */
static ModelPart head_part(const Model *model, size_t begin) {
    const ModelPart parts[] = {
        {model->output_at, model->output_bias_at, NNUE_QB, piece_limit},
        {model->output_bias_at, model->first_at, 0, piece_limit},
        {model->first_at, model->first_bias_at, NNUE_FIRST_ONE, 127.0F / NNUE_FIRST_ONE},
        {model->first_bias_at, model->second_at, 0, piece_limit},
        {model->second_at, model->second_bias_at, NNUE_SECOND_ONE, 127.0F / NNUE_SECOND_ONE},
        {model->second_bias_at, model->count, 0, piece_limit}};
    int i = 0;
    while (parts[i].end <= begin) {
        i++;
    }
    return parts[i];
}

bool model_part(const Model *model, size_t begin, ModelPart *part) {
    if (begin >= model->count) {
        return false;
    }
    if (begin >= model->output_at) {
        *part = head_part(model, begin);
        return true;
    }
    *part = (ModelPart){begin, model->output_at, NNUE_QA, piece_limit};
    size_t in_group = begin % (ROWS * GROUP);
    if (begin < model->bias_at && in_group == 0) {
        part->end = begin + NNUE_PIECE_INPUTS * GROUP;
    } else if (begin < model->bias_at) {
        part->end = begin - in_group + ROWS * GROUP;
        part->limit = threat_limit;
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

enum { SMALL_SEED = 1 };

/* Weights whose sums over inputs of 1 have a variance of 1. */
static void fill_layer(Rng *rng, float *params, int inputs, int outputs) {
    fill_random(rng, params, inputs * outputs, sqrt(3.0 / inputs));
}

static void randomize_small(Model *model) {
    Rng rng = rng_init(SMALL_SEED);
    fill_layer(&rng, model->params + model->first_at, 2 * model->hidden, NNUE_FIRST);
    fill_layer(&rng, model->params + model->second_at, 2 * NNUE_FIRST, NNUE_SECOND);
}

/* Fills in random weights. Input weights start small, because the weights of rare inputs hardly
 * change. At first the hidden sums differ only by their biases and output weights. All outputs
 * start with equal weights. */
void model_randomize(Model *model, uint64_t seed) {
    Rng rng = rng_init(seed);
    float *params = model->params;
    int hidden = model->hidden;
    for (size_t i = 0; i < model->bias_at; i++) {
        params[i] = random_between(&rng, -0.03, 0.03);
    }
    for (size_t i = model->bias_at; i < model->output_at; i++) {
        params[i] = random_between(&rng, 0.0, 0.5);
    }
    size_t one = (size_t)hidden * 2;
    fill_random(&rng, params + model->output_at, hidden * 2, 1 / sqrt(hidden));
    for (int bucket = 1; bucket < BUCKETS; bucket++) {
        memcpy(params + model->output_at + (size_t)bucket * one, params + model->output_at,
               one * sizeof(float));
    }
    randomize_small(model);
}

/* The offset of the weight from an input to a hidden sum. */
static size_t weight_at(int input, int sum) {
    return model_group_at(sum / GROUP) + (size_t)input * GROUP + (size_t)(sum % GROUP);
}

void model_rescale(Model *model, float factor) {
    for (size_t i = model->output_at; i < model->count; i++) {
        bool is_output = i < model->first_at || i >= model->small_output_at;
        model->params[i] *= is_output ? factor : 1;
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
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        net->output_bias[bucket] = to_int(params[model->output_bias_at + (size_t)bucket],
                                          (double)NNUE_OUTPUT_UNIT, NNUE_MAX_OUTPUT_BIAS);
    }
}

/* The units of the sums of the small layers. The squares that enter the first layer reach 127.5
 * before they are rounded and clipped to 127. */
#define FIRST_SUM_ONE    (NNUE_FIRST_ONE * (NNUE_BYTE + 0.5))
#define SECOND_SUM_ONE   (NNUE_SECOND_ONE * (double)NNUE_BYTE)
#define SMALL_OUTPUT_ONE ((double)NNUE_OUTPUT_UNIT / NNUE_BYTE)

/* Added to the biases, so that the shifts of the sums round to the nearest byte. */
enum { FIRST_HALF = 1 << (NNUE_FIRST_SHIFT - 1), SECOND_HALF = 1 << (NNUE_SECOND_SHIFT - 1) };
enum { MAX_BIAS = NNUE_MAX_LAYER_BIAS - FIRST_HALF };

static void layer_to_net(const float *params, int inputs, int outputs, int one, int8_t *out) {
    for (int k = 0; k < outputs; k++) {
        for (int i = 0; i < inputs; i++) {
            out[small_weight(outputs, i, k)] = (int8_t)to_int(*params++, one, NNUE_BYTE);
        }
    }
}

static void small_to_net(const Model *model, NnueNet *net) {
    const float *params = model->params;
    const SmallLayers *small = &net->small;
    layer_to_net(params + model->first_at, 2 * net->hidden, NNUE_FIRST, NNUE_FIRST_ONE,
                 small->first);
    layer_to_net(params + model->second_at, 2 * NNUE_FIRST, NNUE_SECOND, NNUE_SECOND_ONE,
                 small->second);
    for (size_t i = 0; i < NNUE_FIRST; i++) {
        small->first_bias[i] =
            to_int(params[model->first_bias_at + i], FIRST_SUM_ONE, MAX_BIAS) + FIRST_HALF;
    }
    for (size_t i = 0; i < NNUE_SECOND; i++) {
        small->second_bias[i] =
            to_int(params[model->second_bias_at + i], SECOND_SUM_ONE, MAX_BIAS) + SECOND_HALF;
    }
    for (size_t i = 0; i < BUCKETS * NNUE_SECOND; i++) {
        small->output[i] =
            to_int(params[model->small_output_at + i], SMALL_OUTPUT_ONE, NNUE_MAX_LAYER_OUTPUT);
    }
}

NnueNet *model_to_net(const Model *model, int scale) {
    NnueNet *net = net_create_shape(&(NetShape){model->hidden, BUCKETS, scale, true, true});
    size_t hidden = (size_t)model->hidden;
    const float *params = model->params;
    for (int sum = 0; sum < model->hidden; sum++) {
        net->input_bias[sum] =
            (int16_t)to_int(params[model->bias_at + (size_t)sum], NNUE_QA, NNUE_MAX_PIECE_WEIGHT);
        for (int input = 0; input < NNUE_INPUTS; input++) {
            int most = input < NNUE_PIECE_INPUTS ? NNUE_MAX_PIECE_WEIGHT : NNUE_MAX_THREAT_WEIGHT;
            net->input_weights[(size_t)input * hidden + (size_t)sum] =
                (int16_t)to_int(params[weight_at(input, sum)], NNUE_QA, most);
        }
    }
    outputs_to_net(model, net);
    small_to_net(model, net);
    net_finish(net);
    return net;
}

static void outputs_from_net(Model *model, const NnueNet *net) {
    size_t outputs = (size_t)net->buckets;
    size_t weights = outputs * 2 * (size_t)net->hidden;
    for (size_t i = 0; i < model->output_bias_at - model->output_at; i++) {
        model->params[model->output_at + i] = (float)net->output_weights[i % weights] / NNUE_QB;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        model->params[model->output_bias_at + i] =
            (float)net->output_bias[i % outputs] / (float)NNUE_OUTPUT_UNIT;
    }
}

static void layer_from_net(float *params, int inputs, int outputs, int one, const int8_t *in) {
    for (int k = 0; k < outputs; k++) {
        for (int i = 0; i < inputs; i++) {
            *params++ = (float)in[small_weight(outputs, i, k)] / (float)one;
        }
    }
}

static void small_from_net(Model *model, const NnueNet *net) {
    float *params = model->params;
    const SmallLayers *small = &net->small;
    layer_from_net(params + model->first_at, 2 * net->hidden, NNUE_FIRST, NNUE_FIRST_ONE,
                   small->first);
    layer_from_net(params + model->second_at, 2 * NNUE_FIRST, NNUE_SECOND, NNUE_SECOND_ONE,
                   small->second);
    for (size_t i = 0; i < NNUE_FIRST; i++) {
        params[model->first_bias_at + i] =
            (float)((small->first_bias[i] - FIRST_HALF) / FIRST_SUM_ONE);
    }
    for (size_t i = 0; i < NNUE_SECOND; i++) {
        params[model->second_bias_at + i] =
            (float)((small->second_bias[i] - SECOND_HALF) / SECOND_SUM_ONE);
    }
    size_t weights = (size_t)net->buckets * NNUE_SECOND;
    for (size_t i = 0; i < BUCKETS * NNUE_SECOND; i++) {
        params[model->small_output_at + i] = (float)(small->output[i % weights] / SMALL_OUTPUT_ONE);
    }
}

void model_from_net(Model *model, const NnueNet *net) {
    model_create(model, net->hidden);
    size_t hidden = (size_t)net->hidden;
    for (int sum = 0; sum < net->hidden; sum++) {
        model->params[model->bias_at + (size_t)sum] = (float)net->input_bias[sum] / NNUE_QA;
        for (int input = 0; input < net->set->inputs; input++) {
            int16_t weight = net->input_weights[(size_t)input * hidden + (size_t)sum];
            model->params[weight_at(input, sum)] = (float)weight / NNUE_QA;
        }
    }
    outputs_from_net(model, net);
    if (net->has_small) {
        small_from_net(model, net);
    } else {
        randomize_small(model);
    }
}
