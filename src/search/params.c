/* params.c: the list of tunable numbers, by name. */
#include "search/params.h"

#include <stddef.h>

#include "base/base.h"

#ifdef KMD_TUNE
#define PARAM(name, value, min, max, step) int P_##name = (value);
#include "search/params.def"
#undef PARAM
#define PARAM_PLACE(name) &P_##name
#else
#define PARAM_PLACE(name) NULL
#endif

static const Param params[] = {
#define PARAM(name, value, min, max, step) {#name, PARAM_PLACE(name), value, min, max, step},
#include "search/params.def"
#undef PARAM
};

const Param *params_find(StrView name) {
    for (size_t i = 0; i < COUNTOF(params); i++) {
        if (params[i].value != NULL && sv_equal_nocase(name, sv_from(params[i].name))) {
            return &params[i];
        }
    }
    return NULL;
}

const Param *params_all(int *count) {
    *count = (int)COUNTOF(params);
    return params;
}
