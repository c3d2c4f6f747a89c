/* fuzz_foreign.c: reads bytes as a foreign network. The bytes are tried as a file, and
 * as the parts of a small file that are worth varying: its text and its name, the number of its
 * stacks, how its sections begin, and single bytes near them. The weights between them are all
 * equal, so that a run takes a millisecond. An accepted network can be used. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "eval/foreign.h"
#include "eval/layers.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "rules/position.h"
#include "rules/sfen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first bytes of the data. */
enum {
    FORM,   /* bits of the enum below, and the version */
    STACKS, /* their number; of SFNN only */
    TEXT,   /* lengths of the text */
    NAME,   /* and of the name that follow */
    TAIL,   /* bytes to cut off, or to add from 128 on */
    WEIGHT, /* the value of all weights */
    HEAD
};
enum { IS_SFNN = 4, NO_HASHES = 8, IS_MAPPED = 16, ONE_BLOCK = 32, WIDE = 64, WITH_PROGRESS = 128 };

static void add_u32(StrBuf *out, uint32_t number) {
    for (int shift = 0; shift < 32; shift += 8) {
        strbuf_add_byte(out, (char)(number >> shift & 255));
    }
}

static void add_equal(StrBuf *out, size_t count, unsigned byte) {
    char *bytes = xmem_calloc(count + 1, 1);
    memset(bytes, (int)byte, count);
    strbuf_add_bytes(out, bytes, count);
    free(bytes);
}

static void add_block(StrBuf *out, size_t count, unsigned byte) {
    strbuf_add_str(out, "COMPRESSED_LEB128");
    add_u32(out, (uint32_t)count);
    add_equal(out, count, byte & 127);
}

static size_t layer_bytes(size_t inputs, size_t outputs) {
    return outputs * (4 + (inputs + 31) / 32 * 32);
}

/* Appends the sections after the header: kp 32x2-8-32, or kp with 64 sums and stacks of 8 or 16
 * outputs. Keeps the places where they start. */
static void add_sections(const uint8_t *head, StrBuf *out, size_t *starts) {
    enum { INPUTS = 1710 };
    size_t hash = (head[FORM] & NO_HASHES) != 0 ? 0 : 4;
    size_t first = (head[FORM] & WIDE) != 0 ? 16 : 8;
    starts[0] = out->len;
    add_equal(out, hash, 0);
    starts[1] = out->len;
    if ((head[FORM] & IS_SFNN) == 0) {
        add_equal(out, 2 * 32 * (1 + INPUTS), head[WEIGHT]);
        starts[2] = starts[3] = out->len;
        add_equal(out, hash + layer_bytes(64, first) + layer_bytes(first, 32) + layer_bytes(32, 1),
                  head[WEIGHT]);
        return;
    }
    if ((head[FORM] & ONE_BLOCK) != 0) {
        add_block(out, 64 * (1 + INPUTS), head[WEIGHT]);
        starts[2] = out->len;
    } else {
        add_block(out, 64, head[WEIGHT]);
        starts[2] = out->len;
        add_block(out, 64 * INPUTS, head[WEIGHT]);
    }
    if ((head[FORM] & WITH_PROGRESS) != 0) {
        add_equal(out, 4 + 4 + 4 * LAYERS_PROGRESS_INPUTS, head[WEIGHT]);
    }
    starts[3] = out->len;
    size_t stack =
        hash + layer_bytes(64, first) + layer_bytes(2 * first - 2, 32) + layer_bytes(32, 1);
    add_equal(out, head[STACKS] * stack, head[WEIGHT]);
}

static void read_file(StrView file, StrView name, bool is_mapped) {
    NnueNet *net = xmem_calloc(1, sizeof(*net));
    if (foreign_read(file, name, is_mapped, net) == NET_OK) {
        pos_init_tables();
        Position pos;
        pos_init(&pos);
        if (pos_set_sfen(&pos, SV(SFEN_START), NULL) != KMD_OK) {
            abort();
        }
        StrBuf text = STRBUF_INIT;
        net_describe(net, &text);
        net->fv = net_fv_scale(net, 0);
        if (net->layers->progress_file == LAYERS_NO_FILE) {
            (void)nnue_evaluate_fresh(net, &pos);
        }
        strbuf_free(&text);
        pos_free(&pos);
    }
    net_free(net);
}

/* The bytes after the head, the text and the name come in fours: which section, how far from its
 * start, and the new value of the byte there. */
static void read_parts(const uint8_t *data, size_t size) {
    static const uint32_t versions[4] = {0x7AF32F16, 0x7AF32F20, 0x7AF32F21, 0x7AF32F16};
    if (size < HEAD) {
        return;
    }
    StrView rest = {(const char *)data + HEAD, size - HEAD};
    StrView text = sv_prefix(rest, data[TEXT]);
    rest = sv_skip(rest, text.len);
    StrView name = sv_prefix(rest, data[NAME]);
    rest = sv_skip(rest, name.len);
    StrBuf file = STRBUF_INIT;
    size_t starts[4];
    add_u32(&file, versions[data[FORM] % 4]);
    add_u32(&file, 0);
    add_u32(&file, (uint32_t)text.len);
    strbuf_add(&file, text);
    if (data[FORM] % 4 == 2) {
        add_u32(&file, data[STACKS]);
    }
    add_sections(data, &file, starts);
    if (data[TAIL] >= 128) {
        strbuf_add_bytes(&file, data, (size_t)(data[TAIL] - 128) % size);
    }
    for (; rest.len >= 4; rest = sv_skip(rest, 4)) {
        const uint8_t *edit = (const uint8_t *)rest.ptr;
        size_t place = edit[0] % 8 < 4 ? starts[edit[0] % 4] : edit[0] % 8 == 4 ? 0 : file.len / 2;
        file.ptr[(place + edit[1] + (size_t)edit[2] * 256) % file.len] = (char)edit[3];
    }
    size_t cut = data[TAIL] < 128 ? data[TAIL] : 0;
    /* A copy of its own, so that reading past its end is found. */
    char *bytes = xmem_alloc(file.len - cut, 1);
    memcpy(bytes, file.ptr, file.len - cut);
    read_file((StrView){bytes, file.len - cut}, name, (data[FORM] & IS_MAPPED) != 0);
    free(bytes);
    strbuf_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_file((StrView){(const char *)data, size}, SV(""), false);
    read_parts(data, size);
    return 0;
}
