/* options.c: the table of all options, the table of their aliases, and the list of options that are
 * ignored. */
#include "engine/options.h"

#include "eval/network.h"

#include <stdlib.h>

#include "base/base.h"
#include "base/cpu.h"
#include "rules/declare.h"
#include "search/params.h"
#include "search/pool.h"
#include "search/tt.h"

/* The skill levels, and the ratings and amateur ranks that select one. */
enum {
    SKILL_FULL = 20, /* no limit */
    SKILL_MIN_ELO = 500,
    SKILL_MAX_ELO = 3000,
    SKILL_MIN_RANK = -30, /* kyu are negative */
    SKILL_MAX_RANK = 9
};

#define DEFAULT_HASH_MB     256
#define NEVER_RESIGN        99999
#define MAX_DRAW_VALUE      30000

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
    static const char *const names[] = {
        [MATE_MODE_MATE] = "mate", [MATE_MODE_HISSHI] = "hisshi", [MATE_MODE_DEFENCE] = "defence"};
    return mode < (int)COUNTOF(names) ? names[mode] : NULL;
}

static const ArgOption table[] = {
    SPIN("USI_Hash", usi_hash, DEFAULT_HASH_MB, TT_MIN_MB, TT_MAX_MB,
         "size of the hash table in MB, allocated at `isready`; see Memory"),
    {"Threads", "N", ARG_INT, PLACE(threads, int), 1, POOL_MAX_THREADS, .start = 4,
     .most_start = cpu_cores,
     .help = "number of search threads. The default is the number of cores that the program may "
             "use, but at most 4. For the strongest play, use the number of free cores. With 1 "
             "thread, a search limited by depth or nodes gives exactly the same result again after "
             "`usinewgame`; with more threads, results vary"},
    CHECK("USI_Ponder", search.time.usi_ponder, false,
          "set by a GUI that lets the engine ponder on the opponent's time; the engine then plans "
          "up to a quarter more time per move. The engine never starts to ponder by itself"),
    CHECK(
        "Stochastic_Ponder", stochastic_ponder, false,
        "ponder on all the opponent's moves instead of only the expected one; `ponderhit` "
        "then starts a new search with a warm hash table. The answer to a `stop` is a move of the "
        "opponent; clients discard it, as they do any answer to a ponder search that missed"),
    SPIN("MultiPV", search.multi_pv, 1, 1, MAX_MOVES,
         "number of best lines to show; may be changed between searches"),
    CHECK("USI_OwnBook", book.usi_own_book, true,
          "play from the opening book that `BookFile` names; see book.md"),
    /* The next two options come before BookFile, because they affect how the file is opened. */
    {"BookDir", "TEXT", ARG_STRING, PLACE(book.book_dir, StrBuf),
     .help = "folder of the book: the engine opens `BookDir/BookFile`, as YaneuraOu does, unless "
             "`BookFile` is an absolute path"},
    FILENAME(
        "BookFile", book.book_file, "<default>",
        "the book file. `<default>` is the built-in book; `no_book` or an empty value means "
        "no book. The file is opened at `isready` or the next `go`, again if it has changed. If "
        "it cannot be used, an error line is printed and the engine plays without it"),
    SPIN("BookMoves", book.options.book_moves, 40, 0, 10000, "use the book up to this move number"),
    SPIN("BookDepthLimit", book.options.book_depth_limit, 0, 0, 99999,
         "ignore book moves whose search depth is less than this; 0 means no limit"),
    SPIN("BookEvalDiff", book.options.book_eval_diff, 30, 0, 99999,
         "ignore book moves worse than the best one by more than this"),
    SPIN("BookEvalBlackLimit", book.options.book_eval_limit[BLACK], -100, -99999, 99999,
         "when the engine plays black, ignore book moves with a lower score than this, except in "
         "handicap games"),
    SPIN("BookEvalWhiteLimit", book.options.book_eval_limit[WHITE], -140, -99999, 99999,
         "when the engine plays white, ignore book moves with a lower score than this, except in "
         "handicap games"),
    SPIN("BookIgnoreRate", book.book_ignore_rate, 0, 0, 100,
         "percentage of moves at which the engine ignores the book and searches"),
    CHECK("NarrowBook", book.options.narrow_book, false,
          "ignore book moves that were played in less than a tenth of the games from the position"),
    CHECK("ConsiderBookMoveCount", book.options.consider_book_move_count, false,
          "choose a book move more often if more games played it"),
    SPIN("BookPvMoves", book.book_pv_moves, 8, 1, MAX_PLY,
         "length of the lines shown for book moves"),
    CHECK("IgnoreBookPly", book.options.find.ignore_book_ply, false,
          "in a text book with move numbers, also find a position under another move number"),
    CHECK("FlippedBook", book.options.find.flipped_book, true,
          "also look up the position in the book with the sides exchanged"),
    SPIN("Seed", seed, 0, 0, INT32_MAX,
         "random seed for book moves, weak levels and `rtime`. A choice depends only on the seed "
         "and the position; 0 makes choices different each time"),
    COMBO("EnteringKingRule", search.entering_king_rule, KmdDeclareRule, KMD_DECLARE_27,
          declare_rule_name,
          "rule for declaring a win with an entering king; see Declarations. It must be the rule "
          "of the server or GUI, because a wrong declaration loses the game"),
    SPIN("MaxMovesToDraw", search.max_moves_to_draw, 0, 0, 100000,
         "the game is drawn after this many moves (256, 320 and 512 are common); 0 means no limit"),
    SPIN("DrawValueBlack", search.draw_value[BLACK], 0, -MAX_DRAW_VALUE, MAX_DRAW_VALUE,
         "value of a draw in centipawns when the engine plays black; with a negative value, the "
         "engine avoids draws"),
    SPIN("DrawValueWhite", search.draw_value[WHITE], 0, -MAX_DRAW_VALUE, MAX_DRAW_VALUE,
         "value of a draw in centipawns when the engine plays white; with a negative value, the "
         "engine avoids draws"),
    SPIN("Contempt", contempt, 0, -MAX_DRAW_VALUE, MAX_DRAW_VALUE,
         "value a draw, also by repetition, this many centipawns lower than `DrawValueBlack` and "
         "`DrawValueWhite` say (higher if negative). It has not been measured which value suits "
         "which rating difference"),
    SPIN("ResignValue", search.resign_value, NEVER_RESIGN, 0, NEVER_RESIGN,
         "resign when the score is minus this value or lower; 99999 means never"),
    SPIN("NetworkDelay", search.time.network_delay, 20, 0, 10000,
         "usual transmission delay of a move in ms; it is subtracted from the time for each move, "
         "from `movetime`, and from the whole seconds of `RoundUpToFullSecond`"),
    SPIN("NetworkDelay2", search.time.network_delay2, 80, 0, 10000,
         "time in ms that is kept in reserve so as not to lose on time; see Time. Raise it for "
         "slow connections (1120 suits distant CSA servers)"),
    SPIN("MinimumThinkingTime", search.time.minimum_thinking_time, 0, 0, 100000,
         "minimum thinking time per move in ms, which also applies after `ponderhit`. To reach it, "
         "the engine spends at most a tenth of the main time on a move; see Time for exceptions"),
    SPIN("SlowMover", search.time.slow_mover, 100, 1, 1000,
         "time per move, as a percentage of the usual time"),
    CHECK("RoundUpToFullSecond", search.time.round_up_to_full_second, false,
          "for servers that count whole seconds: use the whole second in which a move would end, "
          "less `NetworkDelay`"),
    SPIN("PvInterval", search.pv_interval, 300, 0, 100000,
         "minimum time between two reports in ms; in `go infinite` and with `ConsiderationMode` it "
         "counts as 0. With 0, the engine reports every iteration and, if it shows only one "
         "line, every better move found during an iteration. The first report comes "
         "at once, and the last one before `bestmove` is always printed; with `MultiPV`, so are "
         "the lines of every finished "
         "iteration"),
    CHECK("OutputFailLHPV", search.output_fail_lhpv, false,
          "also report scores that are only bounds"),
    CHECK("ConsiderationMode", consideration_mode, false,
          "for analysis: the engine plays at full strength, never resigns, values a draw at 0, and "
          "reports every iteration"),
    CHECK("GenerateAllLegalMoves", search.generate_all_legal_moves, false,
          "also search moves of pawn, lance, bishop and rook that decline promotion, which are "
          "hardly ever better"),
    COMBO("MateMode", mate_mode, MateMode, MATE_MODE_MATE, mate_mode_name,
          "what `go mate` searches for: with `mate` a mate, with `hisshi` a brinkmate of at most 5 "
          "moves, and with `defence`, if the side to move is in check, the longest defence or an "
          "escape; see mate.md"),
    CHECK("MateShortest", mate.is_shortest, false,
          "`go mate` continues until it has proved that no mate is shorter, counting every "
          "interposition; if time runs out first, it prints the shortest mate found so far. If "
          "this option is off, `go mate` tries to shorten a mate for an eighth of the effort that "
          "finding it took"),
    CHECK("MateUnique", mate.checks_unique, false,
          "`go mate` searches for other mating checks along the line of the shortest mate and "
          "prints them and its verdict in `info string` lines; see mate.md. These searches do not "
          "count towards the node limits"),
    CHECK("MateFutile", mate.counts_futile, false,
          "`go mate` also prints the mate without futile interpositions, in an `info "
          "string` line"),
    SPIN("DepthLimit", search.depth_limit, 0, 0, MAX_PLY / 2,
         "depth limit for every search except `go mate`; 0 means no limit"),
    {"NodesLimit", "N", ARG_U64, PLACE(search.nodes_limit, uint64_t), 0, INT32_MAX,
     .help = "node limit for every search; `go mate` may exceed it by a few hundred nodes. 0 means "
             "no limit"},
    SPIN("SkillLevel", skill_level, SKILL_FULL, 0, SKILL_FULL,
         "playing strength, from 0 (beginner) to 20 (full strength)"),
    CHECK("USI_LimitStrength", usi_limit_strength, false,
          "let `USI_Elo` set the playing strength instead of `SkillLevel`"),
    SPIN("USI_Elo", usi_elo, 1500, SKILL_MIN_ELO, SKILL_MAX_ELO,
         "playing strength if `USI_LimitStrength` is on; see Strength"),
    FILENAME(
        "EvalFile", eval_file, NULL,
        "network file, or a folder that contains `nn.bin`; see networks.md. An empty value or "
        "`<internal>` means the built-in network, `<handwritten>` the evaluation without a "
        "network. If a relative path does not exist in the working directory, the engine tries "
        "it in the program's folder (on Linux and Windows). The file is read at `isready` or "
        "`go`, again if it has changed; if it cannot be used, an error line is printed and the "
        "built-in network plays"),
    FILENAME("EvalDir", eval_dir, NULL,
             "folder that contains `nn.bin`, used if `EvalFile` is empty. A relative path is tried "
             "in the program's folder first and then in the working directory"),
    SPIN("FV_SCALE", fv_scale, 0, 0, FOREIGN_MAX_SCALE,
         "divisor of the output of a network in the format `nn.bin`. 0 means what the file or "
         "`eval_options.txt` beside it says, or else 16"),
    FILENAME("DebugLogFile", debug_log_file, NULL,
             "file to which the engine appends every line that it reads or prints, with the time"),
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
    {"Move Overhead", "NetworkDelay2"},
    {"UCI_AnalyseMode", "ConsiderationMode"},
    {"UCI_LimitStrength", "USI_LimitStrength"},
    {"UCI_Elo", "USI_Elo"},
    {"LimitStrength", "USI_LimitStrength"},
    {"Elo", "USI_Elo"},
};

