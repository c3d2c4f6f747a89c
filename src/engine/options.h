/* options.h: every option of the engine, in one table of ArgOption.
 *
 * An EngineOptions is plain data and belongs to one thread. Option names are not case-sensitive;
 * options.c lists further accepted names (aliases). `komadori options` prints the table; `make
 * manuals` copies it to docs/usi.md. */
#ifndef KMD_ENGINE_OPTIONS_H
#define KMD_ENGINE_OPTIONS_H

#include <stdbool.h>

#include "base/cmdline.h"
#include "engine/matetask.h"
#include "engine/ownbook.h"
#include "search/search.h"

/* What `go mate` looks for. */
typedef enum MateMode { MATE_MODE_MATE, MATE_MODE_HISSHI, MATE_MODE_DEFENCE } MateMode;

/* The values of the options. Each member is named after its option; those used by another module
 * are in a struct of that module, which may be set by a command's options too (MateOptions). */
typedef struct EngineOptions {
    SearchOptions search; /* options_for_search adds the effects of strength, contempt and
                             ConsiderationMode */
    OwnBookOptions book;
    MateOptions mate;
    MateMode mate_mode;
    int usi_hash; /* MB */
    int threads;
    bool stochastic_ponder;
    int seed;     /* seed of all random choices; 0: a different one each time */
    int contempt; /* how much less a draw is worth to the engine, in centipawns */
    bool consideration_mode;
    int skill_level;
    bool usi_limit_strength;
    int usi_elo;
    ArgFile eval_file; /* empty: eval_dir or, if that is empty too, the built-in network */
    ArgFile eval_dir;
    int fv_scale; /* of a foreign network; 0: as the file or its folder says */
    ArgFile debug_log_file;
} EngineOptions;

typedef enum OptionStatus {
    OPTION_OK,
    OPTION_UNKNOWN,   /* no such name */
    OPTION_BAD_VALUE, /* wrong type or out of range; the old value remains */
    OPTION_BAD_FILE   /* the file cannot be used; the old value remains */
} OptionStatus;

/* The option with this index, in the order in which a GUI shows them; NULL after the last. In a
 * tuning build, the search parameters (search/params.h) come last. The functions of base/cmdline.h
 * read and print the values. */
const ArgOption *options_at(int index);

/* The option with this name or alias; NULL if unknown. */
const ArgOption *options_find(StrView name);

/* Sets all defaults. Free with options_free. */
void options_init(EngineOptions *options);
void options_free(EngineOptions *options);

/* On failure, appends the reason to *fault. */
OptionStatus options_set(EngineOptions *options, StrView name, StrView value,
                         StrBuf *fault) MUST_CHECK;

/* Computes the options of a search: converts strength and contempt to skill and draw values, and
 * applies ConsiderationMode. */
void options_for_search(const EngineOptions *options, SearchOptions *out);

#endif
