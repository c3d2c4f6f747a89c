/* spsa.h: finds values of parameters that play better (simultaneous perturbation stochastic
 * approximation): all parameters are moved at once by a random sign each, one player has them moved
 * one way and the other the other way, and a pair of games says which way to go.
 *
 * Plain arithmetic and text; plays nothing. Source: J. Spall, Implementation of the Simultaneous
 * Perturbation Algorithm (1998). The schedule is given by its end, as testers of chess engines do:
 * of pair k of N, c(k) = c_end * (N / k)^gamma and a(k) = r_end * c_end^2 * ((A + N) / (A +
 * k))^alpha with A a share of N. */
#ifndef KMD_MATCH_SPSA_H
#define KMD_MATCH_SPSA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef struct SpsaParam {
    char *name;
    bool is_int; /* the engine gets whole numbers; between games the value stays a fraction */
    double start, min, max;
    double c_end; /* the last pair plays so far to each side of the value */
    double r_end; /* the last pair moves it by this share of c_end for each point of difference */
} SpsaParam;

typedef struct SpsaRules {
    const char *params_path; /* NULL: nothing is to be tuned */
    const char *csv_path;    /* the way of all parameters, from which a run is taken up again */
    const char *svg_path;    /* a picture of it; NULL: none */
    int pairs;
    double share; /* A as a part of pairs */
    double alpha, gamma;
    uint64_t seed;
    SpsaParam *params;
    int count;
} SpsaRules;

/* Frees the parameters. */
void spsa_free(SpsaRules *rules);

/* Reads lines "name, int|float, start, min, max, c_end, r_end", OpenBench's, into rules->params;
 * empty ones and those that begin with # are skipped. False with the line and fault in *error. */
bool spsa_read_params(StrView text, SpsaRules *rules, StrBuf *error) MUST_CHECK;

/* What a pair is to be played with. */
typedef struct SpsaTrial {
    int pair;     /* 1 to rules->pairs */
    double *plus; /* for each parameter what one player gets, and the other */
    double *minus;
} SpsaTrial;

/* Fills in plus and minus, which hold rules->count numbers each, around the values: whole ones for
 * int parameters, none outside min to max. They follow from the seed, the pair and the values. */
void spsa_perturb(const SpsaRules *rules, const double *values, SpsaTrial *trial);

/* Moves the values after the pair. `points` is wins less losses of the player with plus, -2 to 2.
 */
void spsa_update(const SpsaRules *rules, int pair, int points, double *values);

/* Appends a value as an engine takes it. */
void spsa_add_value(const SpsaParam *param, double value, StrBuf *out);

/* Appends all values as lines "NAME, value", or as lines that spsa_read_params takes. */
void spsa_add_values(const SpsaRules *rules, const double *values, bool is_input, StrBuf *out);

#endif
