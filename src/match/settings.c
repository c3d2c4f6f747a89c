/* settings.c: the table of options, and the checks of their combinations. */
#include "match/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/xmem.h"
#include "rules/declare.h"

/* ---- The table of options. ---- */

#define MAX_ARG          100000000

#define IN(kind, member) ARG_AT(MatchSettings, kind, member)
static const ArgOption openings_keys[] = {
    {"file", "F", IN(ARG_TEXT, contest.openings_rules.path),
     .help = "file of SFEN lines, USI lines or game records"},
    {"order", "sequential|random", IN(ARG_CHOICE, contest.openings_rules.order),
     .help = "order of the openings; random depends on -seed (default sequential)"},
    {"start", "N", IN(ARG_INT, contest.openings_rules.first), 1, MAX_ARG, .start = 1,
     .help = "number of the first opening to use"},
    {"plies", "N", IN(ARG_INT, contest.openings_rules.plies), 0, 1000, .start = -1,
     .help = "number of moves to play from each opening (default: all moves of a line, 24 moves of "
             "a record)"},
    {.name = NULL},
};

static const ArgOption resign_keys[] = {
    {"movecount", "N", IN(ARG_INT, contest.adjudication.resign_moves), 1, MAX_ARG, .start = 3,
     .help = "number of consecutive moves of a side that must have a bad score"},
    {"score", "S", IN(ARG_INT, contest.adjudication.resign_score), 1, MAX_ARG, .start = 2000,
     .help = "a score is bad if it is -S or less"},
    {"twosided", "on", IN(ARG_FLAG, contest.adjudication.is_resign_mutual),
     .help = "the scores of both sides must agree"},
    {.name = NULL},
};

static const ArgOption draw_keys[] = {
    {"movenumber", "N", IN(ARG_INT, contest.adjudication.draw_from_ply), 0, MAX_ARG, .start = 160,
     .help = "do not adjudicate before this ply"},
    {"movecount", "N", IN(ARG_INT, contest.adjudication.draw_moves), 1, MAX_ARG, .start = 8,
     .help = "number of consecutive moves by both sides that must have a score near 0"},
    {"score", "S", IN(ARG_INT, contest.adjudication.draw_score), 0, MAX_ARG, .start = 20,
     .help = "a score is near 0 if it is between -S and S"},
    {.name = NULL},
};

static const ArgOption sprt_keys[] = {
    {"elo0", "A", IN(ARG_FRACTION, contest.sprt.elo0), -1000, 1000,
     .help = "Elo difference of hypothesis H0 (default 0)"},
    {"elo1", "B", IN(ARG_FRACTION, contest.sprt.elo1), -1000, 1000, .start = 5,
     .help = "Elo difference of hypothesis H1"},
    {"alpha", "P", IN(ARG_FRACTION, contest.sprt.alpha), 1e-6, 0.5, .start = 0.05,
     .help = "probability of accepting H1 wrongly"},
    {"beta", "Q", IN(ARG_FRACTION, contest.sprt.beta), 1e-6, 0.5, .start = 0.05,
     .help = "probability of accepting H0 wrongly"},
    {"model", "normalized|logistic|normalised", IN(ARG_CHOICE, contest.sprt.model),
     .help = "kind of Elo in which elo0 and elo1 are given (default normalized)"},
    {.name = NULL},
};

static const ArgOption timeout_keys[] = {
    {"usi", "SEC", IN(ARG_SECONDS, player_rules.usi_ms), 0.001, 1e6, .start = 10,
     .help = "time until usiok"},
    {"ready", "SEC", IN(ARG_SECONDS, player_rules.ready_ms), 0.001, 1e6, .start = 60,
     .help = "time until readyok"},
    {"stop", "SEC", IN(ARG_SECONDS, player_rules.stop_ms), 0.001, 1e6, .start = 3,
     .help = "time from stop to bestmove"},
    {"quit", "SEC", IN(ARG_SECONDS, player_rules.quit_ms), 0.001, 1e6, .start = 5,
     .help = "time from quit to the end of the process"},
    {"hang", "SEC", IN(ARG_SECONDS, player_rules.hang_ms), 0.001, 1e6, .start = 120,
     .help = "time for a move in a game without a clock"},
    {.name = NULL},
};

