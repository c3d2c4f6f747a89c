/* Tests of spsa.h: the file of parameters, the schedule, and that it finds an optimum. */
#include <math.h>

#include "base/base.h"
#include "base/rng.h"
#include "match/spsa.h"
#include "unit.h"

enum { COUNT = 3 };

static const double best[COUNT] = {120.0, -60.0, 0.75};

static const SpsaOptions usual = {.pairs = 10000, .share = 0.1, .alpha = 0.602, .gamma = 0.101};

static SpsaOptions read_three(void) {
    static const char three[] = "# name, kind, start, min, max, c_end, r_end\n"
                                "Alpha, int, 60, 0, 200, 16, 0.002\r\n\n"
                                "Beta,int,0,-100,100,10,0.002\n"
                                "  Gamma, float, 0.5, 0, 2, 0.08, 0.002";
    SpsaOptions options = usual;
    StrBuf error = STRBUF_INIT;
    CHECK(spsa_read_params(sv_from(three), &options, &error));
    CHECK_INT(options.count, COUNT);
    strbuf_free(&error);
    return options;
}

static void test_file(void) {
    SpsaOptions options = read_three();
    double values[COUNT] = {60.4, -0.2, 0.512345678};
    StrBuf text = STRBUF_INIT;
    spsa_add_values(&options, values, false, &text);
    CHECK_STR(text.ptr, "Alpha, 60\nBeta, 0\nGamma, 0.512346\n");
    strbuf_clear(&text);
    spsa_add_values(&options, values, true, &text);
    CHECK_STR(text.ptr, "Alpha, int, 60, 0, 200, 16, 0.002\nBeta, int, 0, -100, 100, 10, 0.002\n"
                        "Gamma, float, 0.512346, 0, 2, 0.08, 0.002\n");
    SpsaOptions again = usual;
    CHECK(spsa_read_params(strbuf_view(&text), &again, &text));
    CHECK_NEAR(again.params[2].start, 0.512346, 1e-9);
    spsa_free(&again);
    spsa_free(&options);
    strbuf_free(&text);
}

static void test_faults(void) {
    static const char *const faults[][2] = {
        {"", ": no parameters"},
        {"# nothing\n", ": no parameters"},
        {"A", ", line 1: no int or float"},
        {"A, int, 1, 0, 9, 1, 1\n, int, 1, 0, 9, 1, 1", ", line 2: no name"},
        {"A, bool, 1, 0, 9, 1, 1", ", line 1: neither int nor float"},
        {"A, int, x, 0, 9, 1, 1", ", line 1: no start"},
        {"A, int, 1, 0, 9, 1", ", line 1: no r_end"},
        {"A, int, 1, 0, 9, 1, 1, 1", ", line 1: too many fields"},
        {"A, int, 1, 9, 9, 1, 1", ", line 1: min is not below max"},
        {"A, int, 10, 0, 9, 1, 1", ", line 1: start is not between min and max"},
        {"A, int, 1, 0, 9, 0, 1", ", line 1: c_end and r_end must be above 0"},
        {"A, int, 1, 0, 9, 1, 1\n\na, int, 1, 0, 9, 1, 1", ", line 3: the name is used twice"},
    };
    for (size_t i = 0; i < COUNTOF(faults); i++) {
        SpsaOptions options = usual;
        StrBuf error = STRBUF_INIT;
        CHECK(!spsa_read_params(sv_from(faults[i][0]), &options, &error));
        CHECK_STR(error.ptr, faults[i][1]);
        strbuf_free(&error);
        spsa_free(&options);
    }
}

/* In the last pair both players are c_end away from the values, and each point moves the values by
 * r_end * c_end. The numbers for the first pair were computed by hand from the formulas. */
static void test_schedule(void) {
    SpsaOptions options = read_three();
    double plus[COUNT], minus[COUNT], values[COUNT] = {60.0, 0.0, 0.5};
    SpsaTrial trial = {options.pairs, plus, minus};
    spsa_perturb(&options, values, &trial);
    CHECK_NEAR(fabs(plus[2] - 0.5), 0.08, 1e-12);
    CHECK_NEAR(plus[2] + minus[2], 1.0, 1e-12);
    double sign = plus[2] > 0.5 ? 1.0 : -1.0;
    spsa_update(&options, options.pairs, 2, values);
    CHECK_NEAR(values[2], 0.5 + sign * 2 * 0.002 * 0.08, 1e-12);
    values[2] = 0.5;
    trial.pair = 1;
    spsa_perturb(&options, values, &trial);
    double width = 0.08 * pow(10000.0, 0.101);
    CHECK_NEAR(fabs(plus[2] - 0.5), width, 1e-12);
    sign = plus[2] > 0.5 ? 1.0 : -1.0;
    spsa_update(&options, 1, -1, values);
    double gain = 0.002 * 0.08 * 0.08 * pow(11000.0 / 1001.0, 0.602);
    CHECK_NEAR(values[2], 0.5 - sign * gain / width, 1e-12);
    spsa_free(&options);
}

/* The mean of the whole numbers played is the value, and they never exceed their bounds. */
static void test_rounding(void) {
    SpsaOptions options = read_three();
    double plus[COUNT], minus[COUNT], values[COUNT] = {60.3, 99.0, 0.5};
    double sum = 0.0;
    enum { TRIALS = 4000 };
    for (int pair = 1; pair <= TRIALS; pair++) {
        SpsaTrial trial = {pair, plus, minus};
        spsa_perturb(&options, values, &trial);
        CHECK(plus[0] == floor(plus[0]) && minus[0] == floor(minus[0]));
        CHECK(plus[1] <= 100.0 && minus[1] <= 100.0 && plus[1] != minus[1]);
        sum += plus[0] + minus[0];
    }
    CHECK_NEAR(sum / (2 * TRIALS), 60.3, 0.05);
    spsa_free(&options);
}

/* The weakness of a player. It grows with the square of the distance from the optimum and is one
 * unit at the initial values. */
static double weakness(const double *values) {
    static const double widths[COUNT] = {50.0, 40.0, 0.2};
    double sum = 0.0;
    for (int i = 0; i < COUNT; i++) {
        sum += pow((values[i] - best[i]) / widths[i], 2.0);
    }
    return sum;
}

static int play_game(const SpsaTrial *trial, Rng *rng) {
    double chance = 1.0 / (1.0 + exp(weakness(trial->plus) - weakness(trial->minus)));
    return rng_unit(rng) < chance ? 1 : -1;
}

/* Runs 20,000 games. */
static void test_convergence(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SpsaOptions options = read_three();
        Rng rng = rng_init(seed);
        double plus[COUNT], minus[COUNT], values[COUNT] = {60.0, 0.0, 0.5};
        options.seed = seed;
        for (int pair = 1; pair <= options.pairs; pair++) {
            SpsaTrial trial = {pair, plus, minus};
            spsa_perturb(&options, values, &trial);
            int points = play_game(&trial, &rng) + play_game(&trial, &rng);
            spsa_update(&options, pair, points, values);
        }
        for (int i = 0; i < COUNT; i++) {
            CHECK_NEAR(values[i] / best[i], 1.0, 0.05);
        }
        spsa_free(&options);
    }
}

UNIT_MAIN({"reads and writes parameters", test_file},
          {"names what is wrong in a file", test_faults}, {"follows the schedule", test_schedule},
          {"rounds without bias", test_rounding},
          {"three parameters find their optimum", test_convergence})
