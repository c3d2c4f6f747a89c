/* elo.c: computes logistic and normalised Elo from mean and variance, and the likelihood ratio of
 * fitted distributions. */
#include "match/elo.h"

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

double elo_nelo_unit(void) {
    return 800.0 / log(10.0);
}

ScoreMoments elo_score_moments(const ScoreSample *sample) {
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
    ScoreMoments moments = elo_score_moments(sample);
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
    double low = moments.mean - NORMAL_95 * mean_error;
    double high = moments.mean + NORMAL_95 * mean_error;
    double lead = moments.mean - 0.5;
    if (moments.variance == 0.0) {
        /* All scores are the same s, so nothing is known about their deviation. But if the mean is
         * m, a score of s has a probability of at most m / s and (1 - m) / (1 - s) (Markov), and
         * N of them in a row would be too unlikely at the ends of this interval. */
        double chance = pow(0.025, 1.0 / moments.number);
        low = moments.mean * chance;
        high = 1.0 - (1.0 - moments.mean) * chance;
    }
    estimate.elo_low = elo_of_score(low);
    estimate.elo_high = elo_of_score(high);
    estimate.elo_error = (estimate.elo_high - estimate.elo_low) / 2.0;
    if (moments.variance == 0.0) {
        estimate.superiority = lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
        estimate.nelo = lead == 0.0 ? 0.0 : copysign(INFINITY, lead);
        estimate.nelo_error = INFINITY;
        return estimate;
    }
    /* The score of a pair is the mean of two games, so the deviation of one game is sqrt(2) times
     * as large. */
    double games_each = sample->kinds == SCORE_PAIRS ? 2.0 : 1.0;
    estimate.superiority =
        0.5 * erfc(-lead / mean_error / sqrt(2.0)); /* of a normal distribution */
    estimate.nelo = elo_nelo_unit() * lead / sqrt(games_each * moments.variance);
    estimate.nelo_error = elo_nelo_unit() * NORMAL_95 / sqrt(games_each * moments.number);
    return estimate;
}

/* Appends an Elo value; infinite ones in words. */
static void append_elo(double elo, int digits, StrBuf *out) {
    if (isinf(elo)) {
        strbuf_add_str(out, elo > 0.0 ? "+inf" : "-inf");
    } else {
        strbuf_addf(out, "%+.*f", digits, elo);
    }
}

void elo_append(const EloEstimate *estimate, int digits, StrBuf *out) {
    append_elo(estimate->elo, digits, out);
    if (isfinite(estimate->elo_error)) {
        strbuf_addf(out, " +/- %.*f", digits, estimate->elo_error);
    } else if (isinf(estimate->elo_low) && isinf(estimate->elo_high)) {
        strbuf_add_str(out, " +/- inf");
    } else {
        strbuf_add_str(out, " (");
        append_elo(estimate->elo_low, digits, out);
        strbuf_add_str(out, " to ");
        append_elo(estimate->elo_high, digits, out);
        strbuf_add_byte(out, ')');
    }
}

/* ---- The sequential test. ---- */

/* The likelihood ratio is that of two fitted distributions: for each hypothesis, the distribution
 * over the possible scores that fulfils the hypothesis and makes the observed counts most likely.
 * If a hypothesis means that the mean of some function g of the score is 0, Lagrange's method gives
 *     fitted[i] = observed[i] / (1 + x * g[i])
 * where x solves sum(observed[i] * g[i] / (1 + x * g[i])) = 0. For logistic Elo g is the score
 * minus the expected score. For normalised Elo the constraint connects the mean with the deviation.
 * It is linearised around the last fit and solved again until the fit no longer changes. */

/* Replaces counts of 0, so that a fit always exists. */
#define EMPTY_COUNT 1e-3

/* A probability distribution over the possible scores. */
typedef struct Fit {
    int kinds;
    double p[SCORE_KINDS_MAX];
} Fit;

static double score_of_kind(int kind, int kinds) {
    return (double)kind / (kinds - 1);
}

/* Finds x of the equation above. The sum falls from +inf to -inf between the two poles nearest to
 * 0, so bisection finds its zero. g must have values on both sides of 0. */
static double solve_multiplier(const Fit *observed, const double g[SCORE_KINDS_MAX]) {
    double g_min = g[0], g_max = g[0];
    for (int i = 1; i < observed->kinds; i++) {
        g_min = fmin(g_min, g[i]);
        g_max = fmax(g_max, g[i]);
    }
    ASSERT(g_min < 0.0 && g_max > 0.0);
    double low = -1.0 / g_max, high = -1.0 / g_min;
    for (int round = 0; round < 100; round++) {
        double x = (low + high) / 2.0;
        double sum = 0.0;
        for (int i = 0; i < observed->kinds; i++) {
            sum += observed->p[i] * g[i] / (1.0 + x * g[i]);
        }
        if (sum > 0.0) {
            low = x;
        } else {
            high = x;
        }
    }
    return (low + high) / 2.0;
}

