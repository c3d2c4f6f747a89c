/* fieldnet.c: finds out what a file contains, checks it, and prepares the layers for the kernels.
 */
#include "eval/fieldnet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"

enum {
    VERSION = 0x7AF32F16,
    VERSION_LAYERED = 0x7AF32F20, /* always nine networks */
    VERSION_COUNTED = 0x7AF32F21, /* the number of networks follows the text */
    HEADER = 12,
    MAX_TEXT = 1 << 16,
    MAX_PADDING = 64,
    PROGRESS_BYTES = 8 + 4 * SQ_NB * FIELD_PLACES,
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
static bool find_plain(FieldNet *net, size_t body, StrView text) {
    bool is_found = false;
    const FieldSet *set;
    for (int i = 0; (set = fieldset_at(i)) != NULL; i++) {
        for (int sums = FIELD_STEP; sums <= FIELD_MAX_SUMS; sums += FIELD_STEP) {
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
                    net->sums = sums;
                    net->first = first;
                    net->second = second;
                }
            }
        }
    }
    return is_found;
}

typedef struct Part {
    const char *name;
    int kind;
    int networks;
} Part;

/* Longer names come first where one is the beginning of another. */
static const Part king_parts[] = {{"k9k9z", KINGS_9Z, 81},     {"k9k9", KINGS_9, 81},
                                  {"k13k13z", KINGS_13Z, 169}, {"k21k21", KINGS_21, 441},
                                  {"k29k29", KINGS_29, 841},   {"k3k3", KINGS_3, 9},
                                  {"", KINGS_NONE, 1}};
static const Part hand_parts[] = {{"hand1024", HANDS_1024, 1024},
                                  {"hand256", HANDS_256, 256},
                                  {"hand64z", HANDS_64Z, 64},
                                  {"hand64", HANDS_64, 64},
                                  {"hand16", HANDS_16, 16},
                                  {"hand4", HANDS_4, 4},
                                  {"", HANDS_NONE, 1}};
static const int progress_counts[] = {2, 3, 4, 8, 16, 32};

/* Finds how one of this many stacks is selected. The text and the name of the file decide; without
 * them, kings come before hands. */
static bool find_selection(FieldNet *net, int stacks, bool has_progress, StrView text,
                           StrView name) {
    int best = -1;
    for (size_t h = 0; h < COUNTOF(hand_parts); h++) {
        for (size_t k = 0; k < COUNTOF(king_parts); k++) {
            for (size_t p = 0; p < (has_progress ? COUNTOF(progress_counts) : 1); p++) {
                int steps = has_progress ? progress_counts[p] : 1;
                if (hand_parts[h].networks * king_parts[k].networks * steps != stacks) {
                    continue;
                }
                const char *king = king_parts[k].name, *hand = hand_parts[h].name;
                int points = 1 + (hand[0] == '\0');
                points += king[0] == '\0' ? 0 : says(text, king) || says(name, king) ? 8 : 1;
                points += hand[0] != '\0' && (says(text, hand) || says(name, hand)) ? 8 : 0;
                points += strcmp(king, "k3k3") == 0;
                if (points > best) {
                    best = points;
                    net->kings = (FieldKings)king_parts[k].kind;
                    net->hands = (FieldHands)hand_parts[h].kind;
                    net->progress = has_progress ? steps : 0;
                }
            }
        }
    }
    return best >= 0;
}

/* Reads `cC_sSxG` of a name such as SFNN_ka2_640_7_64_c128_s64x8. */
static bool find_shards(FieldNet *net, StrView text, int outputs) {
    for (size_t i = 0; i + 2 < text.len; i++) {
        StrView rest = sv_skip(text, i);
        if (rest.ptr[0] != '_' || (rest.ptr[1] != 'c' && rest.ptr[1] != 'C') || rest.ptr[2] < '0' ||
            rest.ptr[2] > '9') {
            continue;
        }
        int common = number_after(sv_skip(rest, 2), "", FIELD_MAX_SUMS);
        size_t at = sv_find_byte(sv_skip(rest, 1), '_') + 1;
        StrView shard = sv_skip(rest, at + 2);
        if (at + 2 > rest.len || (rest.ptr[at + 1] != 's' && rest.ptr[at + 1] != 'S')) {
            continue;
        }
        int size = number_after(shard, "", FIELD_MAX_SUMS);
        int count = number_after(sv_skip(shard, sv_find_byte(shard, 'x') + 1), "", outputs);
        if (size > 0 && count > 0 && outputs % count == 0 && common + size * count == net->sums) {
            net->common = common;
            net->shard = size;
            net->shards = count;
            return true;
        }
    }
    return false;
}