static const ArgOption maker_keys[] = {
    {"file", "F", IN(ARG_TEXT, maker.path), .help = "output file"},
    {"count", "N", IN(ARG_INT, maker.count), 1, 1000000, .start = 1000,
     .help = "number of openings"},
    {"seed", "N", IN(ARG_U64, maker.seed), .help = "seed of the random walks (default 0)"},
    {"minplies", "N", IN(ARG_INT, maker.min_plies), 1, 1000, .start = 4,
     .help = "length of the shortest openings"},
    {"maxplies", "N", IN(ARG_INT, maker.max_plies), 1, 1000, .start = 16,
     .help = "length of the longest openings"},
    {"score", "S", IN(ARG_INT, maker.score), 0, MAX_ARG, .start = 60,
     .help = "keep openings whose final score is between -S and S"},
    {"window", "S", IN(ARG_INT, maker.window), 0, MAX_ARG, .start = 40,
     .help = "maximum loss of a move in centipawns"},
    {"samples", "N", IN(ARG_INT, maker.samples), 1, MAX_ARG, .start = 16,
     .help = "number of moves to examine per position"},
    {"nodes", "N", IN(ARG_INT, maker.nodes), 1, MAX_ARG, .start = 800,
     .help = "nodes per examined move"},
    {.name = NULL},
};

static const ArgOption spsa_keys[] = {
    {"params", "F", IN(ARG_TEXT, spsa.params_path),
     .help = "file of parameters, each on a line: name, int|float, start, min, max, c_end, r_end"},
    {"csv", "F", IN(ARG_TEXT, spsa.csv_path),
     .help = "log of the values; -resume continues from it"},
    {"svg", "F", IN(ARG_TEXT, spsa.svg_path), .help = "chart of the values"},
    {"pairs", "N", IN(ARG_INT, spsa.pairs), 1, 10000000, .start = 10000,
     .help = "number of game pairs"},
    {"A", "X", IN(ARG_FRACTION, spsa.share), 0, 10, .start = 0.1,
     .help = "stability constant, as a fraction of the number of pairs"},
    {"alpha", "X", IN(ARG_FRACTION, spsa.alpha), 0, 2, .start = 0.602,
     .help = "exponent with which the steps shrink"},
    {"gamma", "X", IN(ARG_FRACTION, spsa.gamma), 0, 2, .start = 0.101,
     .help = "exponent with which the difference between the two sides shrinks"},
    {.name = NULL},
};

