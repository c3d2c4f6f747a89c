/* net.c: reads, checks and writes network files. Weights that pass the checks cannot overflow
 * any sum. */
#include "eval/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/system.h"
#include "base/xmem.h"
#include "eval/arch.h"
#include "eval/foreign.h"
#include "eval/layers.h"
#include "eval/rows.h"

/* Networks with small layers have a version of their own, so that older programs refuse them.
 * Version 2 had other layers and is gone. */
enum { HEADER_SIZE = 64, FILE_VERSION = 1, FILE_VERSION_SMALL = 3 };

/* The header as drawn in net.h. */
typedef struct NetHeader {
    char magic[8];
    uint32_t version;
    uint32_t inputs;
    uint32_t hidden;
    uint32_t buckets;
    uint32_t unit_hidden;
    uint32_t unit_output;
    int32_t scale;
    uint32_t zero;
    uint64_t id;
    uint32_t crc;
    uint32_t reserved[3];
} NetHeader;

_Static_assert(sizeof(NetHeader) == HEADER_SIZE, "the header's size is part of the format");

static const char net_magic[8] = "KMDNNUE";

/* An array of numbers. The arrays have the order of the file. */
typedef struct NetPart {
    void *data;
    size_t size; /* bytes per number: 1, 2 or 4 */
    size_t count;
} NetPart;

enum { PARTS = 9 };

static void net_parts(const NnueNet *net, NetPart parts[PARTS]) {
    size_t hidden = (size_t)net->hidden;
    size_t buckets = (size_t)net->buckets;
    size_t outputs = buckets * 2 * hidden;
    parts[0] = (NetPart){net->input_bias, sizeof(int16_t), hidden};
    parts[1] = (NetPart){net->input_weights, sizeof(int16_t), (size_t)net->set->inputs * hidden};
    parts[2] = (NetPart){net->output_weights, sizeof(int16_t), outputs};
    parts[3] = (NetPart){net->output_bias, sizeof(int32_t), buckets};
    const SmallLayers *small = &net->small;
    size_t has = net->has_small;
    parts[4] = (NetPart){small->first, sizeof(int8_t), has * NNUE_FIRST * 2 * hidden};
    parts[5] = (NetPart){small->first_bias, sizeof(int32_t), has * NNUE_FIRST};
    parts[6] = (NetPart){small->second, sizeof(int8_t), has * NNUE_SECOND * 2 * NNUE_FIRST};
    parts[7] = (NetPart){small->second_bias, sizeof(int32_t), has * NNUE_SECOND};
    parts[8] = (NetPart){small->output, sizeof(int32_t), has * buckets * NNUE_SECOND};
}

static size_t part_bytes(const NetPart *part) {
    return part->size * part->count;
}

static bool shape_is_known(int64_t hidden, int64_t buckets, int64_t scale) {
    return hidden >= NNUE_HIDDEN_STEP && hidden <= NNUE_MAX_HIDDEN &&
           hidden % NNUE_HIDDEN_STEP == 0 && (buckets == 1 || buckets == NNUE_MAX_BUCKETS) &&
           scale >= 1 && scale <= NNUE_MAX_SCALE;
}

/* A network of this shape whose arrays are not allocated yet. */
static NnueNet plain_net(const NetShape *shape) {
    return (NnueNet){.set = features_own(shape->has_threats),
                     .hidden = shape->hidden,
                     .buckets = shape->buckets,
                     .scale = shape->scale,
                     .has_small = shape->has_small};
}

