/* fuzz_net.c: reads any bytes as a network of Komadori's own. An accepted network can be used and
 * is written back the same. The bytes are tried both as a file and as weights after a valid header
 * and checksum, which random bytes never have. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "eval/arch.h"
#include "eval/net.h"
#include "eval/nnue.h"
#include "rules/position.h"
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
    net_write(net, &out);
    drop_as_in(file, &out);
    if (!sv_equal(strbuf_view(&out), file)) {
        abort();
    }
    pos_init_tables();
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
    NnueNet *net = net_create_shape(
        &(NetShape){HIDDEN, 1, 400, .has_threats = size % 2 != 0, .has_small = size / 2 % 2 != 0});
    size_t most = (size_t)net->set->inputs * HIDDEN * sizeof(int16_t);
    if (size > 0) {
        memcpy(net->input_weights, data, size < most ? size : most);
    }
    if (size > 0 && net->has_small) {
        size_t layers = (size_t)NNUE_FIRST * 2 * HIDDEN;
        memcpy(net->small.first, data, size < layers ? size : layers);
        memcpy(net->small.first_bias, data, size < 4 ? size : 4);
        memcpy(net->small.output, data, size < 4 ? size : 4);
    }
    net_finish(net);
    net_write(net, file);
    net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
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
