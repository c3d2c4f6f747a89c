/* forecast.h: measures how well scores predict the results of games.
 *
 * A score says who is better; divided by a scale and put through the sigmoid it forecasts the
 * result. Its log loss is -log of the probability that it gave to what happened: 0.693 for a score
 * that knows nothing. Positions of one game share its result, so standard errors treat each game as
 * one observation ("clustered").
 *
 * Pure functions: safe from every thread. */
#ifndef KMD_TRAIN_FORECAST_H
#define KMD_TRAIN_FORECAST_H

#include "base/base.h"
#include "search/search.h"

/* Positions with known results. Positions of the same game follow one another. */
typedef struct ForecastSet {
    int count;
    const int *game;      /* the number of the position's game */
    const double *result; /* the result for the side to move: 1 won, 0.5 drawn, 0 lost */
} ForecastSet;

/* The range of forecast_best_scale, in centipawns. */
#define FORECAST_SCALE_MIN 20.0
#define FORECAST_SCALE_MAX 5000.0

/* The winning chance that a score forecasts for the side to move, within 0.002 .. 0.998, because no
 * score is certain and a single surprise must not decide a comparison. */
double forecast_chance(Score score, double scale);

/* The log loss of a forecast. A draw counts as half a win and half a loss. */
double forecast_loss(double chance, double result);

/* The scale at which the scores have the lowest mean log loss; FORECAST_SCALE_MAX if the scores say
 * nothing about the results. */
double forecast_best_scale(const ForecastSet *set, const Score *scores);

/* A mean and its standard error. */
typedef struct Estimate {
    int count;
    double mean;
    double error; /* 0 if there are fewer than two games */
} Estimate;

/* The mean of the values of those positions whose group is `wanted`; group NULL: of all. */
Estimate forecast_mean(const ForecastSet *set, const double *values, const int *group, int wanted);

#endif
