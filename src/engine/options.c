/* options.c: the table of all options, their aliases, and the options that are ignored. */
#include "engine/options.h"

#include <stdlib.h>

#include "base/base.h"
#include "base/cpu.h"
#include "rules/declare.h"
#include "search/params.h"
#include "search/pool.h"
#include "search/tt.h"

#define DEFAULT_HASH_MB     256
#define NEVER_RESIGN        99999
#define MOST_DRAW_VALUE     30000

#define PLACE(member, type) ARG_PLACE(EngineOptions, member, type)
#define CHECK(name, member, default)                                                               \
    { name, "true|false", ARG_BOOL, PLACE(member, bool), .start = (default) }
#define SPIN(name, member, default, low, high)                                                     \
    { name, "N", ARG_INT, PLACE(member, int), low, high, .start = (default) }
#define COMBO(name, member, type, default, word_of)                                                \
    { name, NULL, ARG_CHOICE, PLACE(member, type), .start = (default), .word = (word_of) }
#define FILENAME(name, member, default)                                                            \
    { name, "FILE", ARG_FILE, PLACE(member, ArgFile), .text = (default) }

_Static_assert(sizeof(KmdDeclareRule) == sizeof(int) && sizeof(MateMode) == sizeof(int),
               "choices are written as int");

static const char *mate_mode_name(int mode) {
    static const char *const names[] = {[MATE_MODE_MATE] = "mate", [MATE_MODE_HISSHI] = "hisshi"};
    return mode < (int)COUNTOF(names) ? names[mode] : NULL;
}