static const ArgOption options[] = {
    {"-engine", "KEY=VALUE ...", IN(ARG_LIST, engine_words), .keys = enginespec_keys,
     .commands = ENGINE_OF_MATCH, .help = "add an engine; give two or more"},
    {"-each", "KEY=VALUE ...", IN(ARG_LIST, each_words),
     .help = "keys for all engines; the values given with -engine take precedence"},
    {"-tournament", NULL, ARG_CHOICE,
     ARG_PLACE(MatchSettings, contest.schedule.kind, TournamentKind), .word = schedule_kind_name,
     .help = "round-robin (default): all against all; gauntlet: the first engine against the "
             "others"},
    {"-seeds", "N", IN(ARG_INT, contest.schedule.seeds), 1, MAX_ARG, .start = 1,
     .help =
         "in a gauntlet, the first N engines play against all others, but not against each other"},
    {"-rounds", "N", IN(ARG_INT, contest.schedule.rounds), 1, MAX_ARG,
     .help = "number of rounds (default: 1, or with -sprt as many as needed)"},
    {"-games", "N", IN(ARG_INT, contest.schedule.games), 1, MAX_ARG, .start = 2,
     .help = "number of games per encounter in each round"},
    {"-repeat", NULL, IN(ARG_FLAG, wants_pairs),
     .help = "play two consecutive games from each opening, with colours swapped; requires an even "
             "number of -games, and is then the default"},
    {"-norepeat", NULL, IN(ARG_FLAG, wants_no_pairs), .help = "use a new opening for each game"},
    {"-noswap", NULL, IN(ARG_FLAG, contest.schedule.keeps_colors),
     .help = "the first engine of a pair is always black"},
    {"-reverse", NULL, IN(ARG_FLAG, contest.schedule.is_reversed),
     .help = "swap colours in every game"},
    {"-openings", "KEY=VALUE ...", ARG_KEYS, .keys = openings_keys,
     .help = "start positions of the games (default: the even start position)"},
    {"-seed", "N", IN(ARG_I64, contest.seed), 0, 9e18, .help = "random seed (default 0)"},
    {"-concurrency", "N", IN(ARG_INT, contest.concurrency), 1, 4096, .start = 1,
     .help = "number of games at once"},
    {"-wait", "MS", IN(ARG_INT, wait_ms), 0, 1000000, .help = "pause between games (default 0)"},
    {"-maxmoves", "N", IN(ARG_INT, contest.rules.max_plies), 0, MAX_ARG, .start = 320,
     .help = "declare a draw after N plies; 0 means no limit"},
    {"-rule", NULL, ARG_CHOICE, ARG_PLACE(MatchSettings, contest.rules.declare, KmdDeclareRule),
     .start = KMD_DECLARE_27, .word = declare_rule_name,
     .help = "impasse rule (default CSARule27)"},
    {"-resign", "KEY=VALUE ...", ARG_KEYS, .keys = resign_keys, .help = "adjudicate losses"},
    {"-draw", "KEY=VALUE ...", ARG_KEYS, .keys = draw_keys, .help = "adjudicate draws"},
    {"-sprt", "KEY=VALUE ...", ARG_KEYS, .keys = sprt_keys,
     .help = "stop when the test decides; two engines only"},
    {"-timeouts", "KEY=SEC ...", ARG_KEYS, .keys = timeout_keys, .help = "time limits for engines"},
    {"-results", "FILE", IN(ARG_TEXT, results.path), .help = "write the results as JSON lines"},
    {"-resume", NULL, IN(ARG_FLAG, results.resumes), .help = "continue from the results file"},
    {"-shard", "I/N", IN(ARG_PART, contest.schedule.shard),
     .help = "play part I of N of the tournament; -merge combines the results"},
    {"-merge", "FILE ...", IN(ARG_LIST, merge),
     .help = "report on several files of results; with -results also write them as one"},
    {"-records", "KEY=VALUE ...", ARG_KEYS, ARG_PLACE(MatchSettings, records, GameRecordOptions),
     .keys = gamerecord_keys, .help = "write each game to a file"},
    {"-log", "FILE", IN(ARG_TEXT, log_path),
     .help = "append all communication with the engines to this file"},
    {"-html", "FILE", IN(ARG_TEXT, html_path),
     .help = "write a web page with standings, curves and games"},
    {"-event", "TEXT", IN(ARG_TEXT, contest.event),
     .help = "name of the tournament for the records"},
    {"-site", "TEXT", IN(ARG_TEXT, contest.site),
     .help = "place of the tournament for the records"},
    {"-ratinginterval", "N", IN(ARG_INT, report.every), 1, MAX_ARG, .start = 10,
     .help = "number of games between two progress lines"},
    {"-quiet", NULL, IN(ARG_FLAG, report.is_quiet),
     .help = "print no line when a game begins or ends"},
    {"-makeopenings", "KEY=VALUE ...", ARG_KEYS, .keys = maker_keys,
     .help = "create a file of balanced openings with one engine"},
    {"-spsa", "KEY=VALUE ...", ARG_KEYS, .keys = spsa_keys, .help = "tune options of one engine"},
    {"-compliance", NULL, IN(ARG_FLAG, is_compliance),
     .help = "test the USI implementation of one engine"},
    {"-version", NULL, IN(ARG_FLAG, wants_version), .help = "print version and build"},
};