NnueNet *net_create_shape(const NetShape *shape) {
    ASSERT(shape_is_known(shape->hidden, shape->buckets, shape->scale));
    NnueNet *net = xmem_calloc(1, sizeof(*net));
    *net = plain_net(shape);
    NetPart parts[PARTS];
    net_parts(net, parts);
    /* Each array starts at a cache line, as the kernels require. */
    size_t start[PARTS];
    size_t total = 0;
    for (int i = 0; i < PARTS; i++) {
        start[i] = total;
        total += (part_bytes(&parts[i]) + 63) / 64 * 64;
    }
    net->block_bytes = total;
    net->block = xmem_try_large(total, XMEM_HUGE_PAGES);
    if (net->block == NULL) {
        /* Running out of memory ends the program here, as it does everywhere except for tables
         * whose size the user chooses. */
        net->block = xmem_alloc_aligned(total, 1, 64);
        net->block_bytes = 0;
    }
    char *block = net->block;
    net->input_bias = (int16_t *)(void *)(block + start[0]);
    net->input_weights = (int16_t *)(void *)(block + start[1]);
    net->table = net->input_weights;
    net->output_weights = (int16_t *)(void *)(block + start[2]);
    net->output_bias = (int32_t *)(void *)(block + start[3]);
    net->small = (SmallLayers){.first = (int8_t *)block + start[4],
                               .first_bias = (int32_t *)(void *)(block + start[5]),
                               .second = (int8_t *)block + start[6],
                               .second_bias = (int32_t *)(void *)(block + start[7]),
                               .output = (int32_t *)(void *)(block + start[8])};
    return net;
}

void net_free(NnueNet *net) {
    if (net == NULL) {
        return;
    }
    layers_free(net->layers);
    if (net->map.data != NULL) {
        file_unmap(&net->map);
    }
    if (net->block_bytes != 0) {
        xmem_free_large(net->block, net->block_bytes);
    } else {
        xmem_free_aligned(net->block);
    }
    rows_free(net->rows);
    free(net);
}

static bool all_within(const int16_t *numbers, size_t count, int limit) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        most = int_max(most, abs(numbers[i]));
    }
    return most <= limit;
}

static bool biases_within(const int32_t *numbers, int count, int limit) {
    bool is_within = true;
    for (int i = 0; i < count; i++) {
        is_within = is_within && numbers[i] <= limit && numbers[i] >= -limit;
    }
    return is_within;
}

/* True if hidden sums fit 16 bits, with and without threats. */
static bool inputs_ok(const NnueNet *net) {
    size_t hidden = (size_t)net->hidden;
    size_t pieces = NNUE_PIECE_INPUTS * hidden;
    bool has_threats = net->set->inputs > NNUE_PIECE_INPUTS;
    int most = has_threats ? NNUE_MAX_PIECE_WEIGHT : NNUE_MAX_INPUT_WEIGHT;
    return all_within(net->input_bias, hidden, most) &&
           all_within(net->input_weights, pieces, most) &&
           all_within(net->input_weights + pieces, (size_t)net->set->inputs * hidden - pieces,
                      NNUE_MAX_THREAT_WEIGHT);
}

void net_finish(NnueNet *net) {
    NetPart parts[PARTS];
    net_parts(net, parts);
    net->id = CHECKSUM_FNV_START;
    for (int i = 0; i < PARTS; i++) {
        net->id = checksum_fnv(net->id, parts[i].data, part_bytes(&parts[i]));
    }
    rows_free(net->rows);
    net->rows =
        inputs_ok(net) ? rows_create(net->input_weights, net->set->inputs, net->hidden) : NULL;
}

/* Any weights are good: the sums of bytes fit 32 bits. */
static bool small_ok(const NnueNet *net) {
    const SmallLayers *small = &net->small;
    return !net->has_small ||
           (biases_within(small->first_bias, NNUE_FIRST, NNUE_MAX_LAYER_BIAS) &&
            biases_within(small->second_bias, NNUE_SECOND, NNUE_MAX_LAYER_BIAS) &&
            biases_within(small->output, net->buckets * NNUE_SECOND, NNUE_MAX_LAYER_OUTPUT));
}

