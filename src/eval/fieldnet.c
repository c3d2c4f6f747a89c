/* fieldnet.c: finds out what a file contains, checks it, and prepares the layers for the kernels.
 */
#include "eval/fieldnet.h"

#include <math.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"
#include "eval/layers.h"

enum {
    VERSION = 0x7AF32F16,
    VERSION_LAYERED = 0x7AF32F20, /* always nine networks */
    VERSION_COUNTED = 0x7AF32F21, /* the number of networks follows the text */
    HEADER = 12,
    MAX_TEXT = 1 << 16,
    MAX_PADDING = 64,
    STEP = 32, /* the number of sums per view is a multiple of this */
    PROGRESS_BYTES = 8 + 4 * SQ_NB * FIELD_PLACES,
    MAX_COUNTED_STACKS = 16,
    LANES = 16 /* outputs of a layer are padded to a multiple of this */
};

static const char block_magic[] = "COMPRESSED_LEB128";

/* The rest of a file. */
typedef struct Reader {
    const unsigned char *at;
    size_t left;
} Reader;

static uint32_t number_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static const unsigned char *take(Reader *reader, size_t len) {
    const unsigned char *at = reader->at;
    reader->at += len;
    reader->left -= len;
    return at;
}

static size_t padded(int count) {
    return (size_t)(count + 31) / 32 * 32;
}

bool fieldnet_is(const void *bytes, size_t len) {
    uint32_t version = len >= HEADER ? number_at(bytes) : 0;
    return version == VERSION || version == VERSION_LAYERED || version == VERSION_COUNTED;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Bytes of a layer. */
static size_t layer_bytes(int inputs, int outputs) {
    return (size_t)outputs * (4 + padded(inputs));
}

/* Bytes of a stack of layers without its hash. */
static size_t stack_bytes(int inputs, int first, int second_inputs, int second) {
    return layer_bytes(inputs, first) + layer_bytes(second_inputs, second) + layer_bytes(second, 1);
}

/* True if the text of the header or the name of the file contains the words, whatever the case. */
static bool says(StrView text, const char *words) {
    StrView part = sv_from(words);
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if (sv_equal_nocase(sv_prefix(sv_skip(text, i), part.len), part)) {
            return true;
        }
    }
    return false;
}

/* Reads the number after the first occurrence of a word in the text; 0 if there is none. */
static int number_after(StrView text, const char *word, int most) {
    size_t at = sv_find(text, sv_from(word));
    StrView rest = sv_skip(text, at + strlen(word));
    size_t len = 0;
    while (len < rest.len && rest.ptr[len] >= '0' && rest.ptr[len] <= '9') {
        len++;
    }
    int number = 0;
    return sv_to_int(sv_prefix(rest, len), 1, most, &number) ? number : 0;
}

/* The sizes of layers that networks of the field have. The common ones come first, because they
 * decide if several fit. */
static const int first_sizes[] = {32, 16, 8, 64, 128, 24, 48, 96};
static const int second_sizes[] = {32, 64, 96, 16, 8, 128, 48, 24};

/* Finds the plain shape of a body of this many bytes, with the hashes of both sections. */
static bool find_plain(NnueNet *net, size_t body, StrView text) {
    bool is_found = false;
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        for (int sums = STEP; sums <= NNUE_MAX_SUMS && set->title != NULL; sums += STEP) {
            size_t head = 8 + (size_t)sums * 2 * ((size_t)set->inputs + 1);
            for (size_t a = 0; a < COUNTOF(first_sizes) && head < body; a++) {
                for (size_t b = 0; b < COUNTOF(second_sizes); b++) {
                    int first = first_sizes[a], second = second_sizes[b];
                    if (head + stack_bytes(2 * sums, first, first, second) != body ||
                        (is_found && !says(text, set->title))) {
                        continue;
                    }
                    is_found = true;
                    net->set = set;
                    net->hidden = sums;
                    net->layers->first = first;
                    net->layers->second = second;
                }
            }
        }
    }
    return is_found;
}

/* Finds how one of this many stacks is selected. The text and the name of the file decide; without
 * them, kings come before hands. Other trainers keep the weights of the progress in a file. */
