/* options.h: every option of the engine in one table of ArgOption.
 *
 * Plain data; an EngineOptions belongs to one thread. Names are compared without case; old and
 * foreign names are accepted besides (alias table in options.c). What each option does for a player
 * is described in docs/usi.md. */
#ifndef KMD_ENGINE_OPTIONS_H
#define KMD_ENGINE_OPTIONS_H

#include <stdbool.h>

#include "base/cmdline.h"
#include "rules/types.h"

struct SearchOptions;

/* What `go mate` looks for. */
typedef enum MateMode { MATE_MODE_MATE, MATE_MODE_HISSHI } MateMode;

typedef struct EngineOptions {
    int hash_mb;
    int threads;
    bool has_ponder;
    bool has_stochastic_ponder;
    int multi_pv;
    bool has_own_book;
    bool is_book_on_the_fly;
    int book_moves;
    int book_depth_limit;
    int book_eval_diff;
    int book_eval_black_limit;
    int book_eval_white_limit;
    int book_ignore_rate;
    bool is_book_narrow;
    bool counts_book_moves;
    int book_pv_moves;
    bool ignores_book_ply;
    bool has_flipped_book;
    int seed; /* of what is left to chance; 0: by the clock */
    KmdDeclareRule entering_king_rule;
    int max_moves_to_draw;
    int draw_value_black;
    int draw_value_white;
    int contempt; /* centipawns that a draw is worth less */
    int resign_value;
    int network_delay;
    int network_delay2;
    int minimum_thinking_time;
    int slow_mover;
    bool is_rounding_up;
    int pv_interval;
    bool reports_fail;
    bool is_analysis;
    bool has_all_moves;
    MateMode mate_mode;
    bool is_mate_shortest;
    bool is_mate_unique;
    bool is_mate_futile;
    bool prunes_mate_futile;
    int depth_limit;
    int nodes_limit;
    int skill_level;
    bool is_limiting_strength;
    int elo;
    ArgFile eval_file; /* empty: the network inside the program */
    ArgFile debug_log_file;
    ArgFile book_file; /* <default>, no_book or a path, */
    StrBuf book_dir;   /* in this folder, unless it is empty */
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

/* The options that a search needs. */
void options_for_search(const EngineOptions *options, struct SearchOptions *out);

#endif
