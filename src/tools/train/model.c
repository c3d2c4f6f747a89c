/* model.c: the parts of the parameter array, initial weights, expansion of a plain network, and
 * rounding to integers. */
#include "tools/train/model.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/xmem.h"
#include "eval/arch.h"
#include "eval/net.h"
#include "tools/train/fkernels.h"

static size_t round_up(size_t count) {
    return (count + GROUP - 1) / GROUP * GROUP;
}

void model_create(Model *model, const ModelShape *shape) {
    size_t wide = (size_t)shape->hidden;
    size_t buckets = (size_t)shape->buckets;
    *model = (Model){.shape = *shape, .bias_at = wide * ROWS};
    model->output_at = model->bias_at + wide;
    model->output_bias_at = model->output_at + buckets * 2 * wide;
    model->count = shape->is_layered
                       ? round_up(model->output_at + buckets * (size_t)layers_size(shape->hidden))
                       : model->output_bias_at + round_up(buckets);
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

size_t model_layers_at(const Model *model, int bucket) {
    return model->output_at + (size_t)bucket * (size_t)layers_size(model->shape.hidden);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static const float piece_limit = (float)NNUE_MOST_PIECE_WEIGHT / NNUE_QA;
static const float threat_limit = (float)NNUE_MOST_THREAT_WEIGHT / NNUE_QA;
static const float square_unit = (float)(NNUE_LAYER_UNIT * NNUE_ACTIVE / NNUE_SQUARE_UNIT);

/* The part of a bucket's layers that starts at offset `at`. */
static ModelPart layer_part(int hidden, int at) {
    const int squares = layers_second_at(hidden) + NNUE_FIRST * NNUE_SECOND;
    const float second = (float)NNUE_MOST_SECOND / NNUE_LAYER_UNIT;
    const struct {
        int begin, end;
        float unit, limit;
    } parts[] = {
        {0, layers_first_bias_at(hidden), NNUE_FIRST_UNIT,
         (float)NNUE_MOST_FIRST / NNUE_FIRST_UNIT},
        {layers_first_bias_at(hidden), layers_second_at(hidden), 0, 1000},
        {layers_second_at(hidden), squares, NNUE_LAYER_UNIT, second},
        {squares, layers_second_bias_at(hidden), square_unit, second * 0.99F},
        {layers_second_bias_at(hidden), layers_output_at(hidden), 0, 60},
        {layers_output_at(hidden), layers_output_bias_at(hidden), NNUE_LAYER_UNIT,
         (float)NNUE_MOST_LAYER_OUTPUT / NNUE_LAYER_UNIT},
        {layers_output_bias_at(hidden), layers_size(hidden), 0, 250},
    };
    size_t i = 0;
    while (i + 1 < COUNTOF(parts) && parts[i].begin != at) {
        i++;
    }
    return (ModelPart){(size_t)parts[i].begin, (size_t)parts[i].end, parts[i].unit, parts[i].limit};
}

bool model_part(const Model *model, size_t begin, ModelPart *part) {
    if (begin >= model->count) {
        return false;
    }
    *part = (ModelPart){begin, model->output_at, NNUE_QA, piece_limit};
    size_t in_group = begin % (ROWS * GROUP);
    if (begin < model->bias_at && in_group == 0) {
        part->end = begin + NNUE_PIECE_INPUTS * GROUP;
    } else if (begin < model->bias_at) {
        part->end = begin - in_group + ROWS * GROUP;
        part->limit = threat_limit;
    }
    if (begin >= model->output_at && model->shape.is_layered) {
        size_t size = (size_t)layers_size(model->shape.hidden);
        size_t bucket = (begin - model->output_at) / size;
        if (bucket >= (size_t)model->shape.buckets) {
            *part = (ModelPart){begin, model->count, 0, 0}; /* the padding */
            return true;
        }
        size_t at = model->output_at + bucket * size;
        ModelPart within = layer_part(model->shape.hidden, (int)(begin - at));
        *part = (ModelPart){begin, at + within.end, within.unit, within.limit};
    } else if (begin >= model->output_bias_at) {
        *part = (ModelPart){begin, model->count, 0, piece_limit};
    } else if (begin >= model->output_at) {
        *part = (ModelPart){begin, model->output_bias_at, NNUE_QB, piece_limit};
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

static void randomize_layers(Rng *rng, int hidden, float *layers) {
    fill_random(rng, layers, NNUE_FIRST * hidden, 1.5 / sqrt(hidden));
    for (int i = layers_first_bias_at(hidden); i < layers_second_at(hidden); i++) {
        layers[i] = random_between(rng, 0.1, 0.6);
    }
    fill_random(rng, layers + layers_second_at(hidden), LAYER_INPUTS * NNUE_SECOND,
                1 / sqrt(LAYER_INPUTS));
    for (int i = layers_second_bias_at(hidden); i < layers_output_at(hidden); i++) {
        layers[i] = random_between(rng, 0.1, 0.5);
    }
    fill_random(rng, layers + layers_output_at(hidden), NNUE_SECOND, 1 / sqrt(NNUE_SECOND));
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
    size_t one = model->shape.is_layered ? (size_t)layers_size(hidden) : (size_t)hidden * 2;
    if (model->shape.is_layered) {
        randomize_layers(&rng, hidden, params + model->output_at);
    } else {
        fill_random(&rng, params + model->output_at, hidden * 2, 1 / sqrt(hidden));
    }
    for (int bucket = 1; bucket < model->shape.buckets; bucket++) {
        memcpy(params + model->output_at + (size_t)bucket * one, params + model->output_at,
               one * sizeof(float));
    }
}

/* The offset of the weight from an input to a hidden sum. */
static size_t weight_at(int input, int sum) {
    return model_group_at(sum / GROUP) + (size_t)input * GROUP + (size_t)(sum % GROUP);
}

/* The width of the part of the output's range that a neuron of the first layer covers, in units:
 * the parts are narrow in the middle half of the range and wide outside. */
static double expand_width(int neuron) {
    return neuron >= NNUE_FIRST / 4 && neuron < NNUE_FIRST * 3 / 4 ? 0.25 : 1;
}

/* Converts a plain bucket's weights into layers. Neuron n measures how much of its part of the
 * range the output covers, and the next layers add up these amounts. */
static void expand_layers(const Model *from, int bucket, Rng *rng, float *layers) {
    int hidden = from->shape.hidden * 2;
    float bias = from->params[from->output_bias_at + (size_t)bucket];
    double start = -(expand_width(0) * NNUE_FIRST / 2 + 0.25 * NNUE_FIRST / 2) / 2;
    double lowest = start;
    randomize_layers(rng, hidden, layers);
    for (int i = layers_second_at(hidden); i < layers_second_bias_at(hidden); i++) {
        layers[i] *= 0.2F;
    }
    for (int n = 0; n < NNUE_FIRST; n++) {
        double width = expand_width(n);
        for (int i = 0; i < hidden; i++) {
            int view = i / from->shape.hidden;
            size_t at = model_output_at(from, bucket, view) + (size_t)(i % from->shape.hidden);
            layers[n * hidden + i] = (float)(from->params[at] / width);
        }
        layers[layers_first_bias_at(hidden) + n] = (float)((bias - start) / width);
        for (int k = 0; k < NNUE_FIRST; k++) {
            size_t weight = (size_t)layers_second_at(hidden) + (size_t)k * NNUE_SECOND + (size_t)n;
            layers[weight] = k == n;
            layers[weight + NNUE_FIRST * NNUE_SECOND] = 0;
        }
        layers[layers_second_bias_at(hidden) + n] = 0;
        layers[layers_output_at(hidden) + n] = (float)width;
        layers[layers_output_at(hidden) + NNUE_FIRST + n] *= 0.02F;
        start += width;
    }
    layers[layers_output_bias_at(hidden)] = (float)lowest;
}

void model_expand(const Model *from, uint64_t seed, Model *to) {
    Rng rng = rng_init(seed);
    int hidden = from->shape.hidden;
    model_create(to, &(ModelShape){hidden * 2, from->shape.buckets, true});
    memset(to->params, 0, to->count * sizeof(float));
    for (int sum = 0; sum < hidden * 2; sum++) {
        float bias = from->params[from->bias_at + (size_t)(sum % hidden)];
        to->params[to->bias_at + (size_t)sum] = bias;
        for (int input = 0; input < NNUE_INPUTS; input++) {
            /* Without noise, identical sums would stay identical during training. */
            float noise = random_between(&rng, -0.002, 0.002);
            to->params[weight_at(input, sum)] =
                from->params[weight_at(input, sum % hidden)] + noise;
        }
    }
    for (int bucket = 0; bucket < to->shape.buckets; bucket++) {
        expand_layers(from, bucket, &rng, to->params + model_layers_at(to, bucket));
    }
}

void model_rescale(Model *model, float factor) {
    for (size_t i = model->output_at; !model->shape.is_layered && i < model->count; i++) {
        model->params[i] *= factor;
    }
    for (int bucket = 0; model->shape.is_layered && bucket < model->shape.buckets; bucket++) {
        float *layers = model->params + model_layers_at(model, bucket);
        for (int i = 0; i < NNUE_SECOND; i++) {
            layers[layers_output_at(model->shape.hidden) + i] *= factor;
        }
        layers[layers_output_bias_at(model->shape.hidden)] *= factor;
    }
}

/* ---- integers -------------------------------------------------------------------------------- */

static int32_t to_int(double value, double unit, int limit) {
    return (int32_t)fmax(-limit, fmin(limit, round(value * unit)));
}

/* Convert an index in the integer network's array of first-layer or second-layer weights to an
 * offset in a bucket's layers. The integers are ordered by groups of products in the first layer
 * and by neurons in the second. */
static int first_at(int hidden, int i) {
    int group = i / (NNUE_FIRST * 4), neuron = i / 4 % NNUE_FIRST;
    return neuron * hidden + group * 4 + i % 4;
}

static int second_at(int hidden, int i) {
    int neuron = i / (2 * NNUE_SECOND), square = i / NNUE_SECOND % 2;
    return layers_second_at(hidden) + (square * NNUE_FIRST + neuron) * NNUE_SECOND +
           i % NNUE_SECOND;
}

static float second_unit(int i) {
    return i / NNUE_SECOND % 2 ? square_unit : NNUE_LAYER_UNIT;
}

static const double first_one = NNUE_PRODUCT_UNIT * NNUE_FIRST_UNIT;

static void layers_to_net(const float *layers, NnueNet *net, int bucket) {
    int hidden = net->hidden;
    int8_t *first = net->first_weights + (size_t)bucket * (size_t)hidden * NNUE_FIRST;
    for (int i = 0; i < hidden * NNUE_FIRST; i++) {
        first[i] = (int8_t)to_int(layers[first_at(hidden, i)], NNUE_FIRST_UNIT, NNUE_MOST_FIRST);
    }
    for (int i = 0; i < NNUE_FIRST; i++) {
        net->first_bias[bucket * NNUE_FIRST + i] =
            to_int(layers[layers_first_bias_at(hidden) + i], first_one, NNUE_MOST_LAYER_BIAS);
    }
    for (int i = 0; i < LAYER_INPUTS * NNUE_SECOND; i++) {
        net->second_weights[bucket * LAYER_INPUTS * NNUE_SECOND + i] =
            (int16_t)to_int(layers[second_at(hidden, i)], second_unit(i), NNUE_MOST_SECOND);
    }
    for (int i = 0; i < NNUE_SECOND; i++) {
        net->second_bias[bucket * NNUE_SECOND + i] = to_int(
            layers[layers_second_bias_at(hidden) + i], NNUE_SECOND_ONE, NNUE_MOST_LAYER_BIAS);
        net->output_weights[bucket * NNUE_SECOND + i] = (int16_t)to_int(
            layers[layers_output_at(hidden) + i], NNUE_LAYER_UNIT, NNUE_MOST_LAYER_OUTPUT);
    }
    net->output_bias[bucket] = to_int(layers[layers_output_bias_at(hidden)],
                                      (double)NNUE_LAYERED_UNIT, NNUE_MOST_OUTPUT_BIAS);
}

static void layers_from_net(float *layers, const NnueNet *net, int bucket) {
    int hidden = net->hidden;
    const int8_t *first = net->first_weights + (size_t)bucket * (size_t)hidden * NNUE_FIRST;
    for (int i = 0; i < hidden * NNUE_FIRST; i++) {
        layers[first_at(hidden, i)] = (float)first[i] / NNUE_FIRST_UNIT;
    }
    for (int i = 0; i < NNUE_FIRST; i++) {
        layers[layers_first_bias_at(hidden) + i] =
            (float)(net->first_bias[bucket * NNUE_FIRST + i] / first_one);
    }
    for (int i = 0; i < LAYER_INPUTS * NNUE_SECOND; i++) {
        layers[second_at(hidden, i)] =
            (float)net->second_weights[bucket * LAYER_INPUTS * NNUE_SECOND + i] / second_unit(i);
    }
    for (int i = 0; i < NNUE_SECOND; i++) {
        layers[layers_second_bias_at(hidden) + i] =
            (float)net->second_bias[bucket * NNUE_SECOND + i] / NNUE_SECOND_ONE;
        layers[layers_output_at(hidden) + i] =
            (float)net->output_weights[bucket * NNUE_SECOND + i] / NNUE_LAYER_UNIT;
    }
    layers[layers_output_bias_at(hidden)] =
        (float)((double)net->output_bias[bucket] / (double)NNUE_LAYERED_UNIT);
}

static void outputs_to_net(const Model *model, NnueNet *net) {
    const float *params = model->params;
    for (size_t i = 0; i < model->output_bias_at - model->output_at; i++) {
        net->output_weights[i] =
            (int16_t)to_int(params[model->output_at + i], NNUE_QB, NNUE_MOST_OUTPUT_WEIGHT);
    }
    for (int bucket = 0; bucket < model->shape.buckets; bucket++) {
        net->output_bias[bucket] = to_int(params[model->output_bias_at + (size_t)bucket],
                                          (double)NNUE_OUTPUT_UNIT, NNUE_MOST_OUTPUT_BIAS);
    }
}

NnueNet *model_to_net(const Model *model, int scale) {
    const ModelShape *shape = &model->shape;
    NnueNet *net = net_create_shape(
        &(NetShape){shape->hidden, shape->buckets, scale, shape->is_layered, true});
    size_t hidden = (size_t)shape->hidden;
    const float *params = model->params;
    for (int sum = 0; sum < shape->hidden; sum++) {
        net->input_bias[sum] =
            (int16_t)to_int(params[model->bias_at + (size_t)sum], NNUE_QA, NNUE_MOST_PIECE_WEIGHT);
        for (int input = 0; input < NNUE_INPUTS; input++) {
            int most = input < NNUE_PIECE_INPUTS ? NNUE_MOST_PIECE_WEIGHT : NNUE_MOST_THREAT_WEIGHT;
            net->input_weights[(size_t)input * hidden + (size_t)sum] =
                (int16_t)to_int(params[weight_at(input, sum)], NNUE_QA, most);
        }
    }
    if (!shape->is_layered) {
        outputs_to_net(model, net);
    }
    for (int bucket = 0; bucket < shape->buckets && shape->is_layered; bucket++) {
        layers_to_net(params + model_layers_at(model, bucket), net, bucket);
    }
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
    model_create(model, &(ModelShape){net->hidden, net->buckets, net->is_layered});
    memset(model->params, 0, model->count * sizeof(float));
    size_t hidden = (size_t)net->hidden;
    for (int sum = 0; sum < net->hidden; sum++) {
        model->params[model->bias_at + (size_t)sum] = (float)net->input_bias[sum] / NNUE_QA;
        for (int input = 0; input < net->inputs; input++) {
            int16_t weight = net->input_weights[(size_t)input * hidden + (size_t)sum];
            model->params[weight_at(input, sum)] = (float)weight / NNUE_QA;
        }
    }
    if (!net->is_layered) {
        outputs_from_net(model, net);
    }
    for (int bucket = 0; bucket < net->buckets && net->is_layered; bucket++) {
        layers_from_net(model->params + model_layers_at(model, bucket), net, bucket);
    }
}
