/* forecast.c: the sigmoid, its loss and its best scale, and means with clustered errors. */
#include "train/forecast.h"

#include <math.h>

#define CHANCE_MIN 0.002

/* The search for the best scale ends when the range is narrower than this ratio. */
#define SCALE_RATIO 1.0005

double forecast_chance(Score score, double scale) {
    double chance = 1 / (1 + exp(-score / scale));
    return fmin(fmax(chance, CHANCE_MIN), 1 - CHANCE_MIN);
}

double forecast_loss(double chance, double result) {
    return -result * log(chance) - (1 - result) * log(1 - chance);
}

static double loss_at(const ForecastSet *set, const Score *scores, double scale) {
    double sum = 0;
    for (int i = 0; i < set->count; i++) {
        sum += forecast_loss(forecast_chance(scores[i], scale), set->result[i]);
    }
    return sum;
}

/* Golden-section search. Without the limit on the chance, the loss is convex in 1 / scale; with it,
 * it still falls up to its minimum and rises after it, except for tiny ripples. */
double forecast_best_scale(const ForecastSet *set, const Score *scores) {
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(FORECAST_SCALE_MIN), high = log(FORECAST_SCALE_MAX);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double loss_a = loss_at(set, scores, exp(a)), loss_b = loss_at(set, scores, exp(b));
    while (high - low > log(SCALE_RATIO)) {
        if (loss_a < loss_b) {
            high = b;
            b = a;
            loss_b = loss_a;
            a = high - golden * (high - low);
            loss_a = loss_at(set, scores, exp(a));
        } else {
            low = a;
            a = b;
            loss_a = loss_b;
            b = low + golden * (high - low);
            loss_b = loss_at(set, scores, exp(b));
        }
    }
    return exp((low + high) / 2);
}

static bool is_in(const int *group, int wanted, int i) {
    return group == NULL || group[i] == wanted;
}

Estimate forecast_mean(const ForecastSet *set, const double *values, const int *group, int wanted) {
    Estimate estimate = {.count = 0};
    double sum = 0;
    for (int i = 0; i < set->count; i++) {
        if (is_in(group, wanted, i)) {
            estimate.count++;
            sum += values[i];
        }
    }
    if (estimate.count == 0) {
        return estimate;
    }
    estimate.mean = sum / estimate.count;
    int games = 0;
    double squares = 0, of_game = 0;
    bool has_any = false;
    for (int i = 0; i < set->count; i++) {
        if (is_in(group, wanted, i)) {
            of_game += values[i] - estimate.mean;
            has_any = true;
        }
        if (i + 1 == set->count || set->game[i + 1] != set->game[i]) {
            games += has_any;
            squares += of_game * of_game;
            of_game = 0;
            has_any = false;
        }
    }
    if (games > 1) {
        estimate.error = sqrt(squares * games / (games - 1)) / estimate.count;
    }
    return estimate;
}
