/* enginespec.h: an engine as the user describes it with KEY=VALUE words: the program, its options
 * and its limits. Plain data; starts nothing. */
#ifndef KMD_PLAY_ENGINESPEC_H
#define KMD_PLAY_ENGINESPEC_H

#include <stdbool.h>

#include "base/cmdline.h"
#include "base/str.h"
#include "play/timecontrol.h"

/* A setoption line; value may be empty. */
typedef struct EngineOption {
    char *name;
    char *value;
} EngineOption;

/* An engine as the user describes it. The Contest owns it; while games run it is only read. */
typedef struct EngineSpec {
    char *name;             /* name shown in tables; unique in a match */
    const char *given_name; /* the name that the user gave, or NULL */
    char **argv;            /* ends with NULL */
    int argc;
    const char *dir;         /* working directory or NULL */
    const char *stderr_path; /* file for stderr, or NULL */
    EngineOption *options;
    int option_count;
    TimeControl tc;
    char *time_text; /* the time control `tc` in words */
    bool ponders;
    bool ponders_early; /* ponder before the clocks are known; ponderhit then has the times */
    bool restarts;      /* start a new process for each game */
} EngineSpec;

/* The programs, as bits of ArgOption.commands: servers of CSA have clocks of their own. */
enum { ENGINE_OF_MATCH = 1, ENGINE_OF_CSA = 2 };

/* The keys of -engine, for help texts; the last entry has no name. */
extern const ArgOption enginespec_keys[];

/* Reads words of an engine for one of the programs. On failure returns false with the reason in
 * *error. */
bool enginespec_read(EngineSpec *engine, unsigned program, const Args *words,
                     StrBuf *error) MUST_CHECK;

/* Sets a USI option, which replaces an earlier value. */
void enginespec_set_option(EngineSpec *engine, StrView name, StrView value);

/* True if the name has a control character, such as a line end, which would break the lines that
 * contain the name. */
bool enginespec_has_control(StrView name);

void enginespec_free(EngineSpec *engine);

#endif
