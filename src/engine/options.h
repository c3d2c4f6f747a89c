/* options.h: every option of the engine in one table of ArgOption.
 *
 * Plain data; an EngineOptions belongs to one thread. Names are compared without case; old and
 * foreign names are accepted besides (alias table in options.c). `komadori
 * options` prints the table, from which `make manuals` makes that of docs/usi.md. */
#ifndef KMD_ENGINE_OPTIONS_H
#define KMD_ENGINE_OPTIONS_H

#include <stdbool.h>

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "engine/ownbook.h"
#include "search/searchopt.h"

/* What `go mate` looks for. */
typedef enum MateMode { MATE_MODE_MATE, MATE_MODE_HISSHI } MateMode;

/* Members are called as their options, and stand in the struct of the module that uses them. */
typedef struct EngineOptions {
    SearchOptions search; /* without `skill`, and as outside analysis */
    BookOptions book;
    MateOptions mate;
    MateMode mate_mode;
    int usi_hash; /* MB */
    int threads;
    bool stochastic_ponder;
    int seed;     /* of what is left to chance; 0: by the clock */
    int contempt; /* centipawns that a draw is worth less */
    bool consideration_mode;
    int skill_level;
    bool usi_limit_strength;
    int usi_elo;
    ArgFile eval_file; /* empty: the network inside the program */
    ArgFile debug_log_file;
} EngineOptions;

typedef enum OptionStatus {
    OPTION_OK,
    OPTION_UNKNOWN,   /* no such name */
    OPTION_BAD_VALUE, /* not of the kind, or out of range: the old value stays */
    OPTION_BAD_FILE   /* names a file that cannot be used: likewise */
} OptionStatus;

/* The option of that number in the order in which a GUI is to show them; NULL past the last. In a
 * tuning build the search's parameters (search/params.h) follow the others. The values of all of
 * them are read and printed by the functions of base/cmdline.h. */
const ArgOption *options_at(int index);

/* The option of a name or alias; NULL when unknown. */
const ArgOption *options_find(StrView name);

/* All defaults. Free with options_free. */
void options_init(EngineOptions *options);
void options_free(EngineOptions *options);

/* Appends to *fault what is wrong with a value or file. */
OptionStatus options_set(EngineOptions *options, StrView name, StrView value,
                         StrBuf *fault) MUST_CHECK;

/* The options of a search: without contempt and strength, which become draw values and skill, and
 * as analysis needs them. */
void options_for_search(const EngineOptions *options, SearchOptions *out);

#endif
