/* options.c: the table of all options with their aliases, and reading and writing their values by
 * it. */
#include "engine/options.h"

#include <string.h>

#include "base/base.h"
#include "base/cpu.h"
#include "rules/declare.h"
#include "search/node.h"
#include "search/params.h"
#include "search/pool.h"
#include "search/searchopt.h"
#include "search/skill.h"
#include "search/tt.h"

#define DEFAULT_HASH_MB 256
#define DEFAULT_THREADS 4 /* or as many as there are processors */
#define NEVER_RESIGN    99999
#define MOST_DRAW_VALUE 30000

#define CHECK(text, member, start_value)                                                           \
    { text, OPTION_CHECK, offsetof(EngineOptions, member), start_value, 0, 1, NULL, NULL }
#define SPIN(text, member, start_value, least, most)                                               \
    { text, OPTION_SPIN, offsetof(EngineOptions, member), start_value, least, most, NULL, NULL }

static const char *const mate_mode_names[] = {"mate", "hisshi", NULL};

static const OptionSpec table[] = {
    SPIN("USI_Hash", hash_mb, DEFAULT_HASH_MB, TT_LEAST_MB, TT_MOST_MB),
    SPIN("Threads", threads, DEFAULT_THREADS, 1, POOL_MOST_THREADS),
    CHECK("USI_Ponder", has_ponder, 0),
    CHECK("Stochastic_Ponder", has_stochastic_ponder, 0),
    SPIN("MultiPV", multi_pv, 1, 1, MAX_MOVES),
    CHECK("USI_OwnBook", has_own_book, 1),
    CHECK("BookOnTheFly", is_book_on_the_fly, 0), /* before the file that it refers to */
    {"BookDir", OPTION_STRING, offsetof(EngineOptions, book_dir), 0, 0, 0, NULL, "<empty>"},
    {"BookFile", OPTION_FILENAME, offsetof(EngineOptions, book_file), 0, 0, 0, NULL, "<default>"},
    SPIN("BookMoves", book_moves, 40, 0, 10000),
    SPIN("BookDepthLimit", book_depth_limit, 0, 0, 99999),
    SPIN("BookEvalDiff", book_eval_diff, 30, 0, 99999),
    SPIN("BookEvalBlackLimit", book_eval_black_limit, -100, -99999, 99999),
    SPIN("BookEvalWhiteLimit", book_eval_white_limit, -140, -99999, 99999),
    SPIN("BookIgnoreRate", book_ignore_rate, 0, 0, 100),
    CHECK("NarrowBook", is_book_narrow, 0),
    CHECK("ConsiderBookMoveCount", counts_book_moves, 0),
    SPIN("BookPvMoves", book_pv_moves, 8, 1, MAX_PLY),
    CHECK("IgnoreBookPly", ignores_book_ply, 0),
    CHECK("FlippedBook", has_flipped_book, 1),
    SPIN("Seed", seed, 0, 0, INT32_MAX),
    {"EnteringKingRule", OPTION_COMBO, offsetof(EngineOptions, entering_king_rule), KMD_DECLARE_27,
     0, 0, declare_rule_names, NULL},
    SPIN("MaxMovesToDraw", max_moves_to_draw, 0, 0, 100000),
    SPIN("DrawValueBlack", draw_value_black, 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("DrawValueWhite", draw_value_white, 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("Contempt", contempt, 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("ResignValue", resign_value, NEVER_RESIGN, 0, NEVER_RESIGN),
    SPIN("NetworkDelay", network_delay, 20, 0, 10000),
    SPIN("NetworkDelay2", network_delay2, 80, 0, 10000),
    SPIN("MinimumThinkingTime", minimum_thinking_time, 0, 0, 100000),
    SPIN("SlowMover", slow_mover, 100, 1, 1000),
    CHECK("RoundUpToFullSecond", is_rounding_up, 0),
    SPIN("PvInterval", pv_interval, 300, 0, 100000),
    CHECK("OutputFailLHPV", reports_fail, 0),
    CHECK("ConsiderationMode", is_analysis, 0),
    CHECK("GenerateAllLegalMoves", has_all_moves, 0),
    {"MateMode", OPTION_COMBO, offsetof(EngineOptions, mate_mode), MATE_MODE_MATE, 0, 0,
     mate_mode_names, NULL},
    CHECK("MateShortest", is_mate_shortest, 0),
    CHECK("MateUnique", is_mate_unique, 0),
    CHECK("MateFutile", is_mate_futile, 0),
    CHECK("MatePruneFutile", prunes_mate_futile, 0),
    SPIN("DepthLimit", depth_limit, 0, 0, MAX_PLY / 2),
    SPIN("NodesLimit", nodes_limit, 0, 0, INT32_MAX),
    SPIN("SkillLevel", skill_level, SKILL_FULL, 0, SKILL_FULL),
    CHECK("USI_LimitStrength", is_limiting_strength, 0),
    SPIN("USI_Elo", elo, 1500, SKILL_LEAST_ELO, SKILL_MOST_ELO),
    {"EvalFile", OPTION_FILENAME, offsetof(EngineOptions, eval_file), 0, 0, 0, NULL, "<empty>"},
    {"DebugLogFile", OPTION_FILENAME, offsetof(EngineOptions, debug_log_file), 0, 0, 0, NULL,
     "<empty>"},
};

/* Names that clients and habits use for the same thing. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
    {"Hash", "USI_Hash"},
    {"Ponder", "USI_Ponder"},
    {"NumberOfThreads", "Threads"},
    {"USI_MultiPV", "MultiPV"},
    {"OwnBook", "USI_OwnBook"},
    {"Resign", "ResignValue"},
    {"USI_AnalyseMode", "ConsiderationMode"},
    {"AnalyseMode", "ConsiderationMode"},
    {"USI_SkillLevel", "SkillLevel"},
    {"Skill_Level", "SkillLevel"},
    {"LimitStrength", "USI_LimitStrength"},
    {"Elo", "USI_Elo"},
};

/* Options of other engines, which clients send to every engine: accepted, and without effect. */
static const char *const foreign[] = {
    "USI_Variant", "USI_ShowCurrLine", "USI_ShowRefutations", "EvalDir",        "EvalShare",
    "FV_SCALE",    "NumaPolicy",       "LargePageEnable",     "ThreadIdOffset", "WriteDebugLog",
    "Book_File",   "Best_Book_Move",   "Min_Book_Score",      "Min_Book_Ply",   "Max_Book_Ply",
};

static bool is_foreign(StrView name) {
    return sv_index(name, foreign, COUNTOF(foreign), sizeof(foreign[0]), sv_equal_nocase) >= 0;
}

const OptionSpec *options_table(int *count) {
    *count = (int)COUNTOF(table);
    return table;
}

const OptionSpec *options_find(StrView name) {
    int alias =
        sv_index(name, &aliases[0].alias, COUNTOF(aliases), sizeof(aliases[0]), sv_equal_nocase);
    name = alias >= 0 ? sv_from(aliases[alias].name) : name;
    int index = sv_index(name, &table[0].name, COUNTOF(table), sizeof(table[0]), sv_equal_nocase);
    return index >= 0 ? &table[index] : NULL;
}

static int *number_of(EngineOptions *options, const OptionSpec *spec) {
    return (int *)(void *)((char *)options + spec->offset);
}

static bool is_text(const OptionSpec *spec) {
    return spec->kind == OPTION_STRING || spec->kind == OPTION_FILENAME;
}

static StrBuf *text_of(EngineOptions *options, const OptionSpec *spec) {
    return (StrBuf *)(void *)((char *)options + spec->offset);
}

int options_start(const OptionSpec *spec) {
    bool depends = spec->offset == offsetof(EngineOptions, threads);
    return depends ? int_min(spec->start, cpu_cores()) : spec->start;
}

void options_init(EngineOptions *options) {
    *options = (EngineOptions){0};
    for (size_t i = 0; i < COUNTOF(table); i++) {
        if (!is_text(&table[i])) {
            *number_of(options, &table[i]) = options_start(&table[i]);
        } else if (table[i].text != NULL) {
            strbuf_add(text_of(options, &table[i]), options_text(sv_from(table[i].text)));
        }
    }
}

void options_free(EngineOptions *options) {
    for (size_t i = 0; i < COUNTOF(table); i++) {
        if (is_text(&table[i])) {
            strbuf_free(text_of(options, &table[i]));
        }
    }
}

static OptionStatus set_check(int *place, StrView value) {
    bool is_true = sv_equal_nocase(value, SV("true"));
    if (!is_true && !sv_equal_nocase(value, SV("false"))) {
        return OPTION_BAD_VALUE;
    }
    *place = is_true;
    return OPTION_OK;
}

static OptionStatus set_combo(int *place, const char *const *choices, StrView value) {
    for (int i = 0; choices[i] != NULL; i++) {
        if (sv_equal_nocase(value, sv_from(choices[i]))) {
            *place = i;
            return OPTION_OK;
        }
    }
    return OPTION_BAD_VALUE;
}

StrView options_text(StrView value) {
    return sv_equal(value, SV("<empty>")) ? sv_prefix(value, 0) : value;
}

static OptionStatus set_text(StrBuf *place, StrView value) {
    strbuf_clear(place);
    strbuf_add(place, options_text(value));
    return OPTION_OK;
}

/* Tuning builds take the search's parameters as options. */
static OptionStatus set_param(StrView name, StrView value) {
    const Param *param = params_find(name);
    if (param == NULL) {
        return OPTION_UNKNOWN;
    }
    if (!sv_to_int(value, param->min, param->max, param->value)) {
        return OPTION_BAD_VALUE;
    }
    node_init();
    return OPTION_OK;
}

OptionStatus options_set(EngineOptions *options, StrView name, StrView value) {
    const OptionSpec *spec = options_find(name);
    if (spec == NULL) {
        return is_foreign(name) ? OPTION_OK : set_param(name, value);
    }
    switch (spec->kind) {
    case OPTION_CHECK:
        return set_check(number_of(options, spec), value);
    case OPTION_SPIN:
        return sv_to_int(value, spec->low, spec->high, number_of(options, spec)) ? OPTION_OK
                                                                                 : OPTION_BAD_VALUE;
    case OPTION_COMBO:
        return set_combo(number_of(options, spec), spec->choices, value);
    default:
        return set_text(text_of(options, spec), value);
    }
}

void options_get(const EngineOptions *options, const OptionSpec *spec, StrBuf *out) {
    const char *place = (const char *)options + spec->offset;
    if (is_text(spec)) {
        strbuf_add(out, strbuf_view((const StrBuf *)(const void *)place));
        return;
    }
    int number = *(const int *)(const void *)place;
    if (spec->kind == OPTION_CHECK) {
        strbuf_add_str(out, number != 0 ? "true" : "false");
    } else if (spec->kind == OPTION_COMBO) {
        strbuf_add_str(out, spec->choices[number]);
    } else {
        strbuf_add_i64(out, number);
    }
}

static TimeOptions time_options(const EngineOptions *options) {
    return (TimeOptions){.network_delay_ms = options->network_delay,
                         .network_delay2_ms = options->network_delay2,
                         .minimum_thinking_ms = options->minimum_thinking_time,
                         .slow_mover = options->slow_mover,
                         .is_rounded = options->is_rounding_up != 0,
                         .has_ponder = options->has_ponder != 0};
}

static int draw_value(const EngineOptions *options, int value) {
    return options->is_analysis != 0
               ? 0
               : int_clamp(value - options->contempt, -MOST_DRAW_VALUE, MOST_DRAW_VALUE);
}

void options_for_search(const EngineOptions *options, SearchOptions *out) {
    bool is_analysis = options->is_analysis != 0;
    int level = options->is_limiting_strength != 0 ? skill_level_of_elo(options->elo)
                                                   : options->skill_level;
    *out = (SearchOptions){
        .multi_pv = options->multi_pv,
        .declare = (KmdDeclareRule)options->entering_king_rule,
        .max_plies = options->max_moves_to_draw,
        .draw_value = {draw_value(options, options->draw_value_black),
                       draw_value(options, options->draw_value_white)},
        .resign_value = is_analysis ? NEVER_RESIGN : options->resign_value,
        .pv_interval_ms = options->pv_interval,
        .reports_fail = options->reports_fail != 0,
        .has_all_moves = options->has_all_moves != 0,
        .depth_limit = options->depth_limit,
        .nodes_limit = (uint64_t)options->nodes_limit,
        .skill = skill_of_level(is_analysis ? SKILL_FULL : level),
        .time = time_options(options),
    };
}
