/* Tests the SPRT in elo.h: bounds and ratios are compared with published examples, and error rates
 * are simulated. */
#include <math.h>

#include "base/base.h"
#include "base/rng.h"
#include "match/elo.h"
#include "unit.h"

static void test_bounds(void) {
    SprtTest test = {SPRT_LOGISTIC, 0.0, 5.0, 0.05, 0.05};
    CHECK_NEAR(elo_sprt_upper(&test), 2.9444, 5e-5); /* ln 19 */
    CHECK_NEAR(elo_sprt_lower(&test), -2.9444, 5e-5);
    test.beta = 0.10;
    CHECK_NEAR(elo_sprt_upper(&test), log(18.0), 1e-12);
    CHECK_NEAR(elo_sprt_lower(&test), log(0.10 / 0.95), 1e-12);
}

/* NIST/SEMATECH e-Handbook of Statistical Methods, 6.2.6: a sequential plan for p1 = 0.01,
 * p2 = 0.10, alpha 0.05, beta 0.10 accepts at x = -0.939 + 0.0397 n defects among n and rejects at
 * x = 1.205 + 0.0397 n. A won pair stands for a defect here, and every other pair is lost; the
 * generalised test is then Wald's test. */
static void test_sequential_plan(void) {
    SprtTest test = {SPRT_LOGISTIC, elo_of_score(0.01), elo_of_score(0.10), 0.05, 0.10};
    for (int won = 10; won <= 100; won += 30) {
        double reject_at = (won - 1.205) / 0.0397;
        double accept_at = (won + 0.939) / 0.0397;
        ScoreSample sample = {SCORE_PAIRS, {0, 0, 0, 0, (uint64_t)won}};
        /* The published slope is rounded to three digits, so allow a few trials of difference. */
        sample.count[0] = (uint64_t)(reject_at - 6 - won);
        CHECK_INT(elo_sprt_state(&test, &sample), SPRT_ACCEPTS_H1);
        sample.count[0] = (uint64_t)(reject_at + 6 - won);
        CHECK_INT(elo_sprt_state(&test, &sample), SPRT_GOES_ON);
        sample.count[0] = (uint64_t)(accept_at - 6 - won);
        CHECK_INT(elo_sprt_state(&test, &sample), SPRT_GOES_ON);
        sample.count[0] = (uint64_t)(accept_at + 6 - won);
        CHECK_INT(elo_sprt_state(&test, &sample), SPRT_ACCEPTS_H0);
    }
}

/* For small differences the ratio tends to (s1 - s0)(2 mean - s0 - s1) / (2 variance / n), the
 * approximation of Van den Bergh's introduction to the GSPRT. */
static void test_small_difference(void) {
    ScoreSample sample = {SCORE_PAIRS, {609, 3850, 9708, 4948, 885}};
    ScoreMoments moments = elo_score_moments(&sample);
    SprtTest test = {SPRT_LOGISTIC, 0.0, 2.0, 0.05, 0.05};
    double s0 = elo_to_score(0.0);
    double s1 = elo_to_score(2.0);
    double simple =
        (s1 - s0) * (2.0 * moments.mean - s0 - s1) / (2.0 * moments.variance / moments.number);
    CHECK_NEAR(elo_sprt_llr(&test, &sample) / simple, 1.0, 0.02);
    /* Equivalent bounds in normalised Elo must agree as well. */
    double sigma = sqrt(2.0 * moments.variance);
    SprtTest scaled = {SPRT_NORMALISED, 0.0, (s1 - 0.5) / sigma * elo_nelo_unit(), 0.05, 0.05};
    CHECK_NEAR(elo_sprt_llr(&scaled, &sample) / simple, 1.0, 0.02);
}

static void test_symmetry(void) {
    ScoreSample sample = {SCORE_PAIRS, {10, 40, 100, 55, 20}};
    ScoreSample mirrored = {SCORE_PAIRS, {20, 55, 100, 40, 10}};
    for (int model = SPRT_LOGISTIC; model <= SPRT_NORMALISED; model++) {
        SprtTest test = {(SprtModel)model, -3.0, 7.0, 0.05, 0.05};
        SprtTest other = {(SprtModel)model, -7.0, 3.0, 0.05, 0.05};
        CHECK_NEAR(elo_sprt_llr(&test, &sample), -elo_sprt_llr(&other, &mirrored), 1e-6);
    }
    ScoreSample none = {SCORE_PAIRS, {0}};
    SprtTest test = {SPRT_NORMALISED, 0.0, 5.0, 0.05, 0.05};
    CHECK(elo_sprt_llr(&test, &none) == 0.0);
    ScoreSample drawn = {SCORE_PAIRS, {0, 0, 50, 0, 0}};
    CHECK(isfinite(elo_sprt_llr(&test, &drawn)));
}

