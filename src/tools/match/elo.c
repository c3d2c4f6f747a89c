#include "tools/match/elo.h"

#include <math.h>

#include "base/base.h"

/* The two-sided 95 % point of the normal distribution. */
#define NORMAL_95 1.959963984540054

double elo_of_score(double score) {
    if (score <= 0.0) {
        return -INFINITY;
    }
    if (score >= 1.0) {
        return INFINITY;
    }
    return 400.0 * log10(score / (1.0 - score));
}

double elo_to_score(double elo) {
    return 1.0 / (1.0 + pow(10.0, -elo / 400.0));
}

double nelo_unit(void) {
    return 800.0 / log(10.0);
}

static double normal_below(double z) {
    return 0.5 * erfc(-z / sqrt(2.0));
}

ScoreMoments score_moments(const ScoreSample *sample) {
    ASSERT(sample->kinds == SCORE_GAMES || sample->kinds == SCORE_PAIRS);
    ScoreMoments moments = {0.0, 0.5, 0.0};
    double sum = 0.0;
    double step = 1.0 / (sample->kinds - 1);
    for (int i = 0; i < sample->kinds; i++) {
        moments.number += (double)sample->count[i];
        sum += (double)sample->count[i] * i * step;
    }
    if (moments.number == 0.0) {
        return moments;
    }
    moments.mean = sum / moments.number;
    for (int i = 0; i < sample->kinds; i++) {
        double off = i * step - moments.mean;
        moments.variance += (double)sample->count[i] * off * off / moments.number;
    }
    return moments;
}

EloEstimate elo_estimate(const ScoreSample *sample) {
    ScoreMoments moments = score_moments(sample);
    EloEstimate estimate = {.score = moments.mean, .elo = elo_of_score(moments.mean)};
    if (moments.number == 0.0) {
        estimate.superiority = 0.5;
        estimate.elo_low = -INFINITY;
        estimate.elo_high = INFINITY;
        estimate.elo_error = INFINITY;
        estimate.nelo_error = INFINITY;
        return estimate;
    }
    double mean_error = sqrt(moments.variance / moments.number);
    estimate.elo_low = elo_of_score(moments.mean - NORMAL_95 * mean_error);
    estimate.elo_high = elo_of_score(moments.mean + NORMAL_95 * mean_error);
    estimate.elo_error = (estimate.elo_high - estimate.elo_low) / 2.0;
    double lead = moments.mean - 0.5;
    if (moments.variance == 0.0) {
        estimate.superiority = lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
        estimate.nelo = lead == 0.0 ? 0.0 : copysign(INFINITY, lead);
        /* Scores that are all the same tell nothing of how far the next one may be off. */
        estimate.elo_error = INFINITY;
        estimate.nelo_error = INFINITY;
        return estimate;
    }
    /* The score of a pair is the mean of two games: the deviation of one game is sqrt(2) wider. */
    double games_each = sample->kinds == SCORE_PAIRS ? 2.0 : 1.0;
    estimate.superiority = normal_below(lead / mean_error);
    estimate.nelo = nelo_unit() * lead / sqrt(games_each * moments.variance);
    estimate.nelo_error = nelo_unit() * NORMAL_95 / sqrt(games_each * moments.number);
    return estimate;
}
