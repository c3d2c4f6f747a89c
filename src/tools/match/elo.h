/* elo.h: what a number of results says about the difference in strength of two players.
 *
 * Plain arithmetic without state. Results are counted either game by game (3 kinds: loss, draw,
 * win) or in pairs of games from one opening with colours swapped (5 kinds: the sum of a pair from
 * 0 to 2 in half points). Pairs take out the luck of the opening and are the better estimate.
 * Sources: A. Elo, The Rating of Chessplayers (1978) for the logistic scale; M. Van den Bergh,
 * Comments on Normalized Elo (2020), for pairs and the normalised scale. */
#ifndef KMD_MATCH_ELO_H
#define KMD_MATCH_ELO_H

#include <stdint.h>

enum { SCORE_GAMES = 3, SCORE_PAIRS = 5, SCORE_KINDS_MAX = 5 };

/* Counts of results from the first player's view; the score of kind i is i / (kinds - 1). */
typedef struct ScoreSample {
    int kinds; /* SCORE_GAMES or SCORE_PAIRS */
    uint64_t count[SCORE_KINDS_MAX];
} ScoreSample;

/* Mean and variance of the scores of a sample, in points per game (0 to 1). */
typedef struct ScoreMoments {
    double number; /* games or pairs */
    double mean;
    double variance; /* of one game or pair, about the mean */
} ScoreMoments;

/* Differences are first player minus second. Values are infinite where the score is 0 or 1. */
typedef struct EloEstimate {
    double score;       /* 0 to 1; 0.5 without games */
    double elo;         /* logistic difference */
    double elo_low;     /* ends of the 95 % interval of the mean score, as Elo */
    double elo_high;    /* */
    double elo_error;   /* half the width of that interval */
    double nelo;        /* normalised: mean over standard deviation of a game, times 800 / ln 10 */
    double nelo_error;  /* its 95 % error */
    double superiority; /* likelihood that the first player is the stronger one, 0 to 1 */
} EloEstimate;

/* Logistic Elo difference of an expected score, and back. */
double elo_of_score(double score);
double elo_to_score(double elo);

/* Normalised Elo per unit of (mean - 1/2) / standard deviation of a game: 800 / ln 10. */
double nelo_unit(void);

ScoreMoments score_moments(const ScoreSample *sample);

EloEstimate elo_estimate(const ScoreSample *sample);

#endif