/* Tests bounds that are so far apart that no fit with equal counts comes near them. */
static void test_large_bounds(void) {
    ScoreSample even = {SCORE_PAIRS, {10, 20, 40, 20, 10}};
    ScoreSample better = {SCORE_PAIRS, {1, 2, 10, 30, 57}};
    ScoreSample worse = {SCORE_PAIRS, {57, 30, 10, 2, 1}};
    ScoreSample games = {SCORE_GAMES, {20, 60, 20}};
    const double bounds[] = {200.0, 300.0, 600.0, 1000.0};
    for (size_t i = 0; i < COUNTOF(bounds); i++) {
        SprtTest test = {SPRT_NORMALISED, 0.0, bounds[i], 0.05, 0.05};
        SprtTest mirror = {SPRT_NORMALISED, -bounds[i], 0.0, 0.05, 0.05};
        CHECK_INT(elo_sprt_state(&test, &even), SPRT_ACCEPTS_H0);
        CHECK_INT(elo_sprt_state(&test, &games), SPRT_ACCEPTS_H0);
        CHECK_INT(elo_sprt_state(&mirror, &even), SPRT_ACCEPTS_H1);
        CHECK(isfinite(elo_sprt_llr(&test, &better)));
    }
    SprtTest test = {SPRT_NORMALISED, 0.0, 300.0, 0.05, 0.05};
    CHECK_INT(elo_sprt_state(&test, &better), SPRT_ACCEPTS_H1);
    CHECK_INT(elo_sprt_state(&test, &worse), SPRT_ACCEPTS_H0);
    SprtTest mirror = {SPRT_NORMALISED, -300.0, 0.0, 0.05, 0.05};
    CHECK_NEAR(elo_sprt_llr(&test, &better), -elo_sprt_llr(&mirror, &worse), 1e-6);
}

/* Two players with a known difference in strength. As in real play, there are draws, and openings
 * that favour one side. */
typedef struct Players {
    double elo;        /* true logistic difference */
    double draw_share; /* share of drawn games */
    double bias_elo;   /* the advantage of the first side in this opening, positive or negative */
} Players;

/* The result of the first player in half points. */
static int play_game(Rng *rng, double elo, double draw_share) {
    double score = elo_to_score(elo);
    double win = score - draw_share / 2.0;
    double dice = rng_unit(rng);
    return dice < win ? 2 : dice < win + draw_share ? 1 : 0;
}

static SprtState run_match(Rng *rng, const SprtTest *test, const Players *players, int *pairs) {
    enum { PAIRS_MAX = 100000 };
    ScoreSample sample = {SCORE_PAIRS, {0}};
    SprtState state = SPRT_GOES_ON;
    *pairs = 0;
    while (state == SPRT_GOES_ON && *pairs < PAIRS_MAX) {
        for (int i = 0; i < 4; i++) { /* a few pairs between two checks, as with concurrency */
            double bias = rng_next(rng) & 1 ? players->bias_elo : -players->bias_elo;
            int sum = play_game(rng, players->elo + bias, players->draw_share) +
                      play_game(rng, players->elo - bias, players->draw_share);
            sample.count[sum]++;
            ++*pairs;
        }
        state = elo_sprt_state(test, &sample);
    }
    return state;
}

enum { RUNS = 200 };

/* The number of matches of RUNS that accept H1. */
static int count_h1(const SprtTest *test, const Players *players, uint64_t seed) {
    int accepted = 0;
    Rng rng = rng_init(seed);
    for (int run = 0; run < RUNS; run++) {
        int pairs;
        accepted += run_match(&rng, test, players, &pairs) == SPRT_ACCEPTS_H1;
    }
    return accepted;
}

/* At error rates of 5 %, 200 runs have 10 errors on average, with a standard deviation of 3.1. The
 * chance of more than 20 errors is below 1 in 1,000. */
static void test_error_rates_logistic(void) {
    SprtTest test = {SPRT_LOGISTIC, 0.0, 20.0, 0.05, 0.05};
    Players at_h0 = {0.0, 0.1, 60.0};
    Players at_h1 = {20.0, 0.1, 60.0};
    CHECK(count_h1(&test, &at_h0, 1) <= 20);
    CHECK(count_h1(&test, &at_h1, 2) >= RUNS - 20);
    Players far_below = {-20.0, 0.1, 60.0};
    Players far_above = {40.0, 0.1, 60.0};
    CHECK(count_h1(&test, &far_below, 3) <= 1);
    CHECK(count_h1(&test, &far_above, 4) >= RUNS - 1);
    /* Halfway between the bounds, both decisions are equally likely. */
    Players between = {10.0, 0.1, 60.0};
    int accepted = count_h1(&test, &between, 5);
    CHECK(accepted > RUNS / 4 && accepted < RUNS * 3 / 4);
}

/* The true normalised difference of independent games: (score - 1/2) / deviation of a game. */
static double normalised(double elo, double draw_share) {
    double score = elo_to_score(elo);
    double win = score - draw_share / 2.0;
    double variance = win + draw_share / 4.0 - score * score;
    return (score - 0.5) / sqrt(variance) * elo_nelo_unit();
}

static void test_error_rates_normalised(void) {
    double elo1 = normalised(20.0, 0.3);
    SprtTest test = {SPRT_NORMALISED, 0.0, elo1, 0.05, 0.05};
    Players at_h0 = {0.0, 0.3, 0.0};
    Players at_h1 = {20.0, 0.3, 0.0};
    CHECK(count_h1(&test, &at_h0, 6) <= 20);
    CHECK(count_h1(&test, &at_h1, 7) >= RUNS - 20);
    SprtTest non_regression = {SPRT_NORMALISED, -elo1, 0.0, 0.05, 0.05};
    Players worse = {-20.0, 0.3, 0.0};
    CHECK(count_h1(&non_regression, &worse, 8) <= 20);
    CHECK(count_h1(&non_regression, &at_h0, 9) >= RUNS - 20);
}

UNIT_MAIN({"Wald's bounds", test_bounds},
          {"a published sequential plan decides at its lines", test_sequential_plan},
          {"small differences follow the approximation", test_small_difference},
          {"exchanging the players changes the sign", test_symmetry},
          {"bounds far from zero", test_large_bounds},
          {"logistic bounds keep their error rates", test_error_rates_logistic},
          {"normalised bounds keep their error rates", test_error_rates_normalised})
