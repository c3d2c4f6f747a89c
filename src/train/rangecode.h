/* rangecode.h: an adaptive range coder, which stores numbers in nearly as few bits as their
 * probabilities allow.
 *
 * Encoder and decoder must make the same calls in the same order. The decoder accepts any bytes: it
 * always returns numbers within their ranges and never reads past the end. Each object belongs to
 * one thread. Source: range coding (Martin 1979), with adaptive bits as in LZMA (Pavlov 1998). */
#ifndef KMD_TRAIN_RANGECODE_H
#define KMD_TRAIN_RANGECODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

typedef struct RangeEncoder {
    StrBuf *out; /* output is appended here */
    uint64_t low;
    uint32_t range;
    uint8_t cache;
    uint64_t pending; /* number of bytes waiting for a possible carry, including the cached one */
} RangeEncoder;

typedef struct RangeDecoder {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t range;
    uint32_t code;
} RangeDecoder;

/* The probability, out of 2^16, that a bit is 0, adapted to the bits coded so far. */
typedef struct AdaptiveBit {
    uint16_t zero;
} AdaptiveBit;

enum { RANGE_TREE_BITS = 6 };

/* A model for numbers of RANGE_TREE_BITS bits, in which the probability of each bit depends on the
 * higher bits. */
typedef struct AdaptiveTree {
    AdaptiveBit bit[1 << RANGE_TREE_BITS];
} AdaptiveTree;

void rangecode_bit_init(AdaptiveBit *bit);
void rangecode_tree_init(AdaptiveTree *tree);

void rangecode_encode_init(RangeEncoder *encoder, StrBuf *out);

/* Appends the remaining bytes. Nothing may be encoded afterwards. */
void rangecode_encode_end(RangeEncoder *encoder);

/* Encodes a number below `total` (1 to 65536). All such numbers are equally likely. */
void rangecode_encode_uniform(RangeEncoder *encoder, uint32_t number, uint32_t total);
void rangecode_encode_bit(RangeEncoder *encoder, AdaptiveBit *model, int bit);
void rangecode_encode_tree(RangeEncoder *encoder, AdaptiveTree *model, uint32_t number);

/* Decode what the functions above have encoded. Damaged bytes give wrong numbers, but none out of
 * range. */
void rangecode_decode_init(RangeDecoder *decoder, const void *bytes, size_t len);
uint32_t rangecode_decode_uniform(RangeDecoder *decoder, uint32_t total);
int rangecode_decode_bit(RangeDecoder *decoder, AdaptiveBit *model);
uint32_t rangecode_decode_tree(RangeDecoder *decoder, AdaptiveTree *model);

#endif