static bool find_selection(Layers *layers, int stacks, bool has_progress, bool is_dialect,
                           StrView text, StrView name) {
    static const int progress_counts[] = {2, 3, 4, 8, 16, 32};
    int best = -1;
    for (const LayersPart *hand = layers_hands; hand < layers_hands + LAYERS_HANDS; hand++) {
        for (const LayersPart *king = layers_kings; king < layers_kings + LAYERS_KINGS; king++) {
            for (size_t p = 0; p < (has_progress ? COUNTOF(progress_counts) : 1); p++) {
                int steps = has_progress ? progress_counts[p] : 1;
                if (hand->values * hand->values * king->values * king->values * steps != stacks) {
                    continue;
                }
                bool has_king = king->values > 1, has_hand = hand->values > 1;
                int points = 1 + !has_hand;
                points += !has_king ? 0 : says(text, king->name) || says(name, king->name) ? 8 : 1;
                points += has_hand && (says(text, hand->name) || says(name, hand->name)) ? 8 : 0;
                points += king->values == 3;
                if (points > best) {
                    best = points;
                    layers->kings = king;
                    layers->hands = hand;
                    layers->progress = has_progress ? steps : 0;
                }
            }
        }
    }
    bool is_named = says(text, "kpabs") || says(name, "kpabs");
    bool has_ranks = says(text, "kingrank") || best >= 8;
    if (!has_progress && stacks > 1 && stacks <= MAX_COUNTED_STACKS &&
        (is_named || (is_dialect && !has_ranks))) {
        bool is_needed = is_named || best < 0;
        layers->progress_file = is_needed ? LAYERS_NEED_FILE : LAYERS_MAY_HAVE_FILE;
        return true;
    }
    return best >= 0;
}

/* Reads `cC_sSxG` of a name such as SFNN_ka2_640_7_64_c128_s64x8. */
static bool find_shards(NnueNet *net, StrView text, int outputs) {
    for (size_t i = 0; i + 2 < text.len; i++) {
        StrView rest = sv_skip(text, i);
        if (rest.ptr[0] != '_' || (rest.ptr[1] != 'c' && rest.ptr[1] != 'C') || rest.ptr[2] < '0' ||
            rest.ptr[2] > '9') {
            continue;
        }
        int common = number_after(sv_skip(rest, 2), "", NNUE_MAX_SUMS);
        size_t at = sv_find_byte(sv_skip(rest, 1), '_') + 1;
        StrView shard = sv_skip(rest, at + 2);
        if (at + 2 > rest.len || (rest.ptr[at + 1] != 's' && rest.ptr[at + 1] != 'S')) {
            continue;
        }
        int size = number_after(shard, "", NNUE_MAX_SUMS);
        int count = number_after(sv_skip(shard, sv_find_byte(shard, 'x') + 1), "", outputs);
        if (size > 0 && count > 0 && outputs % count == 0 && common + size * count == net->hidden) {
            net->layers->common = common;
            net->layers->shard = size;
            net->layers->shards = count;
            return true;
        }
    }
    return false;
}

/* What is known of the stacks of layers before their sizes. */
typedef struct Shape {
    int fixed_stacks; /* 0: not known */
    bool is_dialect;  /* of other trainers */
    bool has_hashes;
    bool has_progress;
} Shape;

