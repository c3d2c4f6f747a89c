/* params.c: the table of tunable numbers, with their names. */
#include "search/params.h"

#include "base/base.h"

#ifdef KMD_TUNE
#define PARAM(name, value, min, max, step) int P_##name = (value);
#include "search/params.def"
#undef PARAM
#define PARAM_PLACE(name) (&P_##name)
enum { CAN_SET = true };
#else
#define PARAM_PLACE(name) NULL
enum { CAN_SET = false };
#endif

static const Param params[] = {
#define PARAM(name, value, min, max, step)                                                         \
    {{#name, "N", ARG_INT, 0, min, max, value, .fixed = PARAM_PLACE(name)}, step},
#include "search/params.def"
#undef PARAM
};

const ArgOption *params_option(int index) {
    return CAN_SET && index < (int)COUNTOF(params) ? &params[index].option : NULL;
}

const Param *params_all(int *count) {
    *count = (int)COUNTOF(params);
    return params;
}
