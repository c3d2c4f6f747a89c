/* options.c: the table of all options, the table of their aliases, and the list of options that are
 * ignored. */
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
#define CHECK(name, member, default, text)                                                         \
    { name, "true|false", ARG_BOOL, PLACE(member, bool), .start = (default), .help = (text) }
#define SPIN(name, member, default, low, high, text)                                               \
    { name, "N", ARG_INT, PLACE(member, int), low, high, .start = (default), .help = (text) }
#define COMBO(name, member, type, default, names, text)                                            \
    { name, NULL, ARG_CHOICE, PLACE(member, type), 0, 0, default, text, .word = (names) }
#define FILENAME(name, member, default, meaning)                                                   \
    { name, "FILE", ARG_FILE, PLACE(member, ArgFile), .text = (default), .help = (meaning) }

_Static_assert(sizeof(KmdDeclareRule) == sizeof(int) && sizeof(MateMode) == sizeof(int),
               "choices are written as int");

static const char *mate_mode_name(int mode) {
    static const char *const names[] = {[MATE_MODE_MATE] = "mate", [MATE_MODE_HISSHI] = "hisshi"};
    return mode < (int)COUNTOF(names) ? names[mode] : NULL;
}

static const ArgOption table[] = {
    SPIN("USI_Hash", usi_hash, DEFAULT_HASH_MB, TT_LEAST_MB, TT_MOST_MB,
         "size of the hash table in MB, allocated at `isready`; see Memory"),
    {"Threads", "N", ARG_INT, PLACE(threads, int), 1, POOL_MOST_THREADS, .start = 4,
     .most_start = cpu_cores,
     .help = "search threads. The default is the number of cores the program may use, at most "
             "4. Set it to the number of free cores. Only with 1 thread does a search limited "
             "by depth or nodes repeat itself exactly after `usinewgame`"},
    CHECK("USI_Ponder", search.time.usi_ponder, false,
          "the GUI uses the opponent's time as well: the engine then spends somewhat more of "
          "its own. The engine never starts to ponder by itself"),
    CHECK("Stochastic_Ponder", stochastic_ponder, false,
          "ponder on all the opponent's moves instead of only the expected one; `ponderhit` "
          "then starts a new search with a warm hash table"),
    SPIN("MultiPV", search.multi_pv, 1, 1, MAX_MOVES,
         "number of best lines to show; may change between searches"),
    CHECK("USI_OwnBook", book.usi_own_book, true,
          "play from the opening book named by `BookFile`, see book.md"),
    /* The next two options come before BookFile, because they affect how the file is opened. */
    CHECK("BookOnTheFly", book.book_on_the_fly, false,
          "search a sorted text book on disk instead of building an index in memory"),
    {"BookDir", "TEXT", ARG_STRING, PLACE(book.book_dir, StrBuf),
     .help = "folder of `BookFile`, unless that is an absolute path: `BookDir/BookFile`, as in "
             "YaneuraOu"},
    FILENAME("BookFile", book.book_file, "<default>",
             "the book; `<default>` is the built-in one, `no_book` or empty means none. Opened "
             "at `isready` or the next `go`. A file that cannot be used is reported in an error "
             "line, and play continues without it"),
    SPIN("BookMoves", book.rules.book_moves, 40, 0, 10000, "use the book up to this move number"),
    SPIN("BookDepthLimit", book.rules.book_depth_limit, 0, 0, 99999,
         "ignore book moves searched to less than this depth; 0: no limit"),
    SPIN("BookEvalDiff", book.rules.book_eval_diff, 30, 0, 99999,
         "ignore book moves worse than the best one by more than this"),
    SPIN("BookEvalBlackLimit", book.rules.book_eval_limit[BLACK], -100, -99999, 99999,
         "ignore book moves with a lower score than this when the engine plays black"),
    SPIN("BookEvalWhiteLimit", book.rules.book_eval_limit[WHITE], -140, -99999, 99999,
         "the same for white"),
    SPIN("BookIgnoreRate", book.book_ignore_rate, 0, 0, 100,
         "percentage of moves for which the engine ignores the book and thinks"),
    CHECK("NarrowBook", book.rules.narrow_book, false,
          "ignore moves with less than a tenth of the position's games"),
    CHECK("ConsiderBookMoveCount", book.rules.consider_book_move_count, false,
          "choose moves with more games more often"),
    SPIN("BookPvMoves", book.book_pv_moves, 8, 1, MAX_PLY,
         "length of the lines shown for book moves"),
    CHECK("IgnoreBookPly", book.rules.find.ignore_book_ply, false,
          "for text books with move numbers: accept any move number"),
    CHECK("FlippedBook", book.rules.find.flipped_book, true,
          "also look up the position with the sides exchanged"),
    SPIN("Seed", seed, 0, 0, INT32_MAX,
         "seed of all random choices (book moves, weak levels, `rtime`), combined with the "
         "position; 0: different each time"),
    COMBO("EnteringKingRule", search.entering_king_rule, KmdDeclareRule, KMD_DECLARE_27,
          declare_rule_name,
          "when a player may declare a win by entering king, see Declarations. Must match "
          "the server or GUI: a wrong declaration loses"),
    SPIN("MaxMovesToDraw", search.max_moves_to_draw, 0, 0, 100000,
         "the game is drawn after this many moves (256, 320 and 512 are common); 0: no limit"),
    SPIN("DrawValueBlack", search.draw_value[BLACK], 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE,
         "value of a draw in centipawns when the engine plays black. Negative: avoid draws"),
    SPIN("DrawValueWhite", search.draw_value[WHITE], 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE,
         "the same for white"),
    SPIN("Contempt", contempt, 0, -MOST_DRAW_VALUE, MOST_DRAW_VALUE,
         "treat a draw, including by repetition, as worth this many centipawns less than "
         "`DrawValue...` says (or more, if negative), whichever side the engine plays. How "
         "this relates to rating differences has not been measured"),
    SPIN("ResignValue", search.resign_value, NEVER_RESIGN, 0, NEVER_RESIGN,
         "resign when the score is minus this or worse; 99999: never"),
    SPIN("NetworkDelay", search.time.network_delay, 20, 0, 10000,
         "usual delay of a move in ms, subtracted from the time of each move, from whole "
         "seconds and from `movetime`"),
    SPIN("NetworkDelay2", search.time.network_delay2, 80, 0, 10000,
         "ms reserved against losing on time, see Time. Raise it for slow connections (1120 "
         "suits distant CSA servers)"),
    SPIN("MinimumThinkingTime", search.time.minimum_thinking_time, 0, 0, 100000,
         "think for at least this many ms, also counted from `ponderhit`, but spend at most "
         "a tenth of the main time on one move for it; for exceptions see Time"),
    SPIN("SlowMover", search.time.slow_mover, 100, 1, 1000,
         "percentage of the usual time per move"),
    CHECK("RoundUpToFullSecond", search.time.round_up_to_full_second, false,
          "for servers that drop fractions of a second: use the rest of the second that is "
          "counted anyway, less `NetworkDelay`"),
    SPIN("PvInterval", search.pv_interval, 300, 0, 100000,
         "minimum ms between two reports; 0: report every iteration and, when one line is "
         "shown, every better move found during it. The last report before `bestmove` is "
         "always printed, and with `MultiPV` the lines of every finished iteration"),
    CHECK("OutputFailLHPV", search.output_fail_lhpv, false,
          "also report scores that are only bounds"),
    CHECK("ConsiderationMode", consideration_mode, false,
          "for analysis: full strength, never resigns, draws are worth 0"),
    CHECK("GenerateAllLegalMoves", search.generate_all_legal_moves, false,
          "also search non-promotions of pawn, lance, bishop and rook, which are hardly ever "
          "better"),
    COMBO("MateMode", mate_mode, MateMode, MATE_MODE_MATE, mate_mode_name,
          "what `go mate` looks for: a mate, or with `hisshi` a brinkmate of at most 5 "
          "moves; see mate.md"),
    CHECK("MateShortest", mate.mate_shortest, false,
          "`go mate` continues until no shorter mate is possible, counting every "
          "interposition; if time runs out first, it prints the shortest mate found. When "
          "off, it spends an eighth of the effort of finding a mate on shortening it"),
    CHECK("MateUnique", mate.mate_unique, false,
          "`go mate` looks for other mating checks along the line of the shortest mate and "
          "prints each of them and the verdict in `info string` lines; see mate.md"),
    CHECK("MateFutile", mate.mate_futile, false,
          "`go mate` also prints the length without futile interpositions in an `info "
          "string` line"),
    CHECK("MatePruneFutile", mate.mate_prune_futile, false,
          "`go mate` tries interpositions that look futile last, which helps when there are "
          "many; see mate.md"),
    SPIN("DepthLimit", search.depth_limit, 0, 0, MAX_PLY / 2,
         "depth limit for every search but `go mate`; 0: none"),
    {"NodesLimit", "N", ARG_U64, PLACE(search.nodes_limit, uint64_t), 0, INT32_MAX,
     .help = "node limit for every search, which `go mate` may exceed by a few hundred nodes; "
             "0: none"},
    SPIN("SkillLevel", skill_level, SKILL_FULL, 0, SKILL_FULL,
         "strength from 0 (beginner) to 20 (full)"),
    CHECK("USI_LimitStrength", usi_limit_strength, false,
          "limit the strength by `USI_Elo` instead of `SkillLevel`"),
    SPIN("USI_Elo", usi_elo, 1500, SKILL_LEAST_ELO, SKILL_MOST_ELO,
         "the strength with `USI_LimitStrength`; see Strength"),
    FILENAME("EvalFile", eval_file, NULL,
             "network file; empty or `<internal>`: the built-in network; `<handwritten>`: no "
             "network. A relative path that does not exist from the working directory is tried "
             "from the program's folder (on Linux and Windows). A file that cannot be used is "
             "reported in an error line and changes nothing. Naming the network already in use "
             "changes nothing either, but the file is read again"),
    FILENAME("DebugLogFile", debug_log_file, NULL,
             "append all lines of the session, with times, to this file"),
};

/* Other names for the same options, used by other engines and by clients. */
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

/* Options of other engines, which clients send to every engine. The engine accepts them without
 * effect. */
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
