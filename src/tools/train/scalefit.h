/* scalefit.h: how many centipawns a unit of the sigmoid is, from scores and results. */
#ifndef KMD_TRAIN_SCALEFIT_H
#define KMD_TRAIN_SCALEFIT_H

struct SampleSet;

/* The scale under which the games' results are the likeliest: the maximum of the sum of
 * result * log(s) + (1 - result) * log(1 - s), s = 1 / (1 + exp(-score / scale)). Within 50 ..
 * 3000; 400 without samples. */
double scalefit(const struct SampleSet *set);

#endif
