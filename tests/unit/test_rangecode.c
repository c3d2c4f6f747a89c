#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/rng.h"
#include "train/rangecode.h"
#include "unit.h"

enum { COUNT = 20000 };

/* One random call of each kind. The encoder and the decoder make the same sequence of calls. */
typedef struct Step {
    int kind;
    uint32_t number;
    uint32_t total;
} Step;

static Step random_step(Rng *rng) {
    Step step = {.kind = (int)rng_below(rng, 3), .total = 64};
    if (step.kind == 0) {
        step.total = (uint32_t)rng_below(rng, 1 << rng_below(rng, 17)) + 1;
        step.number = (uint32_t)rng_below(rng, step.total);
    } else if (step.kind == 1) {
        step.number = rng_below(rng, 200) == 0;
    } else {
        step.number = (uint32_t)rng_below(rng, rng_below(rng, 64) + 1);
    }
    return step;
}

static void test_round_trip(void) {
    StrBuf out = STRBUF_INIT;
    RangeEncoder encoder;
    rangecode_encode_init(&encoder, &out);
    AdaptiveBit bit;
    AdaptiveTree tree;
    rangecode_bit_init(&bit);
    rangecode_tree_init(&tree);
    Rng rng = rng_init(1);
    for (int i = 0; i < COUNT; i++) {
        Step step = random_step(&rng);
        if (step.kind == 0) {
            rangecode_encode_uniform(&encoder, step.number, step.total);
        } else if (step.kind == 1) {
            rangecode_encode_bit(&encoder, &bit, (int)step.number);
        } else {
            rangecode_encode_tree(&encoder, &tree, step.number);
        }
    }
    rangecode_encode_end(&encoder);
    RangeDecoder decoder;
    rangecode_decode_init(&decoder, out.ptr, out.len);
    rangecode_bit_init(&bit);
    rangecode_tree_init(&tree);
    rng = rng_init(1);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        Step step = random_step(&rng);
        uint32_t got = step.kind == 0   ? rangecode_decode_uniform(&decoder, step.total)
                       : step.kind == 1 ? (uint32_t)rangecode_decode_bit(&decoder, &bit)
                                        : rangecode_decode_tree(&decoder, &tree);
        wrong += got != step.number;
    }
    CHECK_INT(wrong, 0);
    strbuf_free(&out);
}

/* The length of the output is close to the theoretical minimum. */
static void test_length(void) {
    StrBuf out = STRBUF_INIT;
    RangeEncoder encoder;
    rangecode_encode_init(&encoder, &out);
    Rng rng = rng_init(2);
    for (int i = 0; i < COUNT; i++) {
        rangecode_encode_uniform(&encoder, (uint32_t)rng_below(&rng, 100), 100);
    }
    rangecode_encode_end(&encoder);
    double ideal = COUNT * log2(100.0) / 8;
    CHECK((double)out.len > ideal - 1 && (double)out.len < ideal * 1.001 + 8);
    size_t before = out.len;
    rangecode_encode_init(&encoder, &out);
    AdaptiveBit bit;
    rangecode_bit_init(&bit);
    for (int i = 0; i < COUNT; i++) {
        rangecode_encode_bit(&encoder, &bit, rng_below(&rng, 20) == 0);
    }
    rangecode_encode_end(&encoder);
    double entropy = COUNT * (0.05 * log2(20) + 0.95 * log2(1 / 0.95)) / 8;
    CHECK((double)(out.len - before) < entropy * 1.1);
    strbuf_free(&out);
}

/* Tests carries that affect many bytes. */
static void test_carries(void) {
    StrBuf out = STRBUF_INIT;
    RangeEncoder encoder;
    rangecode_encode_init(&encoder, &out);
    for (int i = 0; i < 1000; i++) {
        rangecode_encode_uniform(&encoder, 65535, 65536);
    }
    rangecode_encode_end(&encoder);
    RangeDecoder decoder;
    rangecode_decode_init(&decoder, out.ptr, out.len);
    int wrong = 0;
    for (int i = 0; i < 1000; i++) {
        wrong += rangecode_decode_uniform(&decoder, 65536) != 65535;
    }
    CHECK_INT(wrong, 0);
    strbuf_free(&out);
}

UNIT_MAIN({"round trip", test_round_trip}, {"length", test_length}, {"carries", test_carries})
