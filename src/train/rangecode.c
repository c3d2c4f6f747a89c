/* rangecode.c: the coder itself: carry propagation in the encoder, renormalisation in both
 * directions. */
#include "train/rangecode.h"

#include "base/base.h"

/* The range stays above this, so that dividing it by 2^16 never gives 0. */
#define RANGE_MIN ((uint32_t)1 << 24)

/* How fast probabilities adapt: with each bit they move 1/32 of the way towards it. */
enum { ADAPT_SHIFT = 5, BIT_PRECISION = 16, BIT_EVEN = 1 << (BIT_PRECISION - 1) };

void rangecode_bit_init(AdaptiveBit *bit) {
    bit->zero = BIT_EVEN;
}

void rangecode_tree_init(AdaptiveTree *tree) {
    for (size_t i = 0; i < COUNTOF(tree->bit); i++) {
        rangecode_bit_init(&tree->bit[i]);
    }
}

/* Adapts the probability to a bit. It never reaches 0 or 2^16 but stays 31 away from both. */
static void bit_learn(AdaptiveBit *model, int bit) {
    if (bit == 0) {
        model->zero =
            (uint16_t)(model->zero + ((((1 << BIT_PRECISION) - model->zero)) >> ADAPT_SHIFT));
    } else {
        model->zero = (uint16_t)(model->zero - (model->zero >> ADAPT_SHIFT));
    }
}

/* ---- encoder --------------------------------------------------------------------------------- */

void rangecode_encode_init(RangeEncoder *encoder, StrBuf *out) {
    *encoder = (RangeEncoder){.out = out, .range = UINT32_MAX, .pending = 1};
}

/* Writes the top byte of `low` as soon as no carry can change it. */
static void shift_low(RangeEncoder *encoder) {
    uint32_t low = (uint32_t)encoder->low;
    int carry = (int)(encoder->low >> 32);
    if (low < 0xFF000000 || carry != 0) {
        uint8_t byte = encoder->cache;
        for (; encoder->pending > 0; encoder->pending--) {
            strbuf_add_byte(encoder->out, (char)(uint8_t)(byte + carry));
            byte = 0xFF;
        }
        encoder->cache = (uint8_t)(low >> 24);
    }
    encoder->pending++;
    encoder->low = (uint64_t)(low << 8);
}

void rangecode_encode_end(RangeEncoder *encoder) {
    for (int i = 0; i < 5; i++) {
        shift_low(encoder);
    }
}

static void encoder_normalize(RangeEncoder *encoder) {
    while (encoder->range < RANGE_MIN) {
        encoder->range <<= 8;
        shift_low(encoder);
    }
}

void rangecode_encode_uniform(RangeEncoder *encoder, uint32_t number, uint32_t total) {
    ASSERT(number < total && total <= 1 << 16);
    uint32_t part = encoder->range / total;
    encoder->low += (uint64_t)part * number;
    encoder->range = part;
    encoder_normalize(encoder);
}

void rangecode_encode_bit(RangeEncoder *encoder, AdaptiveBit *model, int bit) {
    uint32_t bound = (encoder->range >> BIT_PRECISION) * model->zero;
    if (bit == 0) {
        encoder->range = bound;
    } else {
        encoder->low += bound;
        encoder->range -= bound;
    }
    bit_learn(model, bit);
    encoder_normalize(encoder);
}

void rangecode_encode_tree(RangeEncoder *encoder, AdaptiveTree *model, uint32_t number) {
    ASSERT(number < 1 << RANGE_TREE_BITS);
    uint32_t node = 1;
    for (int i = RANGE_TREE_BITS - 1; i >= 0; i--) {
        int bit = (int)(number >> i & 1);
        rangecode_encode_bit(encoder, &model->bit[node], bit);
        node = node << 1 | (uint32_t)bit;
    }
}

/* ---- decoder --------------------------------------------------------------------------------- */

static uint32_t next_byte(RangeDecoder *decoder) {
    return decoder->at < decoder->end ? *decoder->at++ : 0;
}

void rangecode_decode_init(RangeDecoder *decoder, const void *bytes, size_t len) {
    *decoder = (RangeDecoder){.at = bytes, .range = UINT32_MAX};
    decoder->end = decoder->at + len;
    for (int i = 0; i < 5; i++) {
        decoder->code = decoder->code << 8 | next_byte(decoder);
    }
}

static void decoder_normalize(RangeDecoder *decoder) {
    while (decoder->range < RANGE_MIN) {
        decoder->range <<= 8;
        decoder->code = decoder->code << 8 | next_byte(decoder);
    }
}

uint32_t rangecode_decode_uniform(RangeDecoder *decoder, uint32_t total) {
    ASSERT(total >= 1 && total <= 1 << 16);
    uint32_t part = decoder->range / total;
    uint32_t number = decoder->code / part;
    /* Values beyond the last part are never written, but damaged bytes may contain them. */
    number = number < total ? number : total - 1;
    decoder->code -= part * number;
    decoder->range = part;
    decoder_normalize(decoder);
    return number;
}

int rangecode_decode_bit(RangeDecoder *decoder, AdaptiveBit *model) {
    uint32_t bound = (decoder->range >> BIT_PRECISION) * model->zero;
    int bit = decoder->code >= bound;
    if (bit == 0) {
        decoder->range = bound;
    } else {
        decoder->code -= bound;
        decoder->range -= bound;
    }
    bit_learn(model, bit);
    decoder_normalize(decoder);
    return bit;
}

uint32_t rangecode_decode_tree(RangeDecoder *decoder, AdaptiveTree *model) {
    uint32_t node = 1;
    for (int i = 0; i < RANGE_TREE_BITS; i++) {
        node = node << 1 | (uint32_t)rangecode_decode_bit(decoder, &model->bit[node]);
    }
    return node - (1 << RANGE_TREE_BITS);
}