static const ArgCommand command = {"komadori-match",
                                   "-engine cmd=A -engine cmd=B -each tc=10+0.1",
                                   "Play matches and tournaments between USI engines.",
                                   ARG_OPTIONS(options),
                                   0,
                                   true};

const ArgCommand *settings_command(void) {
    return &command;
}

/* ---- Engines. ---- */

/* Gives the engine a name that no engine before it has. */
static void choose_engine_name(Contest *contest, int index) {
    EngineSpec *engine = &contest->engines[index];
    StrBuf name = STRBUF_INIT;
    strbuf_add(&name, engine->given_name != NULL ? sv_from(engine->given_name)
                                                 : file_name(sv_from(engine->argv[0])));
    size_t len = name.len;
    int number = 2;
    for (int i = 0; i < index; i++) {
        if (strcmp(contest->engines[i].name, name.ptr) == 0) {
            name.len = len;
            strbuf_addf(&name, "-%d", number++);
            i = -1; /* compare with all of them again */
        }
    }
    engine->name = name.ptr;
}

/* Reads the words of -each and of one -engine. */
static bool read_engine(MatchSettings *settings, int index, StrBuf *error) {
    EngineSpec *engine = &settings->contest.engines[index];
    const TimeControl *tc = &engine->tc;
    for (int i = 0; i < settings->each_words.count; i++) {
        if (!enginespec_read(engine, ENGINE_OF_MATCH, &settings->each_words.items[i], error)) {
            return false;
        }
    }
    if (!enginespec_read(engine, ENGINE_OF_MATCH, &settings->engine_words.items[index], error)) {
        return false;
    }
    if (engine->argc == 0 || sv_trim(sv_from(engine->argv[0])).len == 0) {
        strbuf_addf(error, "-engine: number %d has no cmd", index + 1);
        return false;
    }
    choose_engine_name(&settings->contest, index);
    if (enginespec_has_control(sv_from(engine->name))) {
        strbuf_addf(error, "-engine: the name of number %d has a control character", index + 1);
        return false;
    }
    StrBuf time = STRBUF_INIT;
    timecontrol_write(tc, " s", &time);
    engine->time_text = time.ptr;
    const char *fault = !timecontrol_is_limited(tc) && !settings->is_compliance
                            ? "has no limit: give tc, byoyomi, st, nodes or depth"
                        : tc->has_clock && tc->main_ms + tc->inc_ms + tc->byoyomi_ms == 0
                            ? "has a clock without time"
                        : tc->inc_ms > 0 && tc->byoyomi_ms > 0 ? "has both an increment and byoyomi"
                                                               : NULL;
    if (fault != NULL) {
        strbuf_addf(error, "-engine: %s %s", engine->name, fault);
    }
    return fault == NULL;
}

/* ---- Checks after all words have been read. ---- */

static bool load_openings(Contest *contest, StrBuf *error) {
    const OpeningsOptions *from = &contest->openings_rules;
    Openings *openings = &contest->openings;
    if (!openings_load(from, &contest->rules, openings, error)) {
        return false;
    }
    if (from->first > openings->count) {
        strbuf_addf(error, "-openings: start=%d is after the last opening, %d", from->first,
                    openings->count);
        return false;
    }
    if (from->order != 0) {
        openings_shuffle(openings, (uint64_t)contest->seed);
    }
    openings_begin_at(openings, int_max(from->first, 1) - 1);
    return true;
}

/* Reads the file of -spsa. Each parameter is treated like an option set by the user, so there is a
 * warning if the engine does not announce it. */
