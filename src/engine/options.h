/* options.h: every option of the engine, in one table of ArgOption.
 *
 * Plain data; an EngineOptions belongs to one thread. Names are compared without regard to case,
 * and other names for the same options are accepted (the table of aliases in options.c). `komadori
 * options` prints the table; `make manuals` copies it to docs/usi.md. */
#ifndef KMD_ENGINE_OPTIONS_H
#define KMD_ENGINE_OPTIONS_H

#include <stdbool.h>

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "engine/ownbook.h"
#include "search/searchopt.h"

/* What `go mate` looks for. */
typedef enum MateMode { MATE_MODE_MATE, MATE_MODE_HISSHI } MateMode;

/* Each member has the name of its option and is in the struct of the module that uses it. */
typedef struct EngineOptions {
    SearchOptions search; /* options_for_search adds the effects of strength, contempt and
                             ConsiderationMode */
    BookOptions book;
    MateOptions mate;
    MateMode mate_mode;
    int usi_hash; /* MB */
    int threads;
    bool stochastic_ponder;
    int seed;     /* seed of all random choices; 0: a different one each time */
    int contempt; /* what a draw is worth less to the engine, in centipawns */
    bool consideration_mode;
    int skill_level;
    bool usi_limit_strength;
    int usi_elo;
    ArgFile eval_file; /* empty: the built-in network */
    ArgFile debug_log_file;
} EngineOptions;

typedef enum OptionStatus {
    OPTION_OK,
    OPTION_UNKNOWN,   /* no such name */
    OPTION_BAD_VALUE, /* wrong type or out of range; the old value remains */
    OPTION_BAD_FILE   /* the file cannot be used; the old value remains */
} OptionStatus;

/* The option with this index, in the order in which a GUI shows them; NULL after the last. In a
 * tuning build, the parameters of the search (search/params.h) come after the others. The functions
 * of base/cmdline.h read and print the values. */
const ArgOption *options_at(int index);

/* The option with this name or alias; NULL if unknown. */
const ArgOption *options_find(StrView name);

/* Sets all defaults. Free with options_free. */
void options_init(EngineOptions *options);
void options_free(EngineOptions *options);

/* On failure, appends the reason to *fault. */
OptionStatus options_set(EngineOptions *options, StrView name, StrView value,
                         StrBuf *fault) MUST_CHECK;

/* The options of a search: strength and contempt are converted to skill and draw values, and
 * ConsiderationMode is applied. */
void options_for_search(const EngineOptions *options, SearchOptions *out);

#endif
