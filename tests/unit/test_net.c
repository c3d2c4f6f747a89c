#include "eval/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "random_net.h"

enum { HEADER_BYTES = 64, HEADER_CRC_AT = 48 };

static StrBuf tiny_file(int hidden, int buckets) {
    Rng rng = rng_init(3);
    NnueNet *net = random_net(&rng, hidden, buckets, 100);
    StrBuf bytes = STRBUF_INIT;
    net_write(net, &bytes);
    net_free(net);
    return bytes;
}

/* The file of a network without a header checksum, as in older files. */
static StrBuf old_file(int hidden, int buckets) {
    StrBuf bytes = tiny_file(hidden, buckets);
    memset(bytes.ptr + HEADER_CRC_AT, 0, sizeof(uint32_t));
    return bytes;
}

static NetError read_bytes(const StrBuf *bytes, size_t len) {
    NnueNet *net = NULL;
    NetError error = net_read(bytes->ptr, len, &net);
    CHECK((net != NULL) == (error == NET_OK));
    net_free(net);
    return error;
}

static void test_round_trip(void) {
    for (int buckets = 1; buckets <= 8; buckets += 7) {
        StrBuf bytes = tiny_file(32, buckets);
        NnueNet *net = NULL;
        CHECK_INT(net_read(bytes.ptr, bytes.len, &net), NET_OK);
        CHECK_INT(net->hidden, 32);
        CHECK_INT(net->buckets, buckets);
        CHECK_INT(net->scale, 400);
        StrBuf again = STRBUF_INIT;
        net_write(net, &again);
        CHECK(sv_equal(strbuf_view(&bytes), strbuf_view(&again)));
        net_free(net);
        strbuf_free(&again);
        strbuf_free(&bytes);
    }
}

/* A network with small layers has a version of its own. */
static void test_small_layers(void) {
    Rng rng = rng_init(4);
    NnueNet *net = random_small_net(&rng, 32, 8, 100), *back = NULL;
    StrBuf bytes = STRBUF_INIT, again = STRBUF_INIT;
    net_write(net, &bytes);
    CHECK_INT(bytes.ptr[8], 3);
    size_t layers = 8 * 64 + 4 * 8 + 32 * 16 + 4 * 32 + 4 * 8 * 32;
    CHECK_INT(bytes.len, 64 + 2 * (32 + 4384 * 32 + 8 * 2 * 32) + 4 * 8 + layers);
    CHECK_INT(net_read(bytes.ptr, bytes.len, &back), NET_OK);
    CHECK(back->has_small);
    net_write(back, &again);
    CHECK(sv_equal(strbuf_view(&bytes), strbuf_view(&again)));
    CHECK_INT(read_bytes(&bytes, bytes.len - layers), NET_BAD_LENGTH);
    int32_t *const numbers[] = {back->small.first_bias, back->small.second_bias,
                                back->small.output};
    for (size_t i = 0; i < COUNTOF(numbers); i++) {
        int32_t good = numbers[i][3];
        numbers[i][3] = i == 2 ? -(1 << 18) - 1 : (1 << 24) + 1;
        net_finish(back);
        again.len = 0;
        net_write(back, &again);
        CHECK_INT(read_bytes(&again, again.len), NET_BAD_WEIGHT);
        numbers[i][3] = good;
    }
    net_free(net);
    net_free(back);
    strbuf_free(&bytes);
    strbuf_free(&again);
}

/* The length of the file must be that in the description of the format. */
static void test_length(void) {
    StrBuf bytes = tiny_file(64, 8);
    CHECK_INT(bytes.len, 64 + 2 * (64 + 4384 * 64 + 8 * 2 * 64) + 4 * 8);
    CHECK_INT(read_bytes(&bytes, bytes.len - 1), NET_BAD_LENGTH);
    CHECK_INT(read_bytes(&bytes, HEADER_BYTES), NET_BAD_LENGTH);
    CHECK_INT(read_bytes(&bytes, HEADER_BYTES - 1), NET_NO_NET);
    CHECK_INT(read_bytes(&bytes, 0), NET_NO_NET);
    strbuf_add_byte(&bytes, 0);
    CHECK_INT(read_bytes(&bytes, bytes.len), NET_BAD_LENGTH);
    strbuf_free(&bytes);
}

/* Changes the 4 bytes at `place`, returns the result of reading, and restores the bytes. */
static NetError read_changed(StrBuf *bytes, size_t place, uint32_t value) {
    uint32_t old;
    memcpy(&old, bytes->ptr + place, 4);
    memcpy(bytes->ptr + place, &value, 4);
    NetError error = read_bytes(bytes, bytes->len);
    memcpy(bytes->ptr + place, &old, 4);
    return error;
}