/* Finds the shape of `left` bytes of stacks. */
static bool find_stacks(NnueNet *net, size_t left, Shape shape, StrView text, StrView name) {
    static const int outputs[] = {16, 8, 32};
    static const int seconds[] = {32, 64, 96};
    for (size_t a = 0; a < COUNTOF(outputs); a++) {
        for (size_t b = 0; b < COUNTOF(seconds); b++) {
            /* Seven and eight neurons have the same size: 14 and 16 inputs are padded to 32. */
            size_t size = stack_bytes(net->hidden, outputs[a], 2 * outputs[a] - 2, seconds[b]) +
                          (shape.has_hashes ? 4 : 0);
            size_t stacks = left / size;
            if (left % size != 0 || stacks == 0 || stacks > 1 << 16 ||
                (shape.fixed_stacks > 0 && stacks != (size_t)shape.fixed_stacks) ||
                !find_selection(net->layers, (int)stacks, shape.has_progress, shape.is_dialect,
                                text, name)) {
                continue;
            }
            net->layers->first = outputs[a];
            net->layers->second = seconds[b];
            net->layers->stacks = (int)stacks;
            return true;
        }
    }
    return false;
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Memory for the layers of all stacks, taken piece by piece. */
typedef struct Pool {
    char *at;
} Pool;

static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static int lanes_of(int outputs) {
    return (outputs + LANES - 1) / LANES * LANES;
}

static size_t affine_memory(int inputs, int outputs) {
    size_t lanes = (size_t)lanes_of(outputs);
    return round_up(lanes * sizeof(int32_t)) + round_up(lanes * (size_t)((inputs + 3) / 4 * 4));
}

static void *pool_take(Pool *pool, size_t bytes) {
    void *at = pool->at;
    pool->at += round_up(bytes);
    return at;
}

/* True if an output of the first layer uses an input; see the page of SFNN's shards. */
static bool uses_input(const Layers *layers, int output, int outputs, int input) {
    return layers->shard == 0 || input < layers->common ||
           (input - layers->common) / layers->shard == output / (outputs / layers->shards);
}

/* Reads a layer and interleaves its weights: four inputs of all outputs, then the next four. */
static KernelAffine read_affine(Reader *reader, Pool *pool, int inputs, int outputs,
                                const Layers *shards) {
    int lanes = lanes_of(outputs);
    int32_t *bias = pool_take(pool, (size_t)lanes * sizeof(int32_t));
    int8_t *weights = pool_take(pool, (size_t)lanes * (size_t)((inputs + 3) / 4 * 4));
    for (int k = 0; k < outputs; k++) {
        bias[k] = (int32_t)number_at(take(reader, 4));
    }
    for (int k = 0; k < outputs; k++) {
        const unsigned char *row = take(reader, padded(inputs));
        for (int i = 0; i < inputs; i++) {
            bool is_used = shards == NULL || uses_input(shards, k, outputs, i);
            weights[(size_t)(i / 4 * lanes + k) * 4 + (size_t)i % 4] =
                (int8_t)(is_used ? row[i] : 0);
        }
    }
    return (KernelAffine){
        .inputs = (inputs + 3) / 4 * 4, .lanes = lanes, .bias = bias, .weights = weights};
}

/* True if the inputs of the second layer beyond 14 are unused in all stacks: the first layer has
 * seven neurons and the skip output, not eight neurons. */
static bool has_seven(const NnueNet *net, Reader reader, bool has_hashes) {
    int outputs = net->layers->second;
    size_t hash = has_hashes ? 4 : 0, size = hash + stack_bytes(net->hidden, 8, 14, outputs);
    for (int k = 0; k < net->layers->stacks; k++) {
        const unsigned char *second =
            reader.at + (size_t)k * size + hash + layer_bytes(net->hidden, 8) + 4 * (size_t)outputs;
        for (int row = 0; row < outputs; row++) {
            if (second[row * 32 + 14] != 0 || second[row * 32 + 15] != 0) {
                return false;
            }
        }
    }
    return true;
}

static void read_stacks(NnueNet *net, Reader *reader, bool has_hashes) {
    Layers *layers = net->layers;
    int inputs = layers->is_sfnn ? net->hidden : 2 * net->hidden;
    int outputs = layers->first + layers->has_skip;
    int second_inputs = layers->is_sfnn ? 2 * layers->first : layers->first;
    size_t one = affine_memory(inputs, outputs) + affine_memory(second_inputs, layers->second) +
                 round_up((size_t)layers->second);
    layers->memory = xmem_alloc_aligned((size_t)layers->stacks * one, 1, 64);
    layers->stack = xmem_calloc((size_t)layers->stacks, sizeof(LayersStack));
    Pool pool = {layers->memory};
    for (int k = 0; k < layers->stacks; k++) {
        LayersStack *stack = &layers->stack[k];
        take(reader, has_hashes ? 4 : 0);
        stack->first = read_affine(reader, &pool, inputs, outputs, layers);
        stack->first.is_sparse = layers->is_sfnn; /* most products are 0 */
        stack->second = read_affine(reader, &pool, second_inputs, layers->second, NULL);
        stack->output_bias = (int32_t)number_at(take(reader, 4));
        int8_t *output = pool_take(&pool, (size_t)layers->second);
        memcpy(output, take(reader, padded(layers->second)), (size_t)layers->second);
        stack->output = output;
    }
}

/* ---- sections -------------------------------------------------------------------------------- */

/* A compressed block without its beginning. */
static bool take_block(Reader *reader, Reader *block) {
    const size_t magic = sizeof(block_magic) - 1;
    if (reader->left < magic + 4 || memcmp(reader->at, block_magic, magic) != 0) {
        return false;
    }
    size_t len = number_at(reader->at + magic);
    if (len > reader->left - magic - 4) {
        return false;
    }
    take(reader, magic + 4);
    *block = (Reader){take(reader, len), len};
    return true;
}

/* The number of values in a block. */
static size_t count_values(const Reader *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->left; i++) {
        count += block->at[i] < 128;
    }
    return count;
}

