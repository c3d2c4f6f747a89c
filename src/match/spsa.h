/* spsa.h: tunes parameters (simultaneous perturbation stochastic approximation).
 *
 * For each pair of games, every parameter is changed in a random direction; one player plays with
 * these changes, the other with the opposite changes, and the result shows in which direction to
 * move the values. Plain arithmetic and text; plays no games.
 *
 * Source: Spall, Implementation of the Simultaneous Perturbation Algorithm (1998). As in testing
 * frameworks for chess engines, the values at the end determine the schedule. For pair k of N, c(k)
 * = c_end * (N / k)^gamma and a(k) = r_end * c_end^2 * ((A + N) / (A + k))^alpha, where A is a
 * fraction of N. */
#ifndef KMD_MATCH_SPSA_H
#define KMD_MATCH_SPSA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef struct SpsaParam {
    char *name;
    bool is_int; /* the engine gets whole numbers, but the value itself may be a fraction */
    double start, min, max;
    double c_end; /* in the last pair, the players' values differ from the value by this much in
                     either direction */
    double r_end; /* in the last pair, each point won moves the value by this fraction of c_end */
} SpsaParam;

typedef struct SpsaOptions {
    const char *params_path; /* NULL: no tuning */
    const char *csv_path;    /* file of the values after each pair, from which a run is resumed */
    const char *svg_path;    /* a chart of the values; NULL: none */
    int pairs;
    double share; /* A as a fraction of pairs */
    double alpha, gamma;
    uint64_t seed;
    SpsaParam *params;
    int count;
} SpsaOptions;

/* Frees the parameters. */
void spsa_free(SpsaOptions *options);

/* Reads lines "name, int|float, start, min, max, c_end, r_end", as in OpenBench, into
 * options->params. Empty lines and lines that begin with # are skipped. On failure returns false
 * with the line number and the reason in *error. */
bool spsa_read_params(StrView text, SpsaOptions *options, StrBuf *error) MUST_CHECK;

/* The values that a pair is played with. */
typedef struct SpsaTrial {
    int pair;     /* 1 to rules->pairs */
    double *plus; /* the value of each parameter for one player; `minus` has those for the other */
    double *minus;
} SpsaTrial;

/* Fills in plus and minus (rules->count numbers each) with numbers around the values. The numbers
 * are between min and max, and whole for int parameters. The numbers depend only on the seed, the
 * pair and the values. */
void spsa_perturb(const SpsaOptions *options, const double *values, SpsaTrial *trial);

/* Moves the values after the pair. `points` is the wins minus the losses of the player with `plus`,
 * from -2 to 2. */
void spsa_update(const SpsaOptions *options, int pair, int points, double *values);

/* Appends a value in the form in which the engine gets it. */
void spsa_add_value(const SpsaParam *param, double value, StrBuf *out);

/* Appends all values as lines "NAME, value", or as lines that spsa_read_params can read. */
void spsa_add_values(const SpsaOptions *options, const double *values, bool is_input, StrBuf *out);

#endif
