/* scalefit.c: finds the scale with the highest likelihood of the results by golden-section search.
 */
#include "tools/train/scalefit.h"

#include <math.h>

#include "tools/train/samples.h"

/* Scores are collected in bins, so that the cost of a trial does not depend on the number of
 * samples. */
enum { BIN_WIDTH = 16, BINS = 2 * 20000 / BIN_WIDTH + 1 };

typedef struct Tally {
    double count[BINS], won[BINS];
} Tally;

/* Minus the logarithm of the likelihood. */
static double surprise(const Tally *tally, double scale) {
    double total = 0;
    for (int i = 0; i < BINS; i++) {
        double x = (i - BINS / 2) * BIN_WIDTH / scale;
        /* log(1 + exp(-x)), which does not overflow. */
        double lost = fmax(-x, 0) + log1p(exp(-fabs(x)));
        total += tally->won[i] * lost + (tally->count[i] - tally->won[i]) * (lost + x);
    }
    return total;
}

double scalefit(const SampleSet *set) {
    static const double golden = 0.6180339887498949;
    Tally tally = {.count = {0}};
    for (size_t i = 0; i < set->count; i++) {
        const Sample *sample = &set->samples[i];
        int bin = (sample->score + BIN_WIDTH * BINS / 2) / BIN_WIDTH;
        bin = int_clamp(bin, 0, BINS - 1);
        tally.count[bin] += sample->has_result;
        tally.won[bin] += sample->has_result * (0.5 + 0.5 * sample->result);
    }
    double low = SCALEFIT_LEAST, high = SCALEFIT_MOST;
    while (set->count > 0 && high - low > 0.5) {
        double left = high - (high - low) * golden;
        double right = low + (high - low) * golden;
        if (surprise(&tally, left) < surprise(&tally, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    return set->count > 0 ? (low + high) / 2 : 400;
}

bool scalefit_is_at_bound(double scale) {
    return scale < SCALEFIT_LEAST + 1 || scale > SCALEFIT_MOST - 1;
}
