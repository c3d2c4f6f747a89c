/* options.h: every option of the engine in one table: name, kind, range, default, place.
 *
 * Plain data; an EngineOptions belongs to one thread. Names are compared without case; old and
 * foreign names are accepted besides (alias table in options.c). What each option does for a player
 * is described in docs/usi.md. */
#ifndef KMD_ENGINE_OPTIONS_H
#define KMD_ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct SearchOptions;

/* What `go mate` looks for. */
typedef enum MateMode { MATE_MODE_MATE, MATE_MODE_HISSHI } MateMode;

/* All numbers, switches (0 or 1) and choices (index of the word) are int; texts are StrBuf. */
typedef struct EngineOptions {
    int hash_mb;
    int threads;
    int has_ponder;
    int has_stochastic_ponder;
    int multi_pv;
    int has_own_book;
    int is_book_on_the_fly;
    int book_moves;
    int book_depth_limit;
    int book_eval_diff;
    int book_eval_black_limit;
    int book_eval_white_limit;
    int book_ignore_rate;
    int is_book_narrow;
    int counts_book_moves;
    int book_pv_moves;
    int ignores_book_ply;
    int has_flipped_book;
    int seed;               /* of what is left to chance; 0: by the clock */
    int entering_king_rule; /* a KmdDeclareRule */
    int max_moves_to_draw;
    int draw_value_black;
    int draw_value_white;
    int contempt; /* centipawns that a draw is worth less */
    int resign_value;
    int network_delay;
    int network_delay2;
    int minimum_thinking_time;
    int slow_mover;
    int is_rounding_up;
    int pv_interval;
    int reports_fail;
    int is_analysis;
    int has_all_moves;
    int mate_mode; /* a MateMode */
    int is_mate_shortest;
    int is_mate_unique;
    int is_mate_futile;
    int prunes_mate_futile;
    int depth_limit;
    int nodes_limit;
    int skill_level;
    int is_limiting_strength;
    int elo;
    StrBuf eval_file; /* empty: the network inside the program */
    StrBuf debug_log_file;
    StrBuf book_file; /* <default>, no_book or a path, */
    StrBuf book_dir;  /* in this folder, unless it is empty */
} EngineOptions;

typedef enum OptionKind {
    OPTION_CHECK,
    OPTION_SPIN,
    OPTION_COMBO,
    OPTION_STRING,
    OPTION_FILENAME
} OptionKind;

/* One line of the table. */
typedef struct OptionSpec {
    const char *name;
    OptionKind kind;
    size_t offset; /* into EngineOptions */
    int start;     /* default; for OPTION_COMBO the index; see options_start */
    int low;       /* OPTION_SPIN only, as the next */
    int high;
    const char *const *choices; /* OPTION_COMBO only; ends with NULL */
    const char *text;           /* OPTION_FILENAME only: default */
} OptionSpec;

typedef enum OptionStatus {
    OPTION_OK,
    OPTION_UNKNOWN,   /* no such name */
    OPTION_BAD_VALUE, /* not of the kind, or out of range: the old value stays */
    OPTION_BAD_FILE   /* names a file that cannot be used: likewise */
} OptionStatus;

/* The table in the order in which a GUI is to show it. */
const OptionSpec *options_table(int *count);

/* The line of a name or alias; NULL when unknown. */
const OptionSpec *options_find(StrView name);

/* The default number of an option: no more Threads than there are processors. */
int options_start(const OptionSpec *spec);

/* All defaults. Free with options_free. */
void options_init(EngineOptions *options);
void options_free(EngineOptions *options);

OptionStatus options_set(EngineOptions *options, StrView name, StrView value) MUST_CHECK;

/* What a value of a text option says: clients write an empty text as <empty>. */
StrView options_text(StrView value);

/* Appends the value as text: true, 64, CSARule27. */
void options_get(const EngineOptions *options, const OptionSpec *spec, StrBuf *out);

/* The options that a search needs. */
void options_for_search(const EngineOptions *options, struct SearchOptions *out);

#endif
