/* nnbin.c: finds out from its contents which architecture a file has, and unpacks the layers. */
#include "eval/nnbin.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/xmem.h"

enum {
    VERSION_YANEURAOU = 0x7AF32F16,
    CONTAINER_BYTES = 12, /* version, hash and the length of the text */
    HASH_BYTES = 4,
    MAX_TEXT = 4096, /* bytes of the text that are looked at */
    PADDING = 32,    /* rows of the layers are padded to this many bytes */
    GROUP = 4
};

/* Part of a file that is read from its start. */
typedef struct Reader {
    const unsigned char *at;
    size_t left;
} Reader;

static uint32_t get_u32(const unsigned char *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The next bytes, or NULL if fewer are left. */
static const unsigned char *take(Reader *reader, size_t count) {
    if (reader->left < count) {
        return NULL;
    }
    const unsigned char *bytes = reader->at;
    reader->at += count;
    reader->left -= count;
    return bytes;
}

static size_t padded(int count) {
    return ((size_t)count + PADDING - 1) / PADDING * PADDING;
}

bool nnbin_is_one(const void *bytes, size_t len) {
    return len >= CONTAINER_BYTES && get_u32(bytes) == VERSION_YANEURAOU;
}

/* ---- the shape ---------------------------------------------------------------------------------
 */

typedef struct Shape {
    const FeatureSet *set;
    int width;
    int sizes[2];
} Shape;

/* Shapes in use. Other shapes are read too, but where several fit a file, these are preferred. */
static const int usual[][3] = {{256, 32, 32}, {512, 16, 32}, {512, 8, 64}, {768, 16, 64},
                               {512, 8, 96},  {1024, 8, 32}, {1024, 8, 64}};

static bool is_usual(const Shape *shape) {
    for (size_t i = 0; i < COUNTOF(usual); i++) {
        if (shape->width == usual[i][0] && shape->sizes[0] == usual[i][1] &&
            shape->sizes[1] == usual[i][2]) {
            return true;
        }
    }
    return false;
}

static bool text_has(StrView text, const char *format, int a, int b) {
    StrBuf part = STRBUF_INIT;
    strbuf_addf(&part, format, a, b);
    bool has = sv_find(text, strbuf_view(&part)) < text.len;
    strbuf_free(&part);
    return has;
}

/* How much speaks for a shape, or 0 for one that is only an accident of the length: a file's text
 * may be that of another file, so usage counts as well. */
static int likelihood(const Shape *shape, StrView text) {
    int h1 = shape->sizes[0], h2 = shape->sizes[1];
    bool has_width = text_has(text, "->%dx%d]", shape->width, 2);
    bool has_layers =
        text_has(text, "[%d<-%d]", h1, 2 * shape->width) && text_has(text, "[%d<-%d]", h2, h1);
    bool is_common = (h1 == 8 || h1 == 16 || h1 == 32) && (h2 == 32 || h2 == 64 || h2 == 96);
    return 8 * (has_width && has_layers) + 4 * is_usual(shape) + 2 * is_common +
           (is_common && has_width);
}

/* Finds the shape whose layers and rows have exactly `bytes` bytes. For given H1 and H2, N follows
 * from the length. Returns false if there is none, or if several are equally likely. */
static bool find_shape(size_t bytes, StrView text, Shape *found) {
    int most = 0, ties = 0;
    const FeatureSet *set;
    for (int i = 0; (set = featureset_at(i)) != NULL; i++) {
        size_t row = 2 * ((size_t)set->inputs + 1);
        if (bytes < NNBIN_LANES * row || bytes / 2 > NNBIN_MAX_WIDTH * row) {
            continue;
        }
        for (int h1 = 1; h1 <= NNBIN_MAX_LAYER; h1++) {
            for (int h2 = 1; h2 <= NNBIN_MAX_LAYER; h2++) {
                size_t fixed =
                    4 * (size_t)h1 + 4 * (size_t)h2 + (size_t)h2 * padded(h1) + 4 + padded(h2);
                size_t each = 2 + 2 * (size_t)set->inputs + 2 * (size_t)h1;
                size_t width = bytes > fixed ? (bytes - fixed) / each : 0;
                if (width == 0 || width > NNBIN_MAX_WIDTH || width % NNBIN_LANES != 0 ||
                    width * each + fixed != bytes) {
                    continue;
                }
                Shape shape = {set, (int)width, {h1, h2}};
                int points = likelihood(&shape, text);
                ties = points == most && points > 0 ? ties + 1 : points > most ? 0 : ties;
                if (points > most) {
                    most = points;
                    *found = shape;
                }
            }
        }
    }
    return most > 0 && ties == 0;
}

/* ---- the numbers -------------------------------------------------------------------------------
 */

static bool read_layer(Reader *reader, int inputs, int outputs, NnBinLayer *layer) {
    size_t row = padded(inputs);
    const unsigned char *bias = take(reader, 4 * (size_t)outputs);
    const unsigned char *weights = take(reader, row * (size_t)outputs);
    if (bias == NULL || weights == NULL) {
        return false;
    }
    layer->groups = (inputs + GROUP - 1) / GROUP;
    layer->outputs = (outputs + NNBIN_LANES - 1) / NNBIN_LANES * NNBIN_LANES;
    size_t count = (size_t)layer->groups * (size_t)layer->outputs * GROUP;
    layer->weights = xmem_alloc_aligned(count, 1, 64);
    layer->bias = xmem_alloc_aligned((size_t)layer->outputs, sizeof(int32_t), 64);
    memset(layer->weights, 0, count);
    memset(layer->bias, 0, (size_t)layer->outputs * sizeof(int32_t));
    for (int o = 0; o < outputs; o++) {
        layer->bias[o] = (int32_t)get_u32(bias + 4 * o);
        for (int i = 0; i < inputs; i++) {
            size_t place = ((size_t)(i / GROUP) * (size_t)layer->outputs + (size_t)o) * GROUP;
            layer->weights[place + (size_t)(i % GROUP)] =
                (int8_t)weights[(size_t)o * row + (size_t)i];
        }
    }
    return true;
}

/* The number after "fv_scale=" in the text, or 0. */
static int text_scale(StrView text) {
    static const char key[] = "fv_scale=";
    size_t at = sv_find(text, sv_from(key));
    StrView rest = sv_skip(text, at < text.len ? at + sizeof(key) - 1 : text.len);
    size_t digits = 0;
    while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9') {
        digits++;
    }
    int scale = 0;
    return sv_to_int(sv_prefix(rest, digits), 1, NNBIN_MAX_SCALE, &scale) ? scale : 0;
}