static const ArgOption table[] = {
    SPIN("USI_Hash", usi_hash, DEFAULT_HASH_MB, TT_LEAST_MB, TT_MOST_MB),
    {"Threads", "N", ARG_INT, PLACE(threads, int), 1, POOL_MOST_THREADS, .start = 4,
     .most_start = cpu_cores},
    CHECK("USI_Ponder", search.time.usi_ponder, false),
    CHECK("Stochastic_Ponder", stochastic_ponder, false),
    SPIN("MultiPV", search.multi_pv, 1, 1, MAX_MOVES),
    CHECK("USI_OwnBook", book.usi_own_book, true),
    CHECK("BookOnTheFly", book.book_on_the_fly, false), /* before the file that it refers to */
    {"BookDir", "TEXT", ARG_STRING, PLACE(book.book_dir, StrBuf), .text = NULL},
    FILENAME("BookFile", book.book_file, "<default>"),
    SPIN("BookMoves", book.rules.book_moves, 40, 0, 10000),
    SPIN("BookDepthLimit", book.rules.book_depth_limit, 0, 0, 99999),
    SPIN("BookEvalDiff", book.rules.book_eval_diff, 30, 0, 99999),
    SPIN("BookEvalBlackLimit", book.rules.book_eval_limit[BLACK], -100, -99999, 99999),
    SPIN("BookEvalWhiteLimit", book.rules.book_eval_limit[WHITE], -140, -99999, 99999),
    SPIN("BookIgnoreRate", book.book_ignore_rate, 0, 0, 100),
    CHECK("NarrowBook", book.rules.narrow_book, false),
    CHECK("ConsiderBookMoveCount", book.rules.consider_book_move_count, false),
    SPIN("BookPvMoves", book.book_pv_moves, 8, 1, MAX_PLY),
    CHECK("IgnoreBookPly", book.rules.find.ignore_book_ply, false),
    CHECK("FlippedBook", book.rules.find.flipped_book, true),
    SPIN("Seed", seed, 0, 0, INT32_MAX),
    COMBO("EnteringKingRule", search.entering_king_rule, KmdDeclareRule, KMD_DECLARE_27,
          declare_rule_name),
    SPIN("MaxMovesToDraw", search.max_moves_to_draw, 0, 0, 100000),
    SPIN("DrawValueBlack", search.draw_value[BLACK], 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("DrawValueWhite", search.draw_value[WHITE], 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("Contempt", contempt, 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE),
    SPIN("ResignValue", search.resign_value, NEVER_RESIGN, 0, NEVER_RESIGN),
    SPIN("NetworkDelay", search.time.network_delay, 20, 0, 10000),
    SPIN("NetworkDelay2", search.time.network_delay2, 80, 0, 10000),
    SPIN("MinimumThinkingTime", search.time.minimum_thinking_time, 0, 0, 100000),
    SPIN("SlowMover", search.time.slow_mover, 100, 1, 1000),
    CHECK("RoundUpToFullSecond", search.time.round_up_to_full_second, false),
    SPIN("PvInterval", search.pv_interval, 300, 0, 100000),
    CHECK("OutputFailLHPV", search.output_fail_lhpv, false),
    CHECK("ConsiderationMode", consideration_mode, false),
    CHECK("GenerateAllLegalMoves", search.generate_all_legal_moves, false),
    COMBO("MateMode", mate_mode, MateMode, MATE_MODE_MATE, mate_mode_name),
    CHECK("MateShortest", mate.mate_shortest, false),
    CHECK("MateUnique", mate.mate_unique, false),
    CHECK("MateFutile", mate.mate_futile, false),
    CHECK("MatePruneFutile", mate.mate_prune_futile, false),
    SPIN("DepthLimit", search.depth_limit, 0, 0, MAX_PLY / 2),
    {"NodesLimit", "N", ARG_U64, PLACE(search.nodes_limit, uint64_t), 0, INT32_MAX, .start = 0},
    SPIN("SkillLevel", skill_level, SKILL_FULL, 0, SKILL_FULL),
    CHECK("USI_LimitStrength", usi_limit_strength, false),
    SPIN("USI_Elo", usi_elo, 1500, SKILL_LEAST_ELO, SKILL_MOST_ELO),
    FILENAME("EvalFile", eval_file, NULL),
    FILENAME("DebugLogFile", debug_log_file, NULL),
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

const ArgOption *options_at(int index) {
    return index < (int)COUNTOF(table) ? &table[index] : params_option(index - (int)COUNTOF(table));
}

const ArgOption *options_find(StrView name) {
    int alias =
        sv_index(name, &aliases[0].alias, COUNTOF(aliases), sizeof(aliases[0]), sv_equal_nocase);
    name = alias >= 0 ? sv_from(aliases[alias].name) : name;
    const ArgOption *option;
    for (int i = 0; (option = options_at(i)) != NULL; i++) {
        if (sv_equal_nocase(name, sv_from(option->name))) {
            break;
        }
    }
    return option;
}

void options_init(EngineOptions *options) {
    *options = (EngineOptions){0};
    cmdline_set_defaults(table, COUNTOF(table), options);
}

void options_free(EngineOptions *options) {
    cmdline_free_texts(table, COUNTOF(table), options);
}

OptionStatus options_set(EngineOptions *options, StrView name, StrView value, StrBuf *fault) {
    const ArgOption *option = options_find(name);
    if (option == NULL) {
        return is_foreign(name) ? OPTION_OK : OPTION_UNKNOWN;
    }
    if (sv_has_byte(value, '\0')) {
        strbuf_addf(fault, "%s: a value cannot contain a NUL byte", option->name);
        return OPTION_BAD_VALUE;
    }
    char *word = sv_copy(value);
    bool is_set = cmdline_read_value(option, word, options, fault);
    free(word);
    return is_set ? OPTION_OK : option->kind == ARG_FILE ? OPTION_BAD_FILE : OPTION_BAD_VALUE;
}

void options_for_search(const EngineOptions *options, SearchOptions *out) {
    int level =
        options->usi_limit_strength ? skill_level_of_elo(options->usi_elo) : options->skill_level;
    *out = options->search;
    if (options->consideration_mode) {
        out->draw_value[BLACK] = out->draw_value[WHITE] = 0;
        out->resign_value = NEVER_RESIGN;
        level = SKILL_FULL;
    } else {
        for (int side = BLACK; side <= WHITE; side++) {
            out->draw_value[side] = int_clamp(out->draw_value[side] - options->contempt,
                                              -MOST_DRAW_VALUE, MOST_DRAW_VALUE);
        }
    }
    out->skill = skill_of_level(level);
}
