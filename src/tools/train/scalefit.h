/* scalefit.h: fits the centipawns per unit of the sigmoid to scores and results. No state:
 * safe from every thread. */
#ifndef KMD_TRAIN_SCALEFIT_H
#define KMD_TRAIN_SCALEFIT_H

#include <stdbool.h>

struct SampleSet;

enum { SCALEFIT_LEAST = 50, SCALEFIT_MOST = 3000 };

/* The scale under which the games' results are the likeliest: the maximum of the sum of
 * result * log(s) + (1 - result) * log(1 - s), s = 1 / (1 + exp(-score / scale)). Within
 * SCALEFIT_LEAST .. SCALEFIT_MOST; 400 without samples. */
double scalefit(const struct SampleSet *set);

/* True when a fit ended at one of its bounds: then the results do not determine the scale. */
bool scalefit_is_at_bound(double scale);

#endif
