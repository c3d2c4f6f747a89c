/* sprt.h: the sequential probability ratio test: has the first player been shown to be better by
 * elo1 rather than elo0, or the other way round, or must the match go on?
 *
 * Plain arithmetic without state. Sources: A. Wald, Sequential Tests of Statistical Hypotheses
 * (1945) for the bounds; M. Van den Bergh, A Practical Introduction to the GSPRT (2019) and
 * Comments on Normalized Elo (2020) for the generalised likelihood ratio of samples with more than
 * two kinds of results. */
#ifndef KMD_MATCH_SPRT_H
#define KMD_MATCH_SPRT_H

#include <stdbool.h>

#include "tools/match/elo.h"

/* What elo0 and elo1 are measured in. Normalised bounds need about the same number of games
 * whatever the share of draws and the bias of the openings. */
typedef enum SprtModel { SPRT_LOGISTIC, SPRT_NORMALISED } SprtModel;

typedef struct SprtTest {
    SprtModel model;
    double elo0;  /* the hypothesis H0 */
    double elo1;  /* the hypothesis H1; greater than elo0 */
    double alpha; /* chance of accepting H1 when H0 holds; 0 to 1, both ends excluded */
    double beta;  /* chance of accepting H0 when H1 holds; likewise, and alpha + beta < 1 */
} SprtTest;

typedef enum SprtState { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 } SprtState;

/* The bounds of the log-likelihood ratio: H0 is accepted at or below the lower one, H1 at or above
 * the upper one. */
double sprt_lower(const SprtTest *test);
double sprt_upper(const SprtTest *test);

/* The generalised log-likelihood ratio of H1 to H0; 0 without results. */
double sprt_llr(const SprtTest *test, const ScoreSample *sample);

SprtState sprt_state(const SprtTest *test, const ScoreSample *sample);

#endif
