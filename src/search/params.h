/* params.h: the tunable numbers of params.def, under names that begin with P_.
 *
 * In ordinary builds they are constants. In a tuning build (make MODE=tune) they are variables that
 * setoption changes between searches, and `komadori params` prints them as input for an SPSA
 * tuner. */
#ifndef KMD_SEARCH_PARAMS_H
#define KMD_SEARCH_PARAMS_H

#include "base/cmdline.h"

#ifdef KMD_TUNE
#define PARAM(name, value, min, max, step) extern int P_##name;
#include "search/params.def"
#undef PARAM
#else
enum {
#define PARAM(name, value, min, max, step) P_##name = (value),
#include "search/params.def"
#undef PARAM
    P_END
};
#endif

/* A tunable number with the data that a tuner needs. */
typedef struct Param {
    ArgOption option; /* the option; its name lacks the P_ */
    int step;
} Param;

/* The option for the parameter with this index in the order of params.def. NULL after the last, and
 * always NULL in ordinary builds. */
const ArgOption *params_option(int index);

/* All parameters, in the order of params.def. */
const Param *params_all(int *count);

#endif