NetError nnbin_read(const void *bytes, size_t len, NnBin **out) {
    if (!nnbin_is_one(bytes, len)) {
        return NET_NO_NET;
    }
    Reader reader = {bytes, len};
    const unsigned char *start = take(&reader, CONTAINER_BYTES);
    size_t text_len = get_u32(start + 8);
    const unsigned char *letters = take(&reader, text_len);
    if (letters == NULL || reader.left < 2 * HASH_BYTES) {
        return NET_BAD_LENGTH;
    }
    StrView text = {(const char *)letters, text_len < MAX_TEXT ? text_len : MAX_TEXT};
    Shape shape = {NULL, 0, {0, 0}};
    if (!find_shape(reader.left - 2 * HASH_BYTES, text, &shape)) {
        return NET_BAD_SHAPE;
    }
    NnBin *bin = xmem_calloc(1, sizeof(*bin));
    bin->set = shape.set;
    bin->width = shape.width;
    memcpy(bin->layer_sizes, shape.sizes, sizeof(bin->layer_sizes));
    bin->fv_scale = text_scale(text);
    bin->scale_source = "from the file";
    take(&reader, HASH_BYTES);
    size_t width = (size_t)shape.width;
    const unsigned char *biases = take(&reader, 2 * width);
    bin->bias = xmem_alloc_aligned(width, sizeof(int16_t), 64);
    for (size_t i = 0; i < width; i++) {
        bin->bias[i] = (int16_t)(biases[2 * i] | biases[2 * i + 1] << 8);
    }
    bin->rows = take(&reader, 2 * width * (size_t)shape.set->inputs);
    take(&reader, HASH_BYTES);
    const unsigned char *layers = reader.at;
    size_t layer_bytes = reader.left;
    bool is_whole = read_layer(&reader, 2 * shape.width, shape.sizes[0], &bin->layers[0]) &&
                    read_layer(&reader, shape.sizes[0], shape.sizes[1], &bin->layers[1]) &&
                    read_layer(&reader, shape.sizes[1], 1, &bin->output) && reader.left == 0;
    if (!is_whole) {
        nnbin_free(bin);
        return NET_BAD_LENGTH;
    }
    uint64_t file_len = len;
    bin->id = checksum_fnv(CHECKSUM_FNV_START, &file_len, sizeof(file_len));
    bin->id = checksum_fnv(bin->id, biases, 2 * width);
    bin->id = checksum_fnv(bin->id, layers, layer_bytes);
    *out = bin;
    return NET_OK;
}

static void free_layer(NnBinLayer *layer) {
    xmem_free_aligned(layer->weights);
    xmem_free_aligned(layer->bias);
}

void nnbin_free(NnBin *bin) {
    if (bin != NULL) {
        xmem_free_aligned(bin->bias);
        free_layer(&bin->layers[0]);
        free_layer(&bin->layers[1]);
        free_layer(&bin->output);
        file_unmap(&bin->map);
        free(bin);
    }
}

void nnbin_describe(const NnBin *bin, StrBuf *out) {
    strbuf_addf(out, "%s %dx2-%d-%d", bin->set->name, bin->width, bin->layer_sizes[0],
                bin->layer_sizes[1]);
}