static bool weights_ok(const NnueNet *net) {
    size_t hidden = (size_t)net->hidden;
    size_t outputs = (size_t)net->buckets * 2 * hidden;
    return biases_within(net->output_bias, net->buckets, NNUE_MAX_OUTPUT_BIAS) && small_ok(net) &&
           net->rows != NULL && all_within(net->output_weights, outputs, NNUE_MAX_OUTPUT_WEIGHT);
}

static uint32_t header_crc(const NetHeader *header) {
    return checksum_crc32(header, offsetof(NetHeader, crc));
}

/* True if the header's checksum is correct. Older files have none and contain 0 in its place. */
static bool header_is_whole(const NetHeader *header) {
    bool is_empty = header->zero == 0 && header->reserved[0] == 0 && header->reserved[1] == 0 &&
                    header->reserved[2] == 0;
    return is_empty && (header->crc == 0 || header->crc == header_crc(header));
}

static NetError header_check(const NetHeader *header) {
    if (memcmp(header->magic, net_magic, sizeof(net_magic)) != 0) {
        return NET_NO_NET;
    }
    if (header->version != FILE_VERSION && header->version != FILE_VERSION_SMALL) {
        return NET_BAD_VERSION;
    }
    if (!header_is_whole(header)) {
        return NET_BAD_CHECKSUM;
    }
    bool is_known = (header->inputs == NNUE_INPUTS || header->inputs == NNUE_PIECE_INPUTS) &&
                    header->unit_hidden == NNUE_QA && header->unit_output == NNUE_QB &&
                    shape_is_known(header->hidden, header->buckets, header->scale);
    return is_known ? NET_OK : NET_BAD_SHAPE;
}

static NetShape header_shape(const NetHeader *header) {
    return (NetShape){(int)header->hidden, (int)header->buckets, header->scale,
                      header->inputs == NNUE_INPUTS, header->version == FILE_VERSION_SMALL};
}

/* Checks the header and the file length before anything is allocated. */
static NetError check_start(const void *bytes, size_t len, uint64_t file_len, NetHeader *header) {
    if (len < sizeof(*header)) {
        return NET_NO_NET;
    }
    memcpy(header, bytes, sizeof(*header));
    NetError error = header_check(header);
    if (error != NET_OK) {
        return error;
    }
    NetShape shape = header_shape(header);
    NnueNet plain = plain_net(&shape);
    NetPart parts[PARTS];
    net_parts(&plain, parts);
    uint64_t total = sizeof(*header);
    for (int i = 0; i < PARTS; i++) {
        total += part_bytes(&parts[i]);
    }
    return file_len == total ? NET_OK : NET_BAD_LENGTH;
}

/* Fills a network of the header's shape with the numbers after the header. */
static NetError read_numbers(NnueNet *net, const char *bytes, uint64_t id) {
    NetPart parts[PARTS];
    net_parts(net, parts);
    for (int i = 0; i < PARTS; i++) {
        size_t len = part_bytes(&parts[i]);
        memcpy(parts[i].data, bytes, len);
        bytes += len;
    }
    net_finish(net);
    if (net->id != id) {
        return NET_BAD_CHECKSUM;
    }
    return weights_ok(net) ? NET_OK : NET_BAD_WEIGHT;
}

FvScale net_fv_scale(const NnueNet *net, int option) {
    static const FvScale nobody = {FOREIGN_DEFAULT_SCALE,
                                   "nobody gives one; set FV_SCALE to that of the network"};
    return option != 0                ? (FvScale){option, "option"}
           : net->usual_fv.scale != 0 ? net->usual_fv
                                      : nobody;
}

int net_chance_scale(const NnueNet *net) {
    /* MEASURED is for the built-in network, MEASURED_UNIT the unit of its outputs. Their ratio
     * stays the same if the outputs get another unit. */
    enum { HANDWRITTEN = 1300, FOREIGN = 380, MEASURED = 275, MEASURED_UNIT = 486 };
    return net == NULL           ? HANDWRITTEN
           : net->layers != NULL ? FOREIGN
                                 : (net->scale * MEASURED + MEASURED_UNIT / 2) / MEASURED_UNIT;
}

