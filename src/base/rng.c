/* rng.c: SplitMix64 for seeding and xoshiro256** for the numbers. */
#include "base/rng.h"

#include "base/base.h"

static uint64_t rotate_left(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

uint64_t rng_splitmix(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

Rng rng_init(uint64_t seed) {
    Rng rng;
    for (size_t i = 0; i < COUNTOF(rng.word); i++) {
        rng.word[i] = rng_splitmix(&seed);
    }
    return rng;
}

uint64_t rng_next(Rng *rng) {
    uint64_t *word = rng->word;
    uint64_t result = rotate_left(word[1] * 5, 7) * 9;
    uint64_t shifted = word[1] << 17;
    word[2] ^= word[0];
    word[3] ^= word[1];
    word[1] ^= word[2];
    word[0] ^= word[3];
    word[2] ^= shifted;
    word[3] = rotate_left(word[3], 45);
    return result;
}

uint64_t rng_below(Rng *rng, uint64_t n) {
    ASSERT(n >= 1);
    /* The lowest 2^64 mod n values are rejected, because the number of remaining values is then a
     * multiple of n. */
    uint64_t reject = (0 - n) % n;
    uint64_t value;
    do {
        value = rng_next(rng);
    } while (value < reject);
    return value % n;
}

double rng_unit(Rng *rng) {
    /* A double can represent 53 bits exactly. */
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}
