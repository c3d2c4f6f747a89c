/* rng.h: pseudo-random numbers for tables, openings and tests. The same seed gives the same
 * sequence on every machine. Not cryptographic.
 *
 * An Rng belongs to one thread. Source: SplitMix64 (Steele, Lea, Flood 2014) seeds xoshiro256**
 * (Blackman, Vigna 2018). */
#ifndef KMD_BASE_RNG_H
#define KMD_BASE_RNG_H

#include <stdint.h>

typedef struct Rng {
    uint64_t word[4];
} Rng;

/* One step of SplitMix64: advances *state and returns a mixed 64-bit value. */
uint64_t rng_splitmix(uint64_t *state);

/* A generator whose whole state depends on the seed. */
Rng rng_init(uint64_t seed);

/* 64 uniform bits. */
uint64_t rng_next(Rng *rng);

/* Uniform in 0..n-1 without bias; n >= 1. */
uint64_t rng_below(Rng *rng, uint64_t n);

/* Uniform in [0, 1). */
double rng_unit(Rng *rng);

#endif