static bool load_spsa_params(MatchSettings *settings, StrBuf *error) {
    SpsaOptions *spsa = &settings->spsa;
    StrBuf text = STRBUF_INIT;
    int failure = file_read(spsa->params_path, &text);
    strbuf_add_str(error, spsa->params_path);
    if (failure != 0) {
        strbuf_addf(error, ": %s", file_error_text(failure));
    }
    bool is_good = failure == 0 && spsa_read_params(strbuf_view(&text), spsa, error);
    for (int i = 0; is_good && i < spsa->count; i++) {
        strbuf_clear(&text);
        spsa_add_value(&spsa->params[i], spsa->params[i].start, &text);
        enginespec_set_option(&settings->contest.engines[0], sv_from(spsa->params[i].name),
                              strbuf_view(&text));
    }
    strbuf_free(&text);
    return is_good;
}

/* A combination of options that is an error. */
typedef struct WrongUse {
    bool is_there;
    const char *text;
} WrongUse;

/* Returns the first wrong use that is there, or NULL. */
static const char *first_wrong_use(const WrongUse *uses, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (uses[i].is_there) {
            return uses[i].text;
        }
    }
    return NULL;
}

/* Checks the options of a task that takes one engine. */
static const char *check_task(const MatchSettings *settings) {
    const OpenMakerOptions *maker = &settings->maker;
    bool makes = maker->count > 0, tunes = settings->spsa.pairs > 0;
    const WrongUse uses[] = {
        {makes && maker->path == NULL, "needs file="},
        {makes && tunes, "not together with -spsa"},
        {tunes && (settings->spsa.params_path == NULL || settings->spsa.csv_path == NULL),
         "needs params= and csv="},
        {(makes || tunes) && settings->is_compliance, "not together with -compliance"},
        {settings->engine_words.count != 1, "needs one -engine"},
        {settings->contest.sprt.alpha > 0 || settings->merge.count > 0,
         "not together with -sprt or -merge"},
        {settings->contest.schedule.shard.count > 0, "not together with -shard"},
        {settings->results.path != NULL, "not together with -results"},
        {settings->results.resumes && !tunes, "not together with -resume"},
        {settings->records.dir != NULL, "not together with -records"},
        {settings->html_path != NULL, "not together with -html"},
        {settings->log_path != NULL && !tunes, "not together with -log"},
        {maker->min_plies > maker->max_plies, "minplies is above maxplies"},
    };
    return first_wrong_use(uses, COUNTOF(uses));
}

static const char *check_tournament(const MatchSettings *settings) {
    const SprtTest *sprt = &settings->contest.sprt;
    const Schedule *schedule = &settings->contest.schedule;
    const ArgList *merge = &settings->merge;
    int engines = settings->engine_words.count, seeds = schedule->seeds;
    bool has_sprt = sprt->alpha > 0, is_merge = merge->count > 0;
    const WrongUse uses[] = {
        {is_merge && engines > 0, "-merge: takes no -engine"},
        {is_merge && (merge->count > 1 || merge->items[0].count == 0),
         "-merge: give all files of results after one -merge"},
        {is_merge && settings->records.dir != NULL, "-merge: not together with -records"},
        {is_merge && settings->log_path != NULL, "-merge: not together with -log"},
        {!is_merge && engines < 2, "give two or more -engine; -help lists the options"},
        {has_sprt && !is_merge && engines != 2, "-sprt: only between two engines"},
        {has_sprt && sprt->elo0 >= sprt->elo1, "-sprt: elo0 must be less than elo1"},
        {sprt->alpha + sprt->beta >= 1.0, "-sprt: alpha and beta together must be less than 1"},
        {settings->results.resumes && settings->results.path == NULL,
         "-resume: needs -results, the file to continue from"},
        {settings->wants_pairs && schedule->games % 2 != 0,
         "-repeat: needs an even number of -games, such as 2"},
        {seeds > 1 && schedule->kind != GAUNTLET, "-seeds: only for a gauntlet"},
        {seeds > 1 && seeds >= engines, "-seeds: must be less than the number of engines"},
        {schedule->shard.count > 0 && has_sprt,
         "-shard: not together with -sprt; -merge tests the whole"},
    };
    return first_wrong_use(uses, COUNTOF(uses));
}