/* Options of other engines, which clients send to every engine. The engine accepts them without
 * effect. */
static const char *const foreign[] = {
    "USI_Variant",     "USI_ShowCurrLine", "USI_ShowRefutations", "EvalShare", "NumaPolicy",
    "LargePageEnable", "ThreadIdOffset",   "WriteDebugLog",       "Book_File", "Best_Book_Move",
    "Min_Book_Score",  "Min_Book_Ply",     "Max_Book_Ply",
};

/* The first byte that is neither a blank nor an underscore, in lower case; 0 at the end. */
static char take_letter(StrView *name) {
    while (name->len > 0) {
        char c = name->ptr[0];
        *name = sv_skip(*name, 1);
        if (c != ' ' && c != '\t' && c != '_') {
            return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
    }
    return '\0';
}

/* Names are the same in any case and, if the given one is written with blanks as in UCI, without
 * blanks and underscores: "Skill Level" is SkillLevel, and "USI Hash" is USI_Hash. */
static bool is_name(StrView given, StrView name) {
    if (!sv_has_byte(given, ' ') && !sv_has_byte(given, '\t')) {
        return sv_equal_nocase(given, name);
    }
    char letter;
    while ((letter = take_letter(&given)) == take_letter(&name)) {
        if (letter == '\0') {
            return true;
        }
    }
    return false;
}

const ArgOption *options_at(int index) {
    return index < (int)COUNTOF(table) ? &table[index] : params_option(index - (int)COUNTOF(table));
}

const ArgOption *options_find(StrView name) {
    int alias = sv_index(name, &aliases[0].alias, COUNTOF(aliases), sizeof(aliases[0]), is_name);
    name = alias >= 0 ? sv_from(aliases[alias].name) : name;
    const ArgOption *option;
    for (int i = 0; (option = options_at(i)) != NULL; i++) {
        if (is_name(name, sv_from(option->name))) {
            break;
        }
    }
    return option;
}

/* Each row is {is_limited, depth, nodes, lines, noise}. Level 0 plays only slightly better than
 * random: the noise is larger than the piece values. docs/tuning.md (Threads, clocks, levels,
 * builds) says what halving the noise gains. */
static const Skill levels[SKILL_FULL] = {
    {true, 1, 0, 200, 16000}, {true, 1, 0, 200, 3900}, {true, 1, 0, 200, 2500},
    {true, 1, 0, 200, 1500},  {true, 1, 0, 200, 780},  {true, 1, 0, 200, 450},
    {true, 1, 0, 24, 310},    {true, 1, 0, 16, 235},   {true, 1, 0, 12, 170},
    {true, 2, 0, 10, 110},    {true, 4, 0, 6, 60},     {true, 5, 0, 5, 50},
    {true, 6, 0, 5, 80},      {true, 7, 0, 4, 40},     {true, 0, 10000, 3, 22},
    {true, 0, 15000, 3, 20},  {true, 0, 22000, 3, 18}, {true, 0, 34000, 3, 14},
    {true, 0, 60000, 3, 10},  {true, 0, 180000, 2, 4},
};

/* The limits of a level from 0 to SKILL_FULL. */
static Skill skill_of_level(int level) {
    ASSERT(level >= 0 && level <= SKILL_FULL);
    return level < SKILL_FULL ? levels[level] : (Skill){.is_limited = false};
}

/* The level nearest to a rating. */
static int skill_level_of_elo(int elo) {
    int range = SKILL_MAX_ELO - SKILL_MIN_ELO;
    int above = int_clamp(elo, SKILL_MIN_ELO, SKILL_MAX_ELO) - SKILL_MIN_ELO;
    return (above * SKILL_FULL + range / 2) / range;
}

/* The rating of the level that plays about as well as this amateur rank: -3 is 3 kyu, 1 is 1 dan,
 * and 0 counts as 1 kyu. */
static int skill_elo_of_rank(int rank) {
    /* The weakest rank of each level above 0, as docs/usi.md (Strength) estimates them. */
    static const int weakest[SKILL_FULL] = {-20, -19, -17, -16, -14, -13, -11, -9, -8, -6,
                                            -4,  -2,  1,   2,   3,   4,   5,   6,  7,  8};
    int level = 0;
    while (level < SKILL_FULL && rank >= weakest[level]) {
        level++;
    }
    return SKILL_MIN_ELO + level * (SKILL_MAX_ELO - SKILL_MIN_ELO) / SKILL_FULL;
}

void options_init(EngineOptions *options) {
    *options = (EngineOptions){0};
    cmdline_set_defaults(table, COUNTOF(table), options);
}

void options_free(EngineOptions *options) {
    cmdline_free_texts(table, COUNTOF(table), options);
}

/* USI_Strength of the protocol's first draft, which belongs to USI_LimitStrength: kyu as negative
 * numbers, amateur dan as positive ones. It sets USI_Elo, and is not in the table because a GUI
 * would then send both. */
static OptionStatus set_strength(EngineOptions *options, StrView value, StrBuf *fault) {
    int rank = 0;
    if (!sv_to_int(value, SKILL_MIN_RANK, SKILL_MAX_RANK, &rank)) {
        strbuf_addf(fault, "USI_Strength needs a whole number from %d (kyu) to %d (dan), not ",
                    SKILL_MIN_RANK, SKILL_MAX_RANK);
        cmdline_quote(value, fault);
        return OPTION_BAD_VALUE;
    }
    options->usi_elo = skill_elo_of_rank(rank);
    return OPTION_OK;
}

OptionStatus options_set(EngineOptions *options, StrView name, StrView value, StrBuf *fault) {
    const ArgOption *option = options_find(name);
    if (option == NULL && is_name(name, SV("USI_Strength"))) {
        return set_strength(options, value, fault);
    }
    if (option == NULL) {
        bool is_foreign =
            sv_index(name, foreign, COUNTOF(foreign), sizeof(foreign[0]), is_name) >= 0;
        return is_foreign ? OPTION_OK : OPTION_UNKNOWN;
    }
    if (sv_has_byte(value, '\0')) {
        strbuf_addf(fault, "%s: a value cannot contain a NUL byte", option->name);
        return OPTION_BAD_VALUE;
    }
    /* "Copy as path" of Windows puts a path in quotes. All texts are paths. */
    bool is_text = option->kind == ARG_FILE || option->kind == ARG_STRING;
    bool is_quoted = is_text && value.len >= 2 && sv_starts_with(value, SV("\"")) &&
                     sv_ends_with(value, SV("\""));
    char *word = sv_copy(is_quoted ? sv_prefix(sv_skip(value, 1), value.len - 2) : value);
    bool is_set = cmdline_read_value(option, word, options, fault);
    free(word);
    return is_set ? OPTION_OK : option->kind == ARG_FILE ? OPTION_BAD_FILE : OPTION_BAD_VALUE;
}

void options_for_search(const EngineOptions *options, SearchOptions *out) {
    int level =
        options->usi_limit_strength ? skill_level_of_elo(options->usi_elo) : options->skill_level;
    *out = options->search;
    out->is_analysis = options->consideration_mode || out->multi_pv > 1;
    if (options->consideration_mode) {
        out->draw_value[BLACK] = out->draw_value[WHITE] = 0;
        out->resign_value = NEVER_RESIGN;
        out->pv_interval = 0;
        level = SKILL_FULL;
    } else {
        for (int side = BLACK; side <= WHITE; side++) {
            out->draw_value[side] = int_clamp(out->draw_value[side] - options->contempt,
                                              -MAX_DRAW_VALUE, MAX_DRAW_VALUE);
        }
    }
    out->skill = skill_of_level(level);
}