/* Unpacks `count` values. Returns false if one of them does not fit 16 bits or the block ends. */
static bool unpack(Reader *block, int16_t *out, size_t count) {
    const int16_t *end = out + count;
    while (out < end) {
        uint64_t eight; /* most values have one byte */
        if (end - out >= 8 && block->left >= sizeof(eight)) {
            memcpy(&eight, block->at, sizeof(eight));
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                const unsigned char *at = take(block, sizeof(eight));
                for (int i = 0; i < 8; i++) {
                    *out++ = (int16_t)((at[i] ^ 64) - 64);
                }
                continue;
            }
        }
        uint32_t value = 0;
        int shift = 0;
        unsigned byte;
        do {
            if (block->left == 0 || shift > 14) {
                return false;
            }
            byte = *take(block, 1);
            value |= (byte & 127) << shift;
            shift += 7;
        } while (byte >= 128);
        int32_t number = (int32_t)value - ((byte & 64) != 0 ? INT32_C(1) << shift : 0);
        if (number < INT16_MIN || number > INT16_MAX) {
            return false;
        }
        *out++ = (int16_t)number;
    }
    return true;
}

/* Allocates the biases and, if the rows are not used in the file, their table. */
static bool create_table(NnueNet *net, bool has_rows) {
    size_t bias = round_up((size_t)net->hidden * sizeof(int16_t));
    size_t rows = (size_t)net->hidden * sizeof(int16_t) * (size_t)net->set->inputs;
    net->block_bytes = bias + (has_rows ? rows : 0);
    net->block = xmem_try_large(net->block_bytes, XMEM_HUGE_PAGES);
    net->input_bias = net->block;
    if (has_rows && net->block != NULL) {
        net->table = (char *)net->block + bias;
    }
    return net->block != NULL;
}

/* Finds the feature set for this many sums and weights. */
static bool find_set(NnueNet *net, size_t sums, size_t weights) {
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        if (set->title != NULL && sums > 0 && sums <= NNUE_MAX_SUMS && sums % (2 * STEP) == 0 &&
            weights == sums * (size_t)set->inputs) {
            net->set = set;
            net->hidden = (int)sums;
            return true;
        }
    }
    return false;
}

static bool starts_block(const Reader *reader) {
    const size_t magic = sizeof(block_magic) - 1;
    return reader->left >= magic && memcmp(reader->at, block_magic, magic) == 0;
}

/* Finds the blocks of biases and rows of SFNN, which may be one, and what their numbers of values
 * say. */
static NetError find_blocks(NnueNet *net, Reader *reader, Reader *bias, Reader *weights) {
    if (!take_block(reader, bias)) {
        return NET_BAD_BLOCK;
    }
    size_t count = count_values(bias);
    if (starts_block(reader)) {
        if (!take_block(reader, weights)) {
            return NET_BAD_BLOCK;
        }
        return find_set(net, count, count_values(weights)) ? NET_OK : NET_BAD_SHAPE;
    }
    *weights = (Reader){NULL, 0};
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        size_t sums = count / ((size_t)set->inputs + 1);
        if (count % ((size_t)set->inputs + 1) == 0 && find_set(net, sums, count - sums)) {
            return NET_OK;
        }
    }
    return NET_BAD_SHAPE;
}

