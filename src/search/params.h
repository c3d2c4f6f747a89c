/* params.h: the tunable numbers of params.def as names P_... .
 *
 * In ordinary builds they are constants. A tuning build (make MODE=tune) makes them variables that
 * setoption changes between searches; `komadori params` prints them as input for an SPSA tuner. */
#ifndef KMD_SEARCH_PARAMS_H
#define KMD_SEARCH_PARAMS_H

#include "base/str.h"

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

/* A tunable number as a tuner sees it. */
typedef struct Param {
    const char *name;
    int *value; /* NULL in ordinary builds */
    int standard;
    int min;
    int max;
    int step;
} Param;

/* The parameter of that name (without P_), without regard to case. NULL when there is none that can
 * be set, and so always in ordinary builds. */
const Param *params_find(StrView name);

/* All of them, in the order of params.def. */
const Param *params_all(int *count);

#endif