static void test_bad_header(void) {
    StrBuf bytes = old_file(32, 1);
    CHECK_INT(read_changed(&bytes, 0, 0), NET_NO_NET);
    CHECK_INT(read_changed(&bytes, 8, 2), NET_BAD_VERSION);
    CHECK_INT(read_changed(&bytes, 8, 4), NET_BAD_VERSION);
    CHECK_INT(read_changed(&bytes, 12, 2345), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 16, 0), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 16, 33), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 16, 1056), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 16, UINT32_MAX - 31), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 16, 64), NET_BAD_LENGTH);
    CHECK_INT(read_changed(&bytes, 20, 2), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 24, 510), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 28, 64), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 32, 0), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 32, UINT32_MAX), NET_BAD_SHAPE);
    CHECK_INT(read_changed(&bytes, 40, 1), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, 1000, 0xFFFFFFFF), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, 36, 1), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, 52, 1 << 8), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, 60, 1U << 31), NET_BAD_CHECKSUM);
    CHECK_INT(read_bytes(&bytes, bytes.len), NET_OK);
    strbuf_free(&bytes);
}

/* Every changed bit in a header is detected, even if the new value would be valid for another
 * network. */
static void test_damaged_header(void) {
    StrBuf bytes = tiny_file(32, 1);
    for (size_t bit = 0; bit < (size_t)HEADER_BYTES * 8; bit++) {
        bytes.ptr[bit / 8] ^= (char)(1 << bit % 8);
        CHECK(read_bytes(&bytes, bytes.len) != NET_OK);
        bytes.ptr[bit / 8] ^= (char)(1 << bit % 8);
    }
    CHECK_INT(read_changed(&bytes, 16, 64), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, 32, 401), NET_BAD_CHECKSUM);
    CHECK_INT(read_changed(&bytes, HEADER_CRC_AT, 1), NET_BAD_CHECKSUM);
    CHECK_INT(read_bytes(&bytes, bytes.len), NET_OK);
    strbuf_free(&bytes);
}

/* Replaces the bytes at `place`, corrects the checksum, and returns the result of reading. */
static NetError read_sealed(size_t place, const void *value, size_t len) {
    StrBuf bytes = old_file(32, 1);
    memcpy(bytes.ptr + place, value, len);
    uint64_t id =
        checksum_fnv(CHECKSUM_FNV_START, bytes.ptr + HEADER_BYTES, bytes.len - HEADER_BYTES);
    memcpy(bytes.ptr + 40, &id, sizeof(id));
    NetError error = read_bytes(&bytes, bytes.len);
    strbuf_free(&bytes);
    return error;
}

/* In each of the arrays, a weight that is too large is rejected even if the checksum is correct. */
static void test_bad_weight(void) {
    StrBuf bytes = tiny_file(32, 1);
    size_t bias = HEADER_BYTES;
    size_t inputs = bias + 32 * sizeof(int16_t);
    size_t outputs = inputs + (size_t)NNUE_INPUTS * 32 * sizeof(int16_t);
    size_t last = bytes.len - sizeof(int32_t);
    int16_t small = 3;
    int16_t large = 800;
    int16_t least = INT16_MIN;
    int16_t most = INT16_MAX;
    int32_t huge = INT32_MAX;
    CHECK_INT(read_sealed(bias, &small, sizeof(small)), NET_OK);
    CHECK_INT(read_sealed(bias, &large, sizeof(large)), NET_BAD_WEIGHT);
    CHECK_INT(read_sealed(bias, &least, sizeof(least)), NET_BAD_WEIGHT);
    CHECK_INT(read_sealed(inputs, &most, sizeof(most)), NET_BAD_WEIGHT);
    int16_t piece = 560;
    int16_t threat = 151;
    size_t threats = inputs + (size_t)NNUE_PIECE_INPUTS * 32 * sizeof(int16_t);
    CHECK_INT(read_sealed(threats - sizeof(piece), &piece, sizeof(piece)), NET_OK);
    CHECK_INT(read_sealed(threats, &threat, sizeof(threat)), NET_BAD_WEIGHT);
    CHECK_INT(read_sealed(outputs, &most, sizeof(most)), NET_BAD_WEIGHT);
    CHECK_INT(read_sealed(last, &huge, sizeof(huge)), NET_BAD_WEIGHT);
    strbuf_free(&bytes);
}

static void test_missing_file(void) {
    NnueNet *net = NULL;
    int error = 0;
    CHECK_INT(net_load("/nowhere/at/all.nnue", &net, &error), NET_UNREADABLE);
    CHECK(error != 0 && net == NULL);
}

static void test_texts(void) {
    for (int error = NET_OK; error <= NET_BAD_WEIGHT; error++) {
        CHECK(net_error_text((NetError)error)[0] != '\0');
    }
}

UNIT_MAIN({"round trip", test_round_trip}, {"small layers", test_small_layers},
          {"length", test_length}, {"bad header", test_bad_header},
          {"damaged header", test_damaged_header}, {"bad weight", test_bad_weight},
          {"missing file", test_missing_file}, {"every error has a text", test_texts})