/* Reads the section of the progress, which has units of 2^-16. */
static void read_progress(Layers *layers, Reader *reader) {
    enum { BITS = 16 };
    const int64_t unit = INT64_C(1) << (LAYERS_PROGRESS_BITS - BITS);
    take(reader, 4);
    layers->progress_bias = (int32_t)number_at(take(reader, 4)) * unit;
    layers->progress_weights = xmem_alloc(LAYERS_PROGRESS_INPUTS, sizeof(int64_t));
    for (size_t i = 0; i < LAYERS_PROGRESS_INPUTS; i++) {
        layers->progress_weights[i] = (int32_t)number_at(take(reader, 4)) * unit;
    }
    layers_limit_progress(layers, LAYERS_PROGRESS_VALUES, BITS);
}

NetError fieldnet_read_progress(StrView bytes, NnueNet *net) {
    enum { MAX_WEIGHT = 1000, STEPS = 8 };
    Layers *layers = net->layers;
    if (bytes.len != LAYERS_PROGRESS_INPUTS * sizeof(double)) {
        return NET_BAD_PROGRESS;
    }
    layers->progress_weights = xmem_calloc(LAYERS_PROGRESS_INPUTS, sizeof(int64_t));
    for (size_t i = 0; i < LAYERS_PROGRESS_INPUTS; i++) {
        double weight;
        memcpy(&weight, bytes.ptr + i * sizeof(weight), sizeof(weight));
        if (!(weight >= -MAX_WEIGHT && weight <= MAX_WEIGHT)) {
            return NET_BAD_PROGRESS;
        }
        /* Missing pieces, number 0, do not count. */
        layers->progress_weights[i] =
            i % FIELD_PLACES == 0 ? 0 : (int64_t)ldexp(weight, LAYERS_PROGRESS_BITS);
    }
    /* Older files have nine stacks, of which eight are used. */
    layers->progress = layers->stacks == STEPS + 1 ? STEPS : layers->stacks;
    layers->kings = &layers_kings[LAYERS_KINGS - 1];
    layers->hands = &layers_hands[LAYERS_HANDS - 1];
    layers_limit_progress(layers, layers->progress, LAYERS_PROGRESS_BITS);
    return NET_OK;
}

static NetError read_sfnn(NnueNet *net, Reader *reader, Shape shape, StrView text, StrView name) {
    Layers *layers = net->layers;
    Reader bias, weights;
    layers->is_sfnn = true;
    NetError error = find_blocks(net, reader, &bias, &weights);
    if (error != NET_OK) {
        return error;
    }
    /* The sizes of stacks and of the section of the progress do not add up to the same numbers. */
    if (!find_stacks(net, reader->left, shape, text, name)) {
        shape.has_progress = true;
        if (reader->left <= PROGRESS_BYTES ||
            !find_stacks(net, reader->left - PROGRESS_BYTES, shape, text, name)) {
            return NET_BAD_SHAPE;
        }
    }
    size_t sums = (size_t)net->hidden;
    if (!create_table(net, true)) {
        return NET_NO_MEMORY;
    }
    int16_t *rows = (int16_t *)net->block + round_up(sums * sizeof(int16_t)) / sizeof(int16_t);
    if (!unpack(&bias, net->input_bias, sums) ||
        !unpack(weights.at == NULL ? &bias : &weights, rows, sums * (size_t)net->set->inputs)) {
        return NET_BAD_BLOCK;
    }
    if (shape.has_progress) {
        read_progress(layers, reader);
    }
    int outputs = layers->first;
    bool is_named_seven = says(name, "_7_") || says(text, "_7_");
    layers->has_skip = outputs != 8 || is_named_seven || has_seven(net, *reader, shape.has_hashes);
    layers->first -= layers->has_skip;
    if (!find_shards(net, text, outputs)) {
        (void)find_shards(net, name, outputs);
    }
    read_stacks(net, reader, shape.has_hashes);
    return NET_OK;
}

/* Cuts the padding that some writers put at the end: up to 64 bytes of the letters "bullet". */
static size_t without_padding(const Reader *reader) {
    static const char letters[] = "bullet";
    for (size_t cut = MAX_PADDING; cut >= sizeof(letters) - 1; cut--) {
        bool is_padding = cut < reader->left;
        for (size_t i = 0; is_padding && i < cut; i++) {
            is_padding = reader->at[reader->left - cut + i] == (unsigned char)letters[i % 6];
        }
        if (is_padding) {
            return reader->left - cut;
        }
    }
    return reader->left;
}