/* Reads the file progress.bin that belongs to the network of this path. */
static NetError read_progress_file(StrView path, NnueNet *net) {
    StrBuf beside = STRBUF_INIT;
    FileMap map;
    strbuf_add(&beside, file_folder(path));
    strbuf_add_str(&beside, "progress.bin");
    int error = path.len > 0 ? file_check_regular(beside.ptr) : -1;
    error = error == 0 ? file_map(beside.ptr, &map) : error;
    strbuf_free(&beside);
    if (error != 0) {
        return net->layers->progress_file == LAYERS_NEED_FILE ? NET_BAD_PROGRESS : NET_OK;
    }
    NetError result = foreign_read_progress((StrView){(const char *)map.data, map.len}, net);
    net->id = checksum_fnv(net->id, map.data, map.len);
    file_unmap(&map);
    return result;
}

/* Appends the file's name with that of its folder, which is the same however the path is written:
 * "nn.bin", "./nn.bin" or the whole path. */
static void append_name(StrView path, StrBuf *out) {
    StrView typed = file_folder(path);
    StrBuf folder = STRBUF_INIT;
    strbuf_add(&folder, typed.len > 1 ? sv_prefix(typed, typed.len - 1) : typed);
    strbuf_add_str(&folder, typed.len == 0 ? "." : "");
    char *whole = path.len > 0 ? system_resolve(folder.ptr) : NULL;
    whole = path.len > 0 && whole == NULL ? system_unique_name(folder.ptr) : whole;
    if (whole != NULL) {
        strbuf_add(out, file_name(sv_from(whole)));
        strbuf_add_byte(out, '/');
    }
    strbuf_add(out, file_name(path));
    free(whole);
    strbuf_free(&folder);
}

/* Reads a foreign network. If its rows are used in the mapped file, it keeps the file, and
 * *map becomes empty. */
static NetError read_foreign(StrView bytes, StrView path, FileMap *map, NnueNet **out) {
    NnueNet *net = xmem_calloc(1, sizeof(*net));
    StrBuf name = STRBUF_INIT;
    append_name(path, &name);
    NetError error = foreign_read(bytes, strbuf_view(&name), map != NULL, net);
    strbuf_free(&name);
    if (error == NET_OK && net->layers->progress_file != LAYERS_NO_FILE) {
        error = read_progress_file(path, net);
    }
    if (error != NET_OK) {
        net_free(net);
        return error;
    }
    if (map != NULL && foreign_uses_file(net)) {
        net->map = *map;
        *map = (FileMap){NULL, 0, false};
    }
    net->fv = net_fv_scale(net, 0);
    *out = net;
    return NET_OK;
}

void net_describe(const NnueNet *net, StrBuf *out) {
    if (net->layers == NULL) {
        strbuf_addf(out, "komadori %dx2 with %d outputs", net->hidden, net->buckets);
        if (net->has_small) {
            strbuf_addf(out, " and layers of %d and %d", NNUE_FIRST, NNUE_SECOND);
        }
        return;
    }
    strbuf_addf(out, "%s%s %d", net->layers->is_sfnn ? "SFNN " : "", net->set->name, net->hidden);
    layers_describe(net->layers, out);
}

void net_append_note(const NnueNet *net, StrBuf *out) {
    strbuf_add_str(out, "network: ");
    net_describe(net, out);
    strbuf_addf(out, ", FV_SCALE %d (%s)", net->fv.scale, net->fv.source);
}

