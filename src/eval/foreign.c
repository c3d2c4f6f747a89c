/* foreign.c: reads the sections of a file, and prepares the layers for the kernels. */
#include "eval/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"
#include "eval/foreignshape.h"
#include "eval/layers.h"
#include "eval/rows.h"

enum {
    VERSION = 0x7AF32F16,
    VERSION_LAYERED = 0x7AF32F20, /* always nine networks */
    VERSION_COUNTED = 0x7AF32F21, /* the number of networks follows the text */
    HEADER = 12,
    MAX_TEXT = 1 << 16,
    MAX_PADDING = 64,
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

static bool text_has(StrView text, const char *word) {
    return sv_find(text, sv_from(word)) < text.len;
}

static const unsigned char *take_bytes(Reader *reader, size_t len) {
    const unsigned char *at = reader->at;
    reader->at += len;
    reader->left -= len;
    return at;
}

bool foreign_is_network(const void *bytes, size_t len) {
    uint32_t version = len >= HEADER ? number_at(bytes) : 0;
    return version == VERSION || version == VERSION_LAYERED || version == VERSION_COUNTED;
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Memory for the layers of all stacks, taken piece by piece. */
typedef struct LayerMemory {
    char *at;
} LayerMemory;

static size_t round_to_line(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static int lanes_of(int outputs) {
    return (outputs + LANES - 1) / LANES * LANES;
}

static size_t affine_memory(int inputs, int outputs) {
    size_t lanes = (size_t)lanes_of(outputs);
    return round_to_line(lanes * sizeof(int32_t)) +
           round_to_line(lanes * (size_t)((inputs + 3) / 4 * 4));
}

static void *take_memory(LayerMemory *memory, size_t bytes) {
    void *at = memory->at;
    memory->at += round_to_line(bytes);
    return at;
}

/* True if an output of the first layer uses an input (common, shard and shards in layers.h). */
static bool uses_input(const Layers *layers, int output, int outputs, int input) {
    return layers->shard == 0 || input < layers->common ||
           (input - layers->common) / layers->shard == output / (outputs / layers->shards);
}

/* Reads a layer and interleaves its weights: four inputs of all outputs, then the next four. */
static KernelAffine read_affine(Reader *reader, LayerMemory *memory, int inputs, int outputs,
                                const Layers *shards) {
    int lanes = lanes_of(outputs);
    int32_t *bias = take_memory(memory, (size_t)lanes * sizeof(int32_t));
    int8_t *weights = take_memory(memory, (size_t)lanes * (size_t)((inputs + 3) / 4 * 4));
    for (int k = 0; k < outputs; k++) {
        bias[k] = (int32_t)number_at(take_bytes(reader, 4));
    }
    for (int k = 0; k < outputs; k++) {
        const unsigned char *row = take_bytes(reader, foreignshape_layer(inputs, 1) - 4);
        for (int i = 0; i < inputs; i++) {
            bool is_used = shards == NULL || uses_input(shards, k, outputs, i);
            weights[(size_t)(i / 4 * lanes + k) * 4 + (size_t)i % 4] =
                (int8_t)(is_used ? row[i] : 0);
        }
    }
    return (KernelAffine){
        .inputs = (inputs + 3) / 4 * 4, .lanes = lanes, .bias = bias, .weights = weights};
}

static void read_stacks(NnueNet *net, Reader *reader, bool has_hashes) {
    Layers *layers = net->layers;
    int inputs = layers->is_sfnn ? net->hidden : 2 * net->hidden;
    int outputs = layers->first + layers->has_skip;
    int second_inputs = layers->is_sfnn ? 2 * layers->first : layers->first;
    size_t one = affine_memory(inputs, outputs) + affine_memory(second_inputs, layers->second) +
                 round_to_line((size_t)layers->second);
    layers->memory = xmem_alloc_aligned((size_t)layers->stacks * one, 1, 64);
    layers->stack = xmem_calloc((size_t)layers->stacks, sizeof(LayersStack));
    LayerMemory memory = {layers->memory};
    for (int k = 0; k < layers->stacks; k++) {
        LayersStack *stack = &layers->stack[k];
        take_bytes(reader, has_hashes ? 4 : 0);
        stack->first = read_affine(reader, &memory, inputs, outputs, layers);
        stack->first.is_sparse = layers->is_sfnn; /* most products are 0 */
        stack->second = read_affine(reader, &memory, second_inputs, layers->second, NULL);
        stack->output_bias = (int32_t)number_at(take_bytes(reader, 4));
        int8_t *output = take_memory(&memory, (size_t)layers->second);
        memcpy(output, take_bytes(reader, foreignshape_layer(layers->second, 1) - 4),
               (size_t)layers->second);
        stack->output = output;
    }
}

/* ---- sections -------------------------------------------------------------------------------- */

/* A compressed block without its beginning. */
static bool take_packed_block(Reader *reader, Reader *block) {
    const size_t magic = sizeof(block_magic) - 1;
    if (reader->left < magic + 4 || memcmp(reader->at, block_magic, magic) != 0) {
        return false;
    }
    size_t len = number_at(reader->at + magic);
    if (len > reader->left - magic - 4) {
        return false;
    }
    take_bytes(reader, magic + 4);
    *block = (Reader){take_bytes(reader, len), len};
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
static bool unpack_values(Reader *block, int16_t *out, size_t count) {
    const int16_t *end = out + count;
    while (out < end) {
        uint64_t eight; /* most values have one byte */
        if (end - out >= 8 && block->left >= sizeof(eight)) {
            memcpy(&eight, block->at, sizeof(eight));
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                const unsigned char *at = take_bytes(block, sizeof(eight));
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
            byte = *take_bytes(block, 1);
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
    size_t bias = round_to_line((size_t)net->hidden * sizeof(int16_t));
    size_t rows = (size_t)net->hidden * sizeof(int16_t) * (size_t)net->set->inputs;
    net->block_bytes = bias + (has_rows ? rows : 0);
    net->block = xmem_try_large(net->block_bytes, XMEM_HUGE_PAGES);
    net->input_bias = net->block;
    if (has_rows && net->block != NULL) {
        net->table = (char *)net->block + bias;
    }
    return net->block != NULL;
}

static bool starts_block(const Reader *reader) {
    const size_t magic = sizeof(block_magic) - 1;
    return reader->left >= magic && memcmp(reader->at, block_magic, magic) == 0;
}

/* Finds the blocks of biases and rows of SFNN, which may be one, and what their numbers of values
 * say. */
static NetError find_blocks(NnueNet *net, Reader *reader, Reader *bias, Reader *weights) {
    if (!take_packed_block(reader, bias)) {
        return NET_BAD_BLOCK;
    }
    *weights = (Reader){NULL, 0};
    if (starts_block(reader) && !take_packed_block(reader, weights)) {
        return NET_BAD_BLOCK;
    }
    return foreignshape_sums(count_values(bias), count_values(weights), net);
}

/* Reads the section of the progress, which has units of 2^-16. */
static void read_progress_section(Layers *layers, Reader *reader) {
    enum { BITS = 16 };
    const int64_t unit = INT64_C(1) << (LAYERS_PROGRESS_BITS - BITS);
    take_bytes(reader, 4);
    layers->progress_bias = (int32_t)number_at(take_bytes(reader, 4)) * unit;
    layers->progress_weights = xmem_alloc(LAYERS_PROGRESS_INPUTS, sizeof(int64_t));
    for (size_t i = 0; i < LAYERS_PROGRESS_INPUTS; i++) {
        layers->progress_weights[i] = (int32_t)number_at(take_bytes(reader, 4)) * unit;
    }
    layers_limit_progress(layers, LAYERS_PROGRESS_VALUES, BITS);
}

NetError foreign_read_progress(StrView bytes, NnueNet *net) {
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
            i % FOREIGN_PIECES == 0 ? 0 : (int64_t)ldexp(weight, LAYERS_PROGRESS_BITS);
    }
    /* Older files have nine stacks, of which eight are used. */
    layers->progress = layers->stacks == STEPS + 1 ? STEPS : layers->stacks;
    layers->kings = &layers_kings[LAYERS_KINGS - 1];
    layers->hands = &layers_hands[LAYERS_HANDS - 1];
    layers_limit_progress(layers, layers->progress, LAYERS_PROGRESS_BITS);
    return NET_OK;
}

static NetError read_sfnn(NnueNet *net, Reader *reader, const ForeignFile *file) {
    Layers *layers = net->layers;
    Reader bias, weights;
    layers->is_sfnn = true;
    NetError error = find_blocks(net, reader, &bias, &weights);
    error = error == NET_OK ? foreignshape_stacks(file, reader->left, net) : error;
    if (error != NET_OK) {
        return error;
    }
    size_t sums = (size_t)net->hidden;
    if (!create_table(net, true)) {
        return NET_NO_MEMORY;
    }
    int16_t *rows = (int16_t *)net->block + round_to_line(sums * sizeof(int16_t)) / sizeof(int16_t);
    if (!unpack_values(&bias, net->input_bias, sums) ||
        !unpack_values(weights.at == NULL ? &bias : &weights, rows,
                       sums * (size_t)net->set->inputs)) {
        return NET_BAD_BLOCK;
    }
    if (layers->progress > 0) {
        read_progress_section(layers, reader);
    }
    foreignshape_skip(file, reader->at, net);
    read_stacks(net, reader, file->has_hashes);
    return NET_OK;
}

/* Cuts the padding that some writers put at the end, so that the size is a multiple of 64 bytes:
 * the beginning of "bulletbullet...". */
static size_t without_padding(const Reader *reader) {
    static const char letters[] = "bullet";
    for (size_t cut = MAX_PADDING; cut >= 1; cut--) {
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

/* True if the hashes of the sections are there and combine to the hash of the file: then a network
 * that has the size of one without hashes is truncated. */
static bool starts_with_hashes(const NnueNet *net, const Reader *reader, uint32_t hash) {
    size_t first_bytes = 4 + 2 * (size_t)net->hidden * ((size_t)net->set->inputs + 1);
    return reader->left >= first_bytes + 4 &&
           (number_at(reader->at) ^ number_at(reader->at + first_bytes)) == hash;
}

static NetError read_plain_net(NnueNet *net, Reader *reader, const ForeignFile *file,
                               bool is_mapped) {
    bool has_hashes = true;
    if (text_has(file->text, "-Pairwise")) {
        return NET_ACTIVATION; /* products belong to SFNN */
    }
    NetError error = NET_BAD_SHAPE;
    /* With and without hashes; then the same without padding, because a weight may look like it. */
    for (int i = 0; i < 4 && error == NET_BAD_SHAPE; i++) {
        has_hashes = i % 2 == 0;
        reader->left = i == 2 ? without_padding(reader) : reader->left;
        error = foreignshape_plain(file, reader->left + (has_hashes ? 0 : 8), net);
        bool is_cut = error == NET_OK && !has_hashes && starts_with_hashes(net, reader, file->hash);
        error = is_cut ? NET_BAD_SHAPE : error;
    }
    if (error != NET_OK) {
        return error;
    }
    if (!create_table(net, !is_mapped)) {
        return NET_NO_MEMORY;
    }
    take_bytes(reader, has_hashes ? 4 : 0);
    size_t sums = (size_t)net->hidden;
    memcpy(net->input_bias, take_bytes(reader, sums * 2), sums * 2);
    size_t bytes = sums * 2 * (size_t)net->set->inputs;
    const unsigned char *rows = take_bytes(reader, bytes);
    if (is_mapped) {
        net->table = rows;
    } else {
        memcpy((char *)net->block + round_to_line(sums * sizeof(int16_t)), rows, bytes);
    }
    read_stacks(net, reader, has_hashes);
    return NET_OK;
}

bool foreign_uses_file(const NnueNet *net) {
    size_t bias = round_to_line((size_t)net->hidden * sizeof(int16_t));
    return net->table != (const char *)net->block + bias;
}

/* Packs the rows of small sets: the kernels then load half as many bytes. */
static void pack_rows(NnueNet *net) {
    size_t count = (size_t)net->hidden * (size_t)net->set->inputs;
    if (net->set->inputs > NNUE_INPUTS || net->set->king_planes > 0) {
        return; /* the accumulator splits only single inputs into several rows */
    }
    int16_t *weights = xmem_alloc(count, sizeof(*weights));
    memcpy(weights, net->table, count * sizeof(*weights));
    net->rows = rows_create(weights, net->set->inputs, net->hidden);
    free(weights);
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* Reads the number after the first occurrence of a word in the text; 0 if there is none. */
static int text_number(StrView text, const char *word, int most) {
    size_t at = sv_find(text, sv_from(word));
    StrView rest = sv_skip(text, at + strlen(word));
    int number = 0;
    return sv_to_int(sv_take_digits(&rest), 1, most, &number) ? number : 0;
}

/* Names what this program cannot evaluate. */
static NetError check_text(StrView text) {
    int one = text_number(text, "qa=", INT32_MAX), weight_one = text_number(text, "qb=", INT32_MAX);
    bool is_usual = (one == 0 || one == 127) && (weight_one == 0 || weight_one == 64);
    return text_has(text, "Threat=") || text_has(text, "ThreatProfile=") ? NET_HAS_THREATS
           : text_has(text, "PSQT=")                                     ? NET_HAS_PSQT
           : text_has(text, "Factorizer")                                ? NET_UNFINISHED
           : text_has(text, "-SCReLU") || !is_usual                      ? NET_ACTIVATION
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

NetError foreign_read(StrView bytes, StrView name, bool is_mapped, NnueNet *net) {
    Reader reader = {(const unsigned char *)bytes.ptr, bytes.len};
    if (!foreign_is_network(bytes.ptr, bytes.len)) {
        return NET_NO_NET;
    }
    uint32_t version = number_at(take_bytes(&reader, 4));
    uint32_t hash = number_at(take_bytes(&reader, 4));
    size_t text_len = number_at(take_bytes(&reader, 4));
    if (text_len > MAX_TEXT || text_len > reader.left) {
        return NET_BAD_LENGTH;
    }
    StrView text = {(const char *)take_bytes(&reader, text_len), text_len};
    NetError error = check_text(text);
    if (error != NET_OK) {
        return error;
    }
    ForeignFile file = {.text = text, .name = name, .hash = hash, .is_dialect = version != VERSION};
    net->usual_fv = (FvScale){text_number(text, "fv_scale=", FOREIGN_MAX_SCALE), "from the file"};
    net->scale = FOREIGN_CHANCE_SCALE;
    net->layers = layers_create();
    if (version == VERSION_COUNTED) {
        uint32_t count = reader.left >= 4 ? number_at(take_bytes(&reader, 4)) : 0;
        if (count < 1 || count > MAX_COUNTED_STACKS) {
            return NET_BAD_SHAPE;
        }
        file.fixed_stacks = (int)count;
    }
    /* Some writers leave out the hashes of the sections. */
    Reader blocks = reader;
    file.has_hashes = !starts_block(&reader);
    if (file.has_hashes && blocks.left >= 4) {
        take_bytes(&blocks, 4);
    }
    error = starts_block(&blocks) ? read_sfnn(net, &blocks, &file)
                                  : read_plain_net(net, &reader, &file, is_mapped);
    if (error == NET_OK) {
        pack_rows(net);
        net->id = identify(bytes); /* touches pages all over the file */
    }
    return error;
}