static bool complete_schedule(MatchSettings *settings, StrBuf *error) {
    Contest *contest = &settings->contest;
    Schedule *schedule = &contest->schedule;
    schedule->engines = contest->engine_count;
    schedule->repeats = !settings->wants_no_pairs;
    contest->has_no_end = schedule->rounds == 0 && contest->sprt.alpha > 0;
    if (schedule->rounds == 0) {
        schedule->rounds = contest->has_no_end ? int_max(SPRT_GAMES / schedule->games, 1) : 1;
    }
    if (!schedule_fits(schedule)) {
        strbuf_addf(error, "-rounds, -games: more than %d million games", TOTAL_MAX / 1000000);
        return false;
    }
    return true;
}

static bool complete_settings(MatchSettings *settings, StrBuf *error) {
    Contest *contest = &settings->contest;
    const char *task = settings->maker.count > 0  ? "-makeopenings"
                       : settings->spsa.pairs > 0 ? "-spsa"
                       : settings->is_compliance  ? "-compliance"
                                                  : NULL;
    const char *wrong = task != NULL ? check_task(settings) : check_tournament(settings);
    if (wrong != NULL) {
        strbuf_addf(error, "%s%s%s", task != NULL ? task : "", task != NULL ? ": " : "", wrong);
        return false;
    }
    /* Accept "file=F", as in cutechess and fastchess, for F. */
    const char **const paths[] = {&settings->results.path, &settings->log_path};
    for (size_t i = 0; i < COUNTOF(paths); i++) {
        if (*paths[i] != NULL && sv_starts_with(sv_from(*paths[i]), SV("file="))) {
            *paths[i] += strlen("file=");
        }
    }
    if (!gamerecord_complete(&settings->records, error)) {
        return false;
    }
    contest->engine_count = settings->engine_words.count;
    contest->engines = xmem_calloc((size_t)contest->engine_count + 1, sizeof(contest->engines[0]));
    for (int i = 0; i < contest->engine_count; i++) {
        if (!read_engine(settings, i, error)) {
            return false;
        }
    }
    settings->player_rules.declare_rule = declare_rule_name(contest->rules.declare);
    settings->player_rules.max_plies = contest->rules.max_plies;
    settings->spsa.seed = (uint64_t)contest->seed;
    return task != NULL || settings->merge.count > 0 || complete_schedule(settings, error);
}

SettingsStatus settings_read(int count, char *const *words, MatchSettings *settings,
                             StrBuf *error) {
    Args args = {count, (const char **)words};
    *settings = (MatchSettings){.contest.command = args};
    settings->player_rules = (PlayerOptions){
        .usi_ms = 10000, .ready_ms = 60000, .stop_ms = 3000, .quit_ms = 5000, .hang_ms = 120000};
    if (!cmdline_read(&command, &args, settings, error)) {
        return SETTINGS_WRONG;
    }
    if (settings->wants_version) {
        return SETTINGS_OK;
    }
    if (args.count > 0) {
        strbuf_add_str(error, "cannot use ");
        cmdline_quote(sv_from(args.words[0]), error);
        return SETTINGS_WRONG;
    }
    if (!complete_settings(settings, error)) {
        return SETTINGS_WRONG;
    }
    bool has_openings = settings->maker.path == NULL && settings->merge.count == 0;
    if ((has_openings && !load_openings(&settings->contest, error)) ||
        (settings->spsa.params_path != NULL && !load_spsa_params(settings, error))) {
        return SETTINGS_NO_FILE;
    }
    strbuf_clear(error);
    return SETTINGS_OK;
}

void settings_free(MatchSettings *settings) {
    free(settings->engine_words.items);
    free(settings->each_words.items);
    free(settings->merge.items);
    spsa_free(&settings->spsa);
    for (int i = 0; i < settings->contest.engine_count; i++) {
        enginespec_free(&settings->contest.engines[i]);
    }
    free(settings->contest.engines);
    openings_free(&settings->contest.openings);
    *settings = (MatchSettings){0};
}