/* Finds the shape of `left` bytes of stacks. */
static bool find_stacks(FieldNet *net, size_t left, int fixed_stacks, bool has_progress,
                        StrView text, StrView name) {
    static const int outputs[] = {16, 8, 32};
    static const int seconds[] = {32, 64, 96};
    for (size_t a = 0; a < COUNTOF(outputs); a++) {
        for (size_t b = 0; b < COUNTOF(seconds); b++) {
            /* Seven and eight neurons have the same size: 14 and 16 inputs are padded to 32. */
            size_t size = 4 + stack_bytes(net->sums, outputs[a], 2 * outputs[a] - 2, seconds[b]);
            size_t stacks = left / size;
            if (left % size != 0 || stacks == 0 || stacks > 1 << 16 ||
                (fixed_stacks > 0 && stacks != (size_t)fixed_stacks) ||
                !find_selection(net, (int)stacks, has_progress, text, name)) {
                continue;
            }
            net->first = outputs[a];
            net->second = seconds[b];
            net->stacks = (int)stacks;
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
static bool uses_input(const FieldNet *net, int output, int outputs, int input) {
    return net->shard == 0 || input < net->common ||
           (input - net->common) / net->shard == output / (outputs / net->shards);
}

/* Reads a layer and interleaves its weights: four inputs of all outputs, then the next four. */
static KernelAffine read_affine(Reader *reader, Pool *pool, int inputs, int outputs,
                                const FieldNet *shards) {
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
static bool has_seven(const FieldNet *net, Reader reader) {
    size_t size = 4 + stack_bytes(net->sums, 8, 14, net->second);
    for (int k = 0; k < net->stacks; k++) {
        const unsigned char *second =
            reader.at + (size_t)k * size + 4 + layer_bytes(net->sums, 8) + 4 * (size_t)net->second;
        for (int row = 0; row < net->second; row++) {
            if (second[row * 32 + 14] != 0 || second[row * 32 + 15] != 0) {
                return false;
            }
        }
    }
    return true;
}

static void read_stacks(FieldNet *net, Reader *reader, bool has_hashes) {
    int inputs = net->is_sfnn ? net->sums : 2 * net->sums;
    int outputs = net->first + net->has_skip;
    int second_inputs = net->is_sfnn ? 2 * net->first : net->first;
    size_t one = affine_memory(inputs, outputs) + affine_memory(second_inputs, net->second) +
                 round_up((size_t)net->second);
    net->layers = xmem_alloc_aligned((size_t)net->stacks * one, 1, 64);
    net->stack = xmem_calloc((size_t)net->stacks, sizeof(FieldStack));
    Pool pool = {net->layers};
    for (int k = 0; k < net->stacks; k++) {
        FieldStack *stack = &net->stack[k];
        take(reader, has_hashes ? 4 : 0);
        stack->first = read_affine(reader, &pool, inputs, outputs, net);
        stack->second = read_affine(reader, &pool, second_inputs, net->second, NULL);
        stack->output_bias = (int32_t)number_at(take(reader, 4));
        int8_t *output = pool_take(&pool, (size_t)net->second);
        memcpy(output, take(reader, padded(net->second)), (size_t)net->second);
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
    for (size_t i = 0; i < count; i++) {
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
        out[i] = (int16_t)number;
    }
    return true;
}

static bool find_set(FieldNet *net, size_t sums, size_t weights) {
    const FieldSet *set;
    for (int i = 0; (set = fieldset_at(i)) != NULL; i++) {
        if (sums > 0 && weights == sums * (size_t)set->inputs) {
            net->set = set;
            net->sums = (int)sums;
            return true;
        }
    }
    return false;
}

/* Reads biases and rows of SFNN, in one block or two. */
static NetError read_blocks(FieldNet *net, Reader *reader) {
    Reader bias, weights;
    if (!take_block(reader, &bias)) {
        return NET_BAD_BLOCK;
    }
    size_t count = count_values(&bias);
    if (reader->left >= sizeof(block_magic) - 1 &&
        memcmp(reader->at, block_magic, sizeof(block_magic) - 1) == 0) {
        if (!take_block(reader, &weights)) {
            return NET_BAD_BLOCK;
        }
        if (count > FIELD_MAX_SUMS || !find_set(net, count, count_values(&weights))) {
            return NET_BAD_SHAPE;
        }
    } else {
        /* One block: the number of values is sums * (inputs + 1). */
        const FieldSet *set;
        for (int i = 0; (set = fieldset_at(i)) != NULL && net->set == NULL; i++) {
            size_t sums = count / ((size_t)set->inputs + 1);
            if (count % ((size_t)set->inputs + 1) == 0 && sums <= FIELD_MAX_SUMS &&
                sums % FIELD_STEP == 0) {
                find_set(net, sums, count - sums);
            }
        }
        weights = bias;
    }
    if (net->set == NULL || net->sums % (2 * FIELD_STEP) != 0) {
        return NET_BAD_SHAPE;
    }
    size_t sums = (size_t)net->sums;
    size_t values = sums * (size_t)net->set->inputs;
    net->bias = xmem_alloc_aligned(sums, sizeof(int16_t), 64);
    net->unpacked_bytes = values * sizeof(int16_t);
    net->unpacked = xmem_try_large(net->unpacked_bytes, XMEM_HUGE_PAGES);
    if (net->unpacked == NULL) {
        return NET_BAD_LENGTH;
    }
    net->rows = net->unpacked;
    bool is_one = weights.at == bias.at;
    bool is_good =
        unpack(&bias, net->bias, sums) && unpack(is_one ? &bias : &weights, net->unpacked, values);
    return is_good ? NET_OK : NET_BAD_BLOCK;
}

static NetError read_sfnn(FieldNet *net, Reader *reader, int fixed_stacks, StrView text,
                          StrView name) {
    net->is_sfnn = true;
    NetError error = read_blocks(net, reader);
    if (error != NET_OK) {
        return error;
    }
    /* The sizes of the stacks and of the section of progress do not add up to the same numbers, so
     * whichever fits is right. */
    bool has_progress = reader->left > PROGRESS_BYTES &&
                        !find_stacks(net, reader->left, fixed_stacks, false, text, name);
    if (has_progress || !find_stacks(net, reader->left, fixed_stacks, false, text, name)) {
        if (!has_progress ||
            !find_stacks(net, reader->left - PROGRESS_BYTES, fixed_stacks, true, text, name)) {
            return NET_BAD_SHAPE;
        }
        take(reader, 4);
        net->progress_bias = (int32_t)number_at(take(reader, 4));
        size_t count = (size_t)SQ_NB * FIELD_PLACES;
        net->progress_weights = xmem_alloc(count, sizeof(int32_t));
        for (size_t i = 0; i < count; i++) {
            net->progress_weights[i] = (int32_t)number_at(take(reader, 4));
        }
        for (int i = 1; i < 256; i++) {
            double share = i / 256.0;
            net->progress_steps[i] = (int32_t)round(log(share / (1 - share)) * 65536);
        }
    }
    int outputs = net->first;
    bool is_named_seven = says(name, "_7_") || says(text, "_7_");
    net->has_skip = outputs != 8 || is_named_seven || has_seven(net, *reader);
    net->first -= net->has_skip;
    if (!find_shards(net, text, outputs)) {
        (void)find_shards(net, name, outputs);
    }
    read_stacks(net, reader, true);
    return NET_OK;
}

/* Cuts the padding that some writers put at the end: up to 64 bytes of the letters "bullet". */
static size_t without_padding(const Reader *reader) {
    static const char letters[] = "bullet";
    for (size_t cut = 1; cut <= MAX_PADDING && cut < reader->left; cut++) {
        const unsigned char *from = reader->at + reader->left - cut;
        bool is_padding = true;
        for (size_t i = 0; i < cut; i++) {
            is_padding = is_padding && from[i] == (unsigned char)letters[i % 6];
        }
        if (is_padding && cut >= 6) {
            return reader->left - cut;
        }
    }
    return reader->left;
}

static NetError read_plain(FieldNet *net, Reader *reader, StrView text, FileMap *map) {
    bool has_hashes = true;
    if (!find_plain(net, reader->left, text)) {
        reader->left = without_padding(reader);
        if (!find_plain(net, reader->left, text)) {
            has_hashes = false;
            if (!find_plain(net, reader->left + 8, text)) {
                return NET_BAD_SHAPE;
            }
        }
    }
    net->stacks = 1;
    take(reader, has_hashes ? 4 : 0);
    size_t sums = (size_t)net->sums;
    net->bias = xmem_alloc_aligned(sums, sizeof(int16_t), 64);
    memcpy(net->bias, take(reader, sums * 2), sums * 2);
    size_t bytes = sums * 2 * (size_t)net->set->inputs;
    net->rows = take(reader, bytes);
    if (map == NULL) {
        net->unpacked = xmem_try_large(bytes, XMEM_HUGE_PAGES);
        if (net->unpacked == NULL) {
            return NET_BAD_LENGTH;
        }
        net->unpacked_bytes = bytes;
        memcpy(net->unpacked, net->rows, bytes);
        net->rows = net->unpacked;
    }
    read_stacks(net, reader, has_hashes);
    return NET_OK;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static void fill_numbers(FieldNet *net) {
    for (int view = BLACK; view <= WHITE; view++) {
        for (int piece = 0; piece < PIECE_NB; piece++) {
            PieceType type = piece_type((Piece)piece);
            bool is_piece = type != NO_PIECE_TYPE && type < PIECE_TYPE_NB &&
                            (type != KING || net->set->has_kings);
            for (Square sq = 0; sq < SQ_NB; sq++) {
                Square own = fieldset_turn((Color)view, sq);
                bool is_own = (int)piece_color((Piece)piece) == view;
                for (int mirror = 0; mirror < 2; mirror++) {
                    Square seen = mirror ? fieldset_mirror(own) : own;
                    net->number[view][mirror][piece][sq] =
                        is_piece ? (uint16_t)fieldset_number(net->set, type, is_own, seen)
                                 : FIELD_NONE;
                }
            }
        }
    }
}

static void name_net(FieldNet *net) {
    StrBuf *name = &net->name;
    if (!net->is_sfnn) {
        strbuf_addf(name, "%s %dx2-%d-%d", net->set->name, net->sums, net->first, net->second);
        return;
    }
    strbuf_addf(name, "SFNN %s %d-%d-%d", net->set->name, net->sums, net->first, net->second);
    if (net->shard > 0) {
        strbuf_addf(name, " c%d s%dx%d", net->common, net->shard, net->shards);
    }
    for (size_t i = 0; i < COUNTOF(hand_parts); i++) {
        if (net->hands != HANDS_NONE && hand_parts[i].kind == (int)net->hands) {
            strbuf_addf(name, " %s", hand_parts[i].name);
        }
    }
    for (size_t i = 0; i < COUNTOF(king_parts); i++) {
        if (net->kings != KINGS_NONE && king_parts[i].kind == (int)net->kings) {
            strbuf_addf(name, " %s", king_parts[i].name);
        }
    }
    if (net->progress > 0) {
        strbuf_addf(name, " progress%d", net->progress);
    }
}

/* Names what this program cannot evaluate. */
static NetError check_text(StrView text) {
    return says(text, "Threat=")                              ? NET_HAS_THREATS
           : says(text, "PSQT=")                              ? NET_HAS_PSQT
           : says(text, "Factorizer")                         ? NET_UNFINISHED
           : says(text, "-SCReLU") || says(text, "-Pairwise") ? NET_ACTIVATION
                                                              : NET_OK;
}

static NetError read_file(FieldNet *net, StrView bytes, StrView name, FileMap *map) {
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
    net->scale_in_text = number_after(text, "fv_scale=", FIELD_MAX_SCALE);
    int stacks = 0;
    if (version == VERSION_COUNTED && reader.left >= 4) {
        uint32_t count = number_at(take(&reader, 4));
        stacks = count >= 1 && count <= 16 ? (int)count : 0;
        if (stacks == 0) {
            return NET_BAD_SHAPE;
        }
    }
    const size_t magic = sizeof(block_magic) - 1;
    if (reader.left >= 4 + magic && memcmp(reader.at + 4, block_magic, magic) == 0) {
        take(&reader, 4);
        error = read_sfnn(net, &reader, stacks, text, name);
    } else {
        error = read_plain(net, &reader, text, map);
    }
    if (error == NET_OK) {
        fill_numbers(net);
        name_net(net);
    }
    return error;
}

NetError fieldnet_read(StrView bytes, StrView name, FileMap *map, FieldNet **out) {
    FieldNet *net = xmem_calloc(1, sizeof(*net));
    net->name = (StrBuf){0};
    NetError error = read_file(net, bytes, name, map);
    if (error != NET_OK) {
        fieldnet_free(net);
        return error;
    }
    if (map != NULL) {
        net->map = *map;
    }
    *out = net;
    return NET_OK;
}

void fieldnet_free(FieldNet *net) {
    if (net == NULL) {
        return;
    }
    if (net->unpacked != NULL) {
        xmem_free_large(net->unpacked, net->unpacked_bytes);
    }
    if (net->map.data != NULL) {
        file_unmap(&net->map);
    }
    xmem_free_aligned(net->bias);
    xmem_free_aligned(net->layers);
    free(net->stack);
    free(net->progress_weights);
    strbuf_free(&net->name);
    free(net);
}

/* ---- the stack of a position ----------------------------------------------------------------- */

/* The value of a king in its own view. A missing king counts as one at home. */
static int king_value(FieldKings kings, Color side, Square king) {
    Square sq = king == SQ_NONE ? (Square)44 : fieldset_turn(side, king);
    int rank = sq % 9, file = sq / 9;
    int far = rank < 6 ? rank / 3 : 2; /* the rule of the ranks away from home */
    switch (kings) {
    case KINGS_NONE:
        return 0;
    case KINGS_3:
        return rank / 3;
    case KINGS_9:
        return rank;
    case KINGS_9Z:
        return rank <= 6 ? far : 3 + 3 * (rank - 7) + file / 3;
    case KINGS_13Z:
        return rank < 7 ? rank : 7 + 3 * (rank - 7) + file / 3;
    case KINGS_21:
        return rank <= 6 ? far : 3 + 9 * (rank - 7) + file;
    case KINGS_29:
        return rank < 6 ? far : 2 + 9 * (rank - 6) + file;
    }
    return 0;
}

static int hand_value(FieldHands hands, Hand hand) {
    bool pawn = hand_has(hand, PAWN), lance = hand_has(hand, LANCE);
    bool knight = hand_has(hand, KNIGHT), silver = hand_has(hand, SILVER);
    bool gold = hand_has(hand, GOLD), bishop = hand_has(hand, BISHOP);
    bool rook = hand_has(hand, ROOK);
    switch (hands) {
    case HANDS_NONE:
        return 0;
    case HANDS_4:
        return bishop;
    case HANDS_16:
        return pawn + 2 * bishop;
    case HANDS_64:
        return (pawn || lance || knight) + 2 * (gold || silver || rook) + 4 * bishop;
    case HANDS_64Z: {
        int points = hand_count(hand, PAWN) + 2 * hand_count(hand, LANCE) +
                     2 * hand_count(hand, KNIGHT) + 3 * hand_count(hand, SILVER) +
                     3 * hand_count(hand, GOLD) + 5 * hand_count(hand, BISHOP) +
                     5 * hand_count(hand, ROOK);
        return int_min(7, (points + 3) / 4);
    }
    case HANDS_256:
        return (pawn || lance || knight) + 2 * (silver || gold) + 4 * bishop + 8 * rook;
    case HANDS_1024:
        return pawn + 2 * (lance || knight) + 4 * (silver || gold) + 8 * bishop + 16 * rook;
    }
    return 0;
}

static const int king_values[] = {1, 3, 9, 9, 13, 21, 29};
static const int hand_values[] = {1, 2, 4, 8, 8, 16, 32};

/* The sum of the weights of all pieces in one view; missing pieces have the number 0. */
static int64_t progress_sum(const FieldNet *net, const Position *pos, Color view) {
    Square king = pos->king[view] == SQ_NONE ? (Square)44 : fieldset_turn(view, pos->king[view]);
    const int32_t *weights = net->progress_weights + (size_t)king * FIELD_PLACES;
    int64_t sum = 0;
    int count = 0;
    for (Bitboard rest = pos_occupied(pos); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        if (piece_type(pos->board[sq]) != KING) {
            sum += weights[net->number[view][0][pos->board[sq]][sq]];
            count++;
        }
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            int first = fieldset_hand((PieceType)type, color == (int)view);
            for (int i = 0; i < hand_count(pos->hand[color], (PieceType)type); i++, count++) {
                sum += weights[first + i];
            }
        }
    }
    return sum + (int64_t)(FIELD_MAX_PIECES - count) * weights[0];
}

static int progress_value(const FieldNet *net, const Position *pos) {
    int64_t sum =
        net->progress_bias + progress_sum(net, pos, BLACK) + progress_sum(net, pos, WHITE);
    int value = 0;
    while (value < 255 && net->progress_steps[value + 1] <= sum) {
        value++;
    }
    return int_min(value * net->progress / 256, net->progress - 1);
}

int fieldnet_stack(const FieldNet *net, const Position *pos) {
    Color us = pos->side, them = color_flip(us);
    int index = hand_value(net->hands, pos->hand[us]) * hand_values[net->hands] +
                hand_value(net->hands, pos->hand[them]);
    int kings = king_values[net->kings];
    index = index * kings * kings + king_value(net->kings, us, pos->king[us]) * kings +
            king_value(net->kings, them, pos->king[them]);
    if (net->progress > 0) {
        index = index * net->progress + progress_value(net, pos);
    }
    return index;
}
