/* elo.h: estimates the difference in strength of two players from their results. This module also
 * implements the sequential probability ratio test, which decides whether the results support a
 * difference of elo1 (H1) or of elo0 (H0), or whether the match must continue.
 *
 * Plain arithmetic without state. Results are counted either game by game (3 kinds: loss, draw,
 * win) or in pairs of games from one opening with colours swapped (5 kinds: the sum of a pair from
 * 0 to 2 in half points). Pairs remove the luck of the opening, so they give the better estimate.
 * Sources: Elo, The Rating of Chessplayers (1978) for the logistic scale; Van den Bergh, Comments
 * on Normalized Elo (2020) for pairs and the normalised scale; Wald, Sequential Tests of
 * Statistical Hypotheses (1945) for the bounds; Van den Bergh, A Practical Introduction to the
 * GSPRT (2019) for the generalised likelihood ratio of samples with more than two kinds of
 * results. */
#ifndef KMD_MATCH_ELO_H
#define KMD_MATCH_ELO_H

#include <stdint.h>

#include "base/str.h"

enum { SCORE_GAMES = 3, SCORE_PAIRS = 5, SCORE_KINDS_MAX = 5 };

/* Numbers of results from the first player's view; the score of kind i is i / (kinds - 1). */
typedef struct ScoreSample {
    int kinds; /* SCORE_GAMES or SCORE_PAIRS */
    uint64_t count[SCORE_KINDS_MAX];
} ScoreSample;

/* Mean and variance of the scores of a sample, in points per game (0 to 1). */
typedef struct ScoreMoments {
    double number; /* games or pairs */
    double mean;
    double variance; /* variance of the score of one game or pair */
} ScoreMoments;

/* Differences are first player minus second. A value is infinite where its score is 0 or 1: after
 * a lopsided match, only one end of the interval may be known. */
typedef struct EloEstimate {
    double score;       /* 0 to 1; 0.5 without games */
    double elo;         /* logistic difference */
    double elo_low;     /* ends of the 95 % interval of the mean score, as Elo */
    double elo_high;    /* upper end of that interval */
    double elo_error;   /* half the width of that interval; infinite unless both ends are known */
    double nelo;        /* normalised difference: (mean - 1/2) / standard deviation of a game, times
                           800 / ln 10 */
    double nelo_error;  /* 95 % error of nelo */
    double superiority; /* likelihood that the first player is the stronger one, 0 to 1 */
} EloEstimate;

/* Convert an expected score to a logistic Elo difference, and back. */
double elo_of_score(double score);
double elo_to_score(double elo);

/* Normalised Elo per unit of (mean - 1/2) / standard deviation of a game: 800 / ln 10. */
double elo_nelo_unit(void);

ScoreMoments elo_score_moments(const ScoreSample *sample);

EloEstimate elo_estimate(const ScoreSample *sample);

/* Appends the difference with its error, such as "+12.3 +/- 4.5", or with the interval if only one
 * end of it is known: "+511.5 (+307.6 to +inf)". `digits` is the number of decimals. */
void elo_append(const EloEstimate *estimate, int digits, StrBuf *out);

/* The unit of elo0 and elo1. With normalised bounds, a test needs about the same number of games
 * whatever the share of draws and the bias of the openings. */
typedef enum SprtModel { SPRT_NORMALISED, SPRT_LOGISTIC } SprtModel;

typedef struct SprtTest {
    int model;    /* SprtModel */
    double elo0;  /* the hypothesis H0 */
    double elo1;  /* the hypothesis H1; greater than elo0 */
    double alpha; /* chance of accepting H1 when H0 holds; 0 to 1, both ends excluded */
    double beta;  /* chance of accepting H0 when H1 holds; 0 to 1, both ends excluded, and alpha +
                     beta < 1 */
} SprtTest;

typedef enum SprtState { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 } SprtState;

/* The bounds of the log-likelihood ratio: H0 is accepted at or below the lower one, H1 at or above
 * the upper one. */
double elo_sprt_lower(const SprtTest *test);
double elo_sprt_upper(const SprtTest *test);

/* The generalised log-likelihood ratio of H1 to H0; 0 without results. */
double elo_sprt_llr(const SprtTest *test, const ScoreSample *sample);

SprtState elo_sprt_state(const SprtTest *test, const ScoreSample *sample);

#endif
