#include "base/rng.h"

#include "base/base.h"
#include "unit.h"

/* The first outputs for seed 1234567, as published with the algorithm's test vectors. */
static void test_splitmix_vectors(void) {
    static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u,
                                    9817491932198370423u, 4593380528125082431u,
                                    16408922859458223821u};
    uint64_t state = 1234567;
    for (size_t i = 0; i < COUNTOF(want); i++) {
        CHECK(rng_splitmix(&state) == want[i]);
    }
}

/* The outputs of xoshiro256** from state 1, 2, 3, 4. */
static void test_xoshiro_vectors(void) {
    static const uint64_t want[] = {11520,
                                    0,
                                    1509978240,
                                    1215971899390074240,
                                    1216172134540287360,
                                    607988272756665600,
                                    16172922978634559625u,
                                    8476171486693032832};
    Rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < COUNTOF(want); i++) {
        CHECK(rng_next(&rng) == want[i]);
    }
}

static void test_seed_decides_the_sequence(void) {
    Rng a = rng_init(7);
    Rng b = rng_init(7);
    Rng c = rng_init(8);
    int different = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t from_a = rng_next(&a);
        CHECK(from_a == rng_next(&b));
        different += from_a != rng_next(&c);
    }
    CHECK(different > 90);
}

static void test_below_is_in_range_and_even(void) {
    enum { FACES = 6, THROWS = 60000 };
    Rng rng = rng_init(1);
    int seen[FACES] = {0};
    for (int i = 0; i < THROWS; i++) {
        uint64_t face = rng_below(&rng, FACES);
        if (CHECK(face < FACES)) {
            seen[face]++;
        }
    }
    /* The standard deviation of each count is about 91. */
    for (int face = 0; face < FACES; face++) {
        CHECK(seen[face] > THROWS / FACES - 600 && seen[face] < THROWS / FACES + 600);
    }
    for (int i = 0; i < 100; i++) {
        CHECK(rng_below(&rng, 1) == 0);
        CHECK(rng_below(&rng, (UINT64_MAX / 2) + 2) < (UINT64_MAX / 2) + 2);
    }
}

static void test_unit_interval(void) {
    enum { DRAWS = 10000 };
    Rng rng = rng_init(3);
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = rng_unit(&rng);
        CHECK(x >= 0 && x < 1);
        sum += x;
    }
    CHECK(sum > 0.48 * DRAWS && sum < 0.52 * DRAWS);
}

UNIT_MAIN({"SplitMix64 gives the published numbers", test_splitmix_vectors},
          {"xoshiro256** gives the published numbers", test_xoshiro_vectors},
          {"the seed decides the sequence", test_seed_decides_the_sequence},
          {"rng_below stays in range without bias", test_below_is_in_range_and_even},
          {"rng_unit stays in [0, 1)", test_unit_interval})
