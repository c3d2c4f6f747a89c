/* fuzz_net.c: reads any bytes as a network. An accepted network can be used and is written back the
 * same. The bytes are tried both as a file and as weights after a valid header and checksum, which
 * random bytes never have. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "rules/position.h"
#include "rules/rules.h"
#include "rules/sfen.h"

enum { HIDDEN = 32, HEADER_CRC_AT = 48 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Uses the bytes as weights in a file. Older files have 0 in place of a header checksum. */
static void drop_as_in(StrView file, StrBuf *out) {
    if (memcmp(file.ptr + HEADER_CRC_AT, "\0\0\0", sizeof(uint32_t)) == 0) {
        memset(out->ptr + HEADER_CRC_AT, 0, sizeof(uint32_t));
    }
}

/* Takes ownership of the network. */
static void use(NnueNet *net, StrView file) {
    StrBuf out = STRBUF_INIT;
    if (net->layers == NULL) {
        net_write(net, &out);
        drop_as_in(file, &out);
        if (!sv_equal(strbuf_view(&out), file)) {
            abort();
        }
    }
    rules_init();
    Position pos;
    pos_init(&pos);
    if (pos_set_sfen(&pos, SV(SFEN_START), NULL) != KMD_OK) {
        abort();
    }
    (void)nnue_evaluate_fresh(net, &pos);
    pos_free(&pos);
    strbuf_free(&out);
    net_free(net);
}

static void write_with_weights(const uint8_t *data, size_t size, StrBuf *file) {
    NnueNet *net = net_create_shape(&(NetShape){HIDDEN, 1, 400, .has_threats = size % 2 != 0});
    size_t most = (size_t)net->set->inputs * HIDDEN * sizeof(int16_t);
    if (size > 0) {
        memcpy(net->input_weights, data, size < most ? size : most);
    }
    net_seal(net);
    net_write(net, file);
    net_free(net);
}

/* Uses the bytes as a file of the format nn.bin: its text, and then its numbers, of the shape kp
 * 32x2-8-32, as often as they are needed. */
static void read_as_bin(const uint8_t *data, size_t size) {
    static const unsigned char start[8] = {0x16, 0x2F, 0xF3, 0x7A};
    enum { BODY = 8 + 2 * 32 * 1711 + 4 * 8 + 8 * 64 + 4 * 32 + 32 * 32 + 4 + 32 };
    size_t text = size > 0 ? data[0] % size : 0;
    uint8_t len[4] = {(uint8_t)text};
    StrBuf file = STRBUF_INIT;
    NnueNet *net = NULL;
    strbuf_add_bytes(&file, start, sizeof(start));
    strbuf_add_bytes(&file, len, sizeof(len));
    strbuf_add_bytes(&file, data, text);
    for (size_t i = 0; i < BODY; i++) {
        strbuf_add_byte(&file, size > 0 ? (char)data[i % size] : '\0');
    }
    NetError error = net_read(file.ptr, file.len, &net);
    if (error == NET_OK) {
        use(net, strbuf_view(&file));
    } else if (net != NULL) {
        abort();
    }
    strbuf_free(&file);
}

static void add_u32(StrBuf *out, uint32_t number) {
    for (int shift = 0; shift < 32; shift += 8) {
        strbuf_add_byte(out, (char)(number >> shift & 255));
    }
}

/* A compressed block of small numbers, two of which come from the data. */
static void add_block(StrBuf *out, size_t count, const uint8_t *data) {
    strbuf_add_str(out, "COMPRESSED_LEB128");
    add_u32(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_byte(out, (char)(data[i % 2] & 127));
    }
}

/* A file of SFNN with the shape ka2 64-15-32. The data give its version, its number of stacks, its
 * text, and bytes to change at places anywhere in the file or near its beginning. */
static void read_as_sfnn(const uint8_t *data, size_t size) {
    enum { HEAD = 8, SUMS = 64, INPUTS = 1791, STACK = 4 + 16 * (4 + 64) + 32 * (4 + 32) + 4 + 32 };
    if (size < HEAD) {
        return;
    }
    static const uint32_t versions[4] = {0x7AF32F16, 0x7AF32F20, 0x7AF32F21, 0x7AF32F16};
    int stacks = data[1] % 20;
    size_t text = data[2] % (size - HEAD + 1);
    StrBuf file = STRBUF_INIT;
    NnueNet *net = NULL;
    add_u32(&file, versions[data[0] % 4]);
    add_u32(&file, 0);
    add_u32(&file, (uint32_t)text);
    strbuf_add_bytes(&file, data + HEAD, text);
    if (data[0] % 4 == 2) {
        add_u32(&file, (uint32_t)stacks);
    }
    add_u32(&file, 0);
    size_t blocks = file.len;
    add_block(&file, SUMS, data + 3);
    add_block(&file, SUMS * INPUTS, data + 5);
    for (int i = 0; i < stacks * STACK; i++) {
        strbuf_add_byte(&file, (char)data[(size_t)i % size]);
    }
    for (size_t i = HEAD + text; i + 4 <= size; i += 4) {
        size_t place = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];
        place = data[7] % 2 == 0 ? blocks + place % 128 : place;
        file.ptr[place % file.len] = (char)data[i + 3];
    }
    size_t len = data[7] % 16 == 15 ? file.len - data[7] : file.len;
    if (net_read(file.ptr, len, &net) == NET_OK) {
        use(net, (StrView){file.ptr, len});
    } else if (net != NULL) {
        abort();
    }
    strbuf_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_as_bin(data, size);
    read_as_sfnn(data, size);
    NnueNet *net = NULL;
    if (net_read(data, size, &net) == NET_OK) {
        use(net, (StrView){(const char *)data, size});
        net = NULL;
    }
    if (net != NULL) {
        abort();
    }
    StrBuf file = STRBUF_INIT;
    write_with_weights(data, size, &file);
    NetError error = net_read(file.ptr, file.len, &net);
    if (error == NET_OK) {
        use(net, strbuf_view(&file));
    } else if (error != NET_BAD_WEIGHT || net != NULL) {
        abort();
    }
    strbuf_free(&file);
    return 0;
}
