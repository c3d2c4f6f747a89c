/* Forecasts: losses, the best scale, and errors clustered by game. */
#include "train/forecast.h"

#include <math.h>

#include "base/rng.h"
#include "unit.h"

static bool is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

static void losses_follow_the_definition(void) {
    CHECK(is_near(forecast_chance(0, 500), 0.5, 1e-12));
    CHECK(is_near(forecast_chance(500, 500), 1 / (1 + exp(-1)), 1e-12));
    CHECK(is_near(forecast_chance(-500, 500), 1 - forecast_chance(500, 500), 1e-12));
    CHECK(is_near(forecast_chance(SCORE_MATE, 500), 0.998, 1e-12));
    CHECK(is_near(forecast_loss(0.5, 1), log(2), 1e-12));
    CHECK(is_near(forecast_loss(0.8, 1), -log(0.8), 1e-12));
    CHECK(is_near(forecast_loss(0.8, 0), -log(0.2), 1e-12));
    CHECK(is_near(forecast_loss(0.8, 0.5), -(log(0.8) + log(0.2)) / 2, 1e-12));
}

enum { POSITIONS = 20000, PER_GAME = 10 };

static int game[POSITIONS];
static double result[POSITIONS], value[POSITIONS];
static Score score[POSITIONS];

/* Results that are drawn with the chance that the score means at a scale give that scale back. */
static void the_best_scale_is_the_true_one(void) {
    static const double scales[] = {150, 440, 900};
    ForecastSet set = {POSITIONS, game, result};
    Rng rng = rng_init(1);
    for (size_t k = 0; k < COUNTOF(scales); k++) {
        for (int i = 0; i < POSITIONS; i++) {
            game[i] = i;
            score[i] = (int)rng_below(&rng, 2001) - 1000;
            result[i] = rng_unit(&rng) < 1 / (1 + exp(-score[i] / scales[k]));
        }
        CHECK(is_near(forecast_best_scale(&set, score) / scales[k], 1, 0.06));
    }
    for (int i = 0; i < POSITIONS; i++) {
        result[i] = (double)rng_below(&rng, 2);
    }
    CHECK(forecast_best_scale(&set, score) > 3000);
}

/* The positions of a game with the same value are one observation. */
static void errors_are_clustered_by_game(void) {
    ForecastSet set = {POSITIONS, game, result};
    Rng rng = rng_init(2);
    for (int i = 0; i < POSITIONS; i++) {
        game[i] = i / PER_GAME;
        value[i] = i % PER_GAME == 0 ? (double)rng_below(&rng, 2) : value[i - 1];
    }
    Estimate all = forecast_mean(&set, value, NULL, 0);
    CHECK_INT(all.count, POSITIONS);
    double expected = sqrt(all.mean * (1 - all.mean) / (POSITIONS / PER_GAME - 1));
    CHECK(is_near(all.error / expected, 1, 1e-9));
    for (int i = 0; i < POSITIONS; i++) {
        game[i] = i;
    }
    expected = sqrt(all.mean * (1 - all.mean) / (POSITIONS - 1));
    CHECK(is_near(forecast_mean(&set, value, NULL, 0).error / expected, 1, 1e-9));
}

static void groups_are_separate(void) {
    static const int games[] = {0, 0, 0, 1, 1, 2};
    static const double values[] = {1, 5, 1, 3, 7, 9};
    static const int groups[] = {0, 1, 0, 0, 1, 2};
    ForecastSet set = {6, games, values};
    Estimate zero = forecast_mean(&set, values, groups, 0);
    CHECK_INT(zero.count, 3);
    CHECK(is_near(zero.mean, 5.0 / 3, 1e-12));
    /* Sums of the deviations: -4/3 in game 0 and 4/3 in game 1. */
    CHECK(is_near(zero.error, sqrt(2 * 2 * 16.0 / 9) / 3, 1e-12));
    CHECK(is_near(forecast_mean(&set, values, groups, 2).error, 0, 0));
    CHECK_INT(forecast_mean(&set, values, groups, 3).count, 0);
}

UNIT_MAIN({"losses follow the definition", losses_follow_the_definition},
          {"the best scale is the true one", the_best_scale_is_the_true_one},
          {"errors are clustered by game", errors_are_clustered_by_game},
          {"groups are separate", groups_are_separate})
