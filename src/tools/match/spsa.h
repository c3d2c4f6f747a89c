/* spsa.h: tunes parameters (simultaneous perturbation stochastic approximation).
 *
 * For each pair of games, every parameter is changed in a random direction; one player plays with
 * these changes, the other with the opposite ones, and the result says which way to move the
 * values. Plain arithmetic and text; plays nothing.
 *
 * Source: J. Spall, Implementation of the Simultaneous Perturbation Algorithm (1998). As in testing
 * frameworks for chess engines, the schedule is given by its end: for pair k of N, c(k) = c_end *
 * (N / k)^gamma and a(k) = r_end * c_end^2 * ((A + N) / (A + k))^alpha, where A is a fraction of N.
 * */
#ifndef KMD_MATCH_SPSA_H
#define KMD_MATCH_SPSA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef struct SpsaParam {
    char *name;
    bool is_int; /* the engine gets whole numbers; between games the value may be a fraction */
    double start, min, max;
    double c_end; /* in the last pair, the players are this far on each side of the value */
    double
        r_end; /* in the last pair, each point of difference moves it by this fraction of c_end */
} SpsaParam;

typedef struct SpsaRules {
    const char *params_path; /* NULL: no tuning */
    const char *csv_path;    /* the values after each pair, from which a run is resumed */
    const char *svg_path;    /* a chart of the values; NULL: none */
    int pairs;
    double share; /* A as a fraction of pairs */
    double alpha, gamma;
    uint64_t seed;
    SpsaParam *params;
    int count;
} SpsaRules;

/* Frees the parameters. */
void spsa_free(SpsaRules *rules);

/* Reads lines "name, int|float, start, min, max, c_end, r_end", as in OpenBench, into
 * rules->params. Empty lines and lines that begin with # are skipped. Returns false with line and
 * reason in *error. */
bool spsa_read_params(StrView text, SpsaRules *rules, StrBuf *error) MUST_CHECK;

/* The values that a pair is played with. */
typedef struct SpsaTrial {
    int pair;     /* 1 to rules->pairs */
    double *plus; /* the value of each parameter for one player and for the other */
    double *minus;
} SpsaTrial;

/* Fills in plus and minus (rules->count numbers each) around the values: whole numbers for int
 * parameters, all between min and max. They depend only on the seed, the pair and the values. */
void spsa_perturb(const SpsaRules *rules, const double *values, SpsaTrial *trial);

/* Moves the values after the pair. `points` is wins minus losses of the player with plus, -2 to 2.
 * */
void spsa_update(const SpsaRules *rules, int pair, int points, double *values);

/* Appends a value in the form that the engine takes. */
void spsa_add_value(const SpsaParam *param, double value, StrBuf *out);

/* Appends all values as lines "NAME, value", or as lines that spsa_read_params takes. */
void spsa_add_values(const SpsaRules *rules, const double *values, bool is_input, StrBuf *out);

#endif