NetError net_read(const void *bytes, size_t len, NnueNet **out) {
    if (foreign_is_network(bytes, len)) {
        return read_foreign((StrView){bytes, len}, SV(""), NULL, out);
    }
    NetHeader header;
    NetError error = check_start(bytes, len, len, &header);
    if (error != NET_OK) {
        return error;
    }
    NetShape shape = header_shape(&header);
    NnueNet *net = net_create_shape(&shape);
    error = read_numbers(net, (const char *)bytes + sizeof(header), header.id);
    if (error != NET_OK) {
        net_free(net);
        return error;
    }
    *out = net;
    return NET_OK;
}

/* Checks the start of the file first, because a file that is not a network may be larger than the
 * memory. */
NetError net_load(const char *path, NnueNet **out, int *system_error) {
    NetHeader header;
    FileStart start;
    FileMap map;
    int error = file_read_start(path, sizeof(header), &start);
    NetError result = NET_OK;
    bool is_foreign = error == 0 && start.is_regular && foreign_is_network(start.bytes, start.len);
    if (error == 0 && start.is_regular && !is_foreign) {
        result = check_start(start.bytes, start.len, start.file_len, &header);
    }
    if (error == 0 && result == NET_OK) {
        error = file_map(path, &map);
    }
    if (system_error != NULL) {
        *system_error = error;
    }
    if (error != 0 || result != NET_OK) {
        return error != 0 ? NET_UNREADABLE : result;
    }
    StrView bytes = {(const char *)map.data, map.len};
    result = is_foreign ? read_foreign(bytes, sv_from(path), &map, out)
                        : net_read(map.data, map.len, out);
    file_unmap(&map);
    return result;
}

void net_write(const NnueNet *net, StrBuf *out) {
    NetHeader header = {.version = net->has_small ? FILE_VERSION_SMALL : FILE_VERSION,
                        .inputs = (uint32_t)net->set->inputs,
                        .hidden = (uint32_t)net->hidden,
                        .buckets = (uint32_t)net->buckets,
                        .unit_hidden = NNUE_QA,
                        .unit_output = NNUE_QB,
                        .scale = net->scale,
                        .id = net->id};
    memcpy(header.magic, net_magic, sizeof(net_magic));
    header.crc = header_crc(&header);
    strbuf_add_bytes(out, &header, sizeof(header));
    NetPart parts[PARTS];
    net_parts(net, parts);
    for (int i = 0; i < PARTS; i++) {
        strbuf_add_bytes(out, parts[i].data, part_bytes(&parts[i]));
    }
}

const char *net_error_text(NetError error) {
    switch (error) {
    case NET_OK:
        return "no error";
    case NET_UNREADABLE:
        return "cannot be read";
    case NET_NO_NET:
        return "not a network";
    case NET_BAD_VERSION:
        return "unknown version of network";
    case NET_BAD_SHAPE:
        return "unknown shape of network; the file may be incomplete";
    case NET_AMBIGUOUS:
        return "several kinds of network fit; put the kind into the file's name, such as "
               "halfkp_256x2-32-32 or SFNN_halfka2_1024_7_64_k9k9";
    case NET_BAD_LENGTH:
        return "wrong length";
    case NET_BAD_CHECKSUM:
        return "damaged";
    case NET_BAD_WEIGHT:
        return "weight out of range";
    case NET_BAD_BLOCK:
        return "a compressed block is damaged";
    case NET_BAD_PROGRESS:
        return "its progress.bin, in the same folder, is missing or damaged";
    case NET_NO_MEMORY:
        return "not enough memory";
    case NET_HAS_THREATS:
        return "a network with threat inputs of another program, which Komadori cannot evaluate";
    case NET_HAS_PSQT:
        return "a network with piece-square outputs, which Komadori cannot evaluate";
    case NET_UNFINISHED:
        return "a file from within a training (factorised weights), not a network for play";
    case NET_ACTIVATION:
        return "a network with an activation that Komadori cannot evaluate";
    }
    return "unknown error";
}

const char *net_load_error_text(NetError error, int system_error) {
    return error == NET_UNREADABLE ? file_error_text(system_error) : net_error_text(error);
}