static NetError read_plain(NnueNet *net, Reader *reader, StrView text, bool is_mapped) {
    bool has_hashes = true;
    if (says(text, "-Pairwise")) {
        return NET_ACTIVATION; /* products belong to SFNN */
    }
    if (!find_plain(net, reader->left, text)) {
        reader->left = without_padding(reader);
        if (!find_plain(net, reader->left, text)) {
            has_hashes = false;
            if (!find_plain(net, reader->left + 8, text)) {
                return NET_BAD_SHAPE;
            }
        }
    }
    if (!create_table(net, !is_mapped)) {
        return NET_NO_MEMORY;
    }
    take(reader, has_hashes ? 4 : 0);
    size_t sums = (size_t)net->hidden;
    memcpy(net->input_bias, take(reader, sums * 2), sums * 2);
    size_t bytes = sums * 2 * (size_t)net->set->inputs;
    const unsigned char *rows = take(reader, bytes);
    if (is_mapped) {
        net->table = rows;
    } else {
        memcpy((char *)net->block + round_up(sums * sizeof(int16_t)), rows, bytes);
    }
    read_stacks(net, reader, has_hashes);
    return NET_OK;
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* Names what this program cannot evaluate. */
static NetError check_text(StrView text) {
    int one = number_after(text, "qa=", INT32_MAX),
        weight_one = number_after(text, "qb=", INT32_MAX);
    bool is_usual = (one == 0 || one == 127) && (weight_one == 0 || weight_one == 64);
    return says(text, "Threat=") || says(text, "ThreatProfile=") ? NET_HAS_THREATS
           : says(text, "PSQT=")                                 ? NET_HAS_PSQT
           : says(text, "Factorizer")                            ? NET_UNFINISHED
           : says(text, "-SCReLU") || !is_usual                  ? NET_ACTIVATION
                                                                 : NET_OK;
}

/* An identity: of large files, from parts that are spread evenly over all of it, so that a file
 * does not have to be read as a whole before a game. */
static uint64_t identify(StrView bytes) {
    enum { PARTS = 1024, PART = 4096 };
    uint64_t id = checksum_fnv(CHECKSUM_FNV_START, &(uint64_t){bytes.len}, sizeof(uint64_t));
    if (bytes.len <= PARTS * PART) {
        return checksum_fnv(id, bytes.ptr, bytes.len);
    }
    for (size_t i = 0; i < PARTS; i++) {
        id = checksum_fnv(id, bytes.ptr + (bytes.len - PART) / (PARTS - 1) * i, PART);
    }
    return checksum_fnv(id, bytes.ptr + bytes.len - PART, PART);
}

NetError fieldnet_read(StrView bytes, StrView name, bool is_mapped, NnueNet *net) {
    Reader reader = {(const unsigned char *)bytes.ptr, bytes.len};
    if (!fieldnet_is(bytes.ptr, bytes.len)) {
        return NET_NO_NET;
    }
    uint32_t version = number_at(take(&reader, 4));
    take(&reader, 4);
    size_t text_len = number_at(take(&reader, 4));
    if (text_len > MAX_TEXT || text_len > reader.left) {
        return NET_BAD_LENGTH;
    }
    StrView text = {(const char *)take(&reader, text_len), text_len};
    NetError error = check_text(text);
    if (error != NET_OK) {
        return error;
    }
    net->usual_fv = (FvScale){number_after(text, "fv_scale=", FIELD_MAX_SCALE), "from the file"};
    net->layers = layers_create();
    Shape shape = {.is_dialect = version != VERSION};
    if (version == VERSION_COUNTED) {
        uint32_t count = reader.left >= 4 ? number_at(take(&reader, 4)) : 0;
        if (count < 1 || count > MAX_COUNTED_STACKS) {
            return NET_BAD_SHAPE;
        }
        shape.fixed_stacks = (int)count;
    }
    /* Some writers leave out the hashes of the sections. */
    Reader blocks = reader;
    shape.has_hashes = !starts_block(&reader);
    if (shape.has_hashes && blocks.left >= 4) {
        take(&blocks, 4);
    }
    error = starts_block(&blocks) ? read_sfnn(net, &blocks, shape, text, name)
                                  : read_plain(net, &reader, text, is_mapped);
    net->id = error == NET_OK ? identify(bytes) : 0; /* touches pages all over the file */
    return error;
}