/* The most likely distribution for which the mean of g is 0. */
static Fit fit_under(const Fit *observed, const double g[SCORE_KINDS_MAX]) {
    double x = solve_multiplier(observed, g);
    Fit fit = {observed->kinds, {0}};
    for (int i = 0; i < observed->kinds; i++) {
        fit.p[i] = observed->p[i] / (1.0 + x * g[i]);
    }
    return fit;
}

/* The fit whose (mean - 1/2) / deviation is t. The constraint mean - 1/2 - t * sigma = 0 is
 * linearised around the current mean and sigma. Because sigma is concave, it never exceeds its
 * linear form, so every fit has a mean at least as far from 1/2 as t requires. The starting
 * distribution has such a mean too, so g always has values on both sides of 0. */
static Fit fit_t_value(const Fit *observed, double t) {
    enum { ROUNDS_MAX = 50 };
    int kinds = observed->kinds;
    Fit fit = {kinds, {0}}; /* at first with only the worst and the best score */
    double surplus = t / sqrt(1.0 + t * t), change = 1.0;
    fit.p[0] = (1.0 - surplus) / 2.0;
    fit.p[kinds - 1] = (1.0 + surplus) / 2.0;
    for (int round = 0; round < ROUNDS_MAX && change > 1e-9; round++) {
        double mean = 0.0, variance = 0.0;
        for (int i = 0; i < kinds; i++) {
            mean += fit.p[i] * score_of_kind(i, kinds);
        }
        for (int i = 0; i < kinds; i++) {
            double off = score_of_kind(i, kinds) - mean;
            variance += fit.p[i] * off * off;
        }
        double sigma = sqrt(variance), g[SCORE_KINDS_MAX];
        for (int i = 0; i < kinds; i++) {
            double z = (score_of_kind(i, kinds) - mean) / sigma;
            g[i] = score_of_kind(i, kinds) - 0.5 - t * sigma * (1.0 + z * z) / 2.0;
        }
        Fit next = fit_under(observed, g);
        change = 0.0;
        for (int i = 0; i < kinds; i++) {
            change = fmax(change, fabs(next.p[i] - fit.p[i]));
        }
        fit = next;
    }
    return fit;
}

static Fit fit_hypothesis(const SprtTest *test, const Fit *observed, double elo) {
    if (test->model == SPRT_LOGISTIC) {
        double g[SCORE_KINDS_MAX];
        for (int i = 0; i < observed->kinds; i++) {
            g[i] = score_of_kind(i, observed->kinds) - elo_to_score(elo);
        }
        return fit_under(observed, g);
    }
    /* Bounds are per game. The deviation of a pair, which is the mean of two games, is smaller by a
     * factor of sqrt(2). */
    double games_each = observed->kinds == SCORE_PAIRS ? 2.0 : 1.0;
    return fit_t_value(observed, elo / elo_nelo_unit() * sqrt(games_each));
}

double elo_sprt_lower(const SprtTest *test) {
    return log(test->beta / (1.0 - test->alpha));
}

double elo_sprt_upper(const SprtTest *test) {
    return log((1.0 - test->beta) / test->alpha);
}

double elo_sprt_llr(const SprtTest *test, const ScoreSample *sample) {
    Fit observed = {sample->kinds, {0}};
    double number = 0.0;
    for (int i = 0; i < sample->kinds; i++) {
        observed.p[i] = sample->count[i] > 0 ? (double)sample->count[i] : EMPTY_COUNT;
        number += observed.p[i];
    }
    if (number < 1.0) {
        return 0.0;
    }
    for (int i = 0; i < sample->kinds; i++) {
        observed.p[i] /= number;
    }
    Fit fit0 = fit_hypothesis(test, &observed, test->elo0);
    Fit fit1 = fit_hypothesis(test, &observed, test->elo1);
    double llr = 0.0;
    for (int i = 0; i < observed.kinds; i++) {
        llr += number * observed.p[i] * log(fit1.p[i] / fit0.p[i]);
    }
    return llr;
}

SprtState elo_sprt_state(const SprtTest *test, const ScoreSample *sample) {
    double llr = elo_sprt_llr(test, sample);
    if (llr >= elo_sprt_upper(test)) {
        return SPRT_ACCEPTS_H1;
    }
    return llr <= elo_sprt_lower(test) ? SPRT_ACCEPTS_H0 : SPRT_GOES_ON;
}
