/* resultlog.c: writes and reads results as JSON lines, checks that they belong to this tournament,
 * and merges several files. */
#include "match/resultlog.h"

#include <errno.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/json.h"
#include "base/outguard.h"
#include "base/xmem.h"
#include "match/matchpage.h"
#include "rules/declare.h"

#define FORMAT_KEY  "komadori_match"
#define WARNING_KEY "warning"

/* The version of the format. Increase it when an old reader would misunderstand the new format. */
enum { FORMAT_VERSION = 1 };

/* Appends a hash of everything that the results depend on. The hash does not cover the number of
 * rounds, the concurrency, the bounds of the test and the output, so these may change when a
 * tournament is resumed. */
static void append_settings(const Contest *contest, StrBuf *out) {
    const AdjudicationOptions *adjudication = &contest->adjudication;
    const Schedule *schedule = &contest->schedule;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < contest->engine_count; i++) {
        const EngineSpec *engine = &contest->engines[i];
        strbuf_addf(&text, "%s|%s|%d|", engine->name, engine->dir != NULL ? engine->dir : "",
                    engine->ponders);
        for (int k = 0; k < engine->argc; k++) {
            strbuf_addf(&text, "%s|", engine->argv[k]);
        }
        for (int k = 0; k < engine->option_count; k++) {
            strbuf_addf(&text, "%s=%s|", engine->options[k].name, engine->options[k].value);
        }
        timecontrol_write(&engine->tc, "", &text);
        strbuf_addf(&text, "|%lld\n", (long long)engine->tc.margin_ms);
    }
    strbuf_addf(&text, "%d %d %d\n", schedule->kind, schedule->games, schedule->repeats);
    strbuf_addf(&text, "%llx\n", (unsigned long long)openings_hash(&contest->openings));
    strbuf_addf(&text, "%d %d\n", contest->rules.declare, contest->rules.max_plies);
    strbuf_addf(&text, "%d %d %d %d %d %d\n", adjudication->resign_moves,
                adjudication->resign_score, adjudication->is_resign_mutual,
                adjudication->draw_moves, adjudication->draw_score, adjudication->draw_from_ply);
    if (schedule->keeps_colors) {
        strbuf_addf(&text, "1 0 %lld\n", (long long)contest->seed);
    }
    if (schedule->is_reversed || schedule->seeds > 1) {
        strbuf_addf(&text, "%d seeds, %d\n", schedule->seeds, schedule->is_reversed);
    }
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, text.ptr, text.len);
    strbuf_addf(out, "%016llx", (unsigned long long)hash);
    strbuf_free(&text);
}

static void write_tournament(const Contest *contest, StrBuf *out) {
    const Schedule *schedule = &contest->schedule;
    StrBuf text = STRBUF_INIT;
    strbuf_add_byte(out, '{');
    json_add_i64(FORMAT_KEY, FORMAT_VERSION, out);
    append_settings(contest, &text);
    json_add_text("settings", strbuf_view(&text), out);
    for (int i = 0; i < contest->engine_count; i++) {
        StrBuf key = STRBUF_INIT;
        strbuf_addf(&key, "engine%d", i);
        json_add_text(key.ptr, sv_from(contest->engines[i].name), out);
        strbuf_add_str(&key, "_time");
        json_add_text(key.ptr, sv_from(contest->engines[i].time_text), out);
        strbuf_free(&key);
    }
    json_add_i64("tournament", schedule->kind, out);
    json_add_i64("engines", schedule->engines, out);
    if (contest->sprt.alpha <= 0) {
        json_add_i64("rounds", schedule->rounds, out);
    }
    json_add_i64("games", schedule->games, out);
    json_add_i64("colors",
                 schedule->repeats + 2 * schedule->keeps_colors + 8 * schedule->is_reversed, out);
    if (schedule->seeds > 1) {
        json_add_i64("seeds", schedule->seeds, out);
    }
    json_add_i64("seed", contest->seed, out);
    json_add_text("rule", sv_from(declare_rule_name(contest->rules.declare)), out);
    json_add_i64("max_plies", contest->rules.max_plies, out);
    strbuf_add_str(out, "}\n");
    strbuf_free(&text);
}

static void write_game_line(const Contest *contest, const ScheduledGame *game,
                            const GameResult *result, StrBuf *out) {
    int black = schedule_black(game), white = schedule_white(game);
    strbuf_add_byte(out, '{');
    json_add_i64("game", game->index, out);
    json_add_i64("round", game->round + 1, out);
    json_add_text("black", sv_from(contest->engines[black].name), out);
    json_add_text("white", sv_from(contest->engines[white].name), out);
    json_add_text("winner", sv_from(gameresult_winner_name(result->winner)), out);
    json_add_text("end", sv_from(gameresult_end_name(result->reason)), out);
    json_add_text("detail", strbuf_view(&result->detail), out);
    json_add_i64("plies", result->plies, out);
    gameresult_write_stats(result->stats, out);
    json_add_text("start", strbuf_view(&result->start), out);
    json_add_text("moves", strbuf_view(&result->moves), out);
    strbuf_add_str(out, "}\n");
}

/* Reads a line that write_game has written. Returns false if the line is not a game. */
static bool read_game_line(StrView line, int *index, GameResult *result) {
    int64_t number, plies;
    StrBuf winner = STRBUF_INIT, end = STRBUF_INIT;
    bool is_good = json_line_is_object(line) &&
                   json_line_i64(line, "game", 0, INT32_MAX, &number) &&
                   json_line_i64(line, "plies", 0, INT32_MAX, &plies) &&
                   json_line_text(line, "winner", &winner) &&
                   gameresult_winner_read(strbuf_view(&winner), &result->winner) &&
                   json_line_text(line, "end", &end) &&
                   gameresult_end_read(strbuf_view(&end), &result->reason) &&
                   json_line_text(line, "start", &result->start) &&
                   json_line_text(line, "moves", &result->moves);
    if (is_good) {
        gameresult_read_stats(line, result->stats);
        *index = (int)number;
        result->plies = (int)plies;
    }
    strbuf_free(&winner);
    strbuf_free(&end);
    return is_good;
}

/* True if the first line of a file belongs to the tournament with these settings. */
static bool has_settings(StrView line, const StrBuf *settings) {
    StrBuf found = STRBUF_INIT;
    int64_t version;
    bool is_same = json_line_is_object(line) &&
                   json_line_i64(line, FORMAT_KEY, FORMAT_VERSION, FORMAT_VERSION, &version) &&
                   json_line_text(line, "settings", &found) &&
                   sv_equal(strbuf_view(&found), strbuf_view(settings));
    strbuf_free(&found);
    return is_same;
}

/* Adds the game of one line to the standings. A game of a round that is no longer requested stays
 * in the file but is not added. Returns false if the line is neither a game nor a warning. */
static bool add_known_game(StrView line, Standings *standings, MatchPage *page) {
    int index = 0;
    GameResult result = {.winner = KMD_WINNER_NONE};
    StrBuf warning = STRBUF_INIT;
    bool is_game = read_game_line(line, &index, &result);
    if (is_game && index < standings->total && !standings_has(standings, index)) {
        ScheduledGame game = schedule_game(&standings->contest->schedule, index);
        standings_add(standings, &game, &result);
        matchpage_add_known(page, &game, &result);
    }
    bool is_good =
        is_game || (json_line_is_object(line) && json_line_text(line, WARNING_KEY, &warning));
    gameresult_free(&result);
    strbuf_free(&warning);
    return is_good;
}

/* The whole lines of a file; an incomplete last line is dropped. If the run ended while it wrote
 * the first game, there are none. */
static StrView whole_lines(StrView text) {
    const StrView start = SV("{\"" FORMAT_KEY "\"");
    StrView begun = sv_prefix(text, start.len);
    size_t len = journal_whole_lines(text);
    bool is_ours = len > 0 || sv_equal(begun, sv_prefix(start, begun.len));
    return is_ours ? sv_prefix(text, len) : text;
}

/* Adds the games in the lines of a file after its first line. Returns false with the reason in
 * *error. */
static bool add_known_games(const char *path, StrView lines, Standings *standings, MatchPage *page,
                            StrBuf *error) {
    StrView line;
    for (int number = 2; sv_next_line(&lines, &line); number++) {
        if (!add_known_game(line, standings, page)) {
            strbuf_addf(error, "%s, line %d: not a game of this tournament", path, number);
            return false;
        }
    }
    return true;
}

/* A file of results that is continued. */
typedef struct OldResults {
    const char *path;
    Standings *standings;
    MatchPage *page;
    StrBuf *error;
    size_t len; /* of its whole lines */
} OldResults;

/* Takes the results of an earlier run. A file that is not of this tournament is left as it is. */
static size_t take_results(void *context, StrView text) {
    OldResults *old = context;
    StrBuf settings = STRBUF_INIT;
    StrView rest = whole_lines(text), line;
    old->len = rest.len;
    append_settings(old->standings->contest, &settings);
    if (sv_next_line(&rest, &line) && !has_settings(line, &settings)) {
        strbuf_addf(old->error, "%s belongs to a different tournament", old->path);
    } else {
        (void)add_known_games(old->path, rest, old->standings, old->page, old->error);
    }
    strbuf_free(&settings);
    return old->error->len == 0 ? old->len : JOURNAL_FOREIGN;
}

bool resultlog_open(ResultLog *log, const ResultLogOptions *options, Standings *standings,
                    MatchPage *page, StrBuf *error) {
    const char *path = options->path;
    OldResults old = {path, standings, page, error, 0};
    JournalFormat format = {SV(""), take_results, &old};
    *log = (ResultLog){.lines = STRBUF_INIT};
    if (path == NULL) {
        return true;
    }
    int failure = journal_open(&log->journal, path, &format);
    if (failure != 0 && error->len == 0) {
        strbuf_addf(error, "%s: %s", path,
                    failure == EBUSY ? journal_error_text(failure)
                                     : outguard_error_text(path, failure));
    }
    if (failure == 0 && old.len == 0) {
        write_tournament(standings->contest, &log->lines);
    }
    return failure == 0;
}

bool resultlog_add_game(ResultLog *log, const Contest *contest, const ScheduledGame *game,
                        const GameResult *result) {
    if (log->journal.stream == NULL) {
        return true;
    }
    write_game_line(contest, game, result, &log->lines);
    bool is_good = journal_add(&log->journal, strbuf_view(&log->lines));
    strbuf_clear(&log->lines);
    errno = log->journal.error;
    return is_good;
}

void resultlog_add_warning(ResultLog *log, StrView text) {
    if (log->journal.stream != NULL) {
        strbuf_add_byte(&log->lines, '{');
        json_add_text(WARNING_KEY, text, &log->lines);
        strbuf_add_str(&log->lines, "}\n");
    }
}

bool resultlog_close(ResultLog *log) {
    strbuf_free(&log->lines);
    return journal_close(&log->journal);
}

/* ---- Merging files ---- */

/* Reads the settings, the engines and the schedule from the first line of a file. Without a number
 * of rounds, which a test decides, it is 1. */
static bool read_tournament(StrView line, Contest *contest, StrBuf *settings) {
    int64_t kind, engines, rounds, games, colors, seeds;
    if (!json_line_is_object(line) || !json_line_text(line, "settings", settings) ||
        !has_settings(line, settings) || !json_line_i64(line, "tournament", 0, GAUNTLET, &kind) ||
        !json_line_i64(line, "engines", 2, 10000, &engines) ||
        !json_line_i64(line, "games", 1, TOTAL_MAX, &games) ||
        !json_line_i64(line, "colors", 0, 15, &colors) || (colors & 4) != 0) {
        return false; /* 4: an older version drew lots for the colours */
    }
    bool has_seeds = json_line_i64(line, "seeds", 1, engines - 1, &seeds);
    bool has_rounds = contest->sprt.alpha <= 0 &&
                      json_line_i64(line, "rounds", 1, SPRT_GAMES / games - 1, &rounds);
    contest->schedule = (Schedule){.kind = (TournamentKind)kind,
                                   .engines = (int)engines,
                                   .rounds = has_rounds ? (int)rounds : 1,
                                   .games = (int)games,
                                   .repeats = (colors & 1) != 0,
                                   .keeps_colors = (colors & 2) != 0,
                                   .is_reversed = (colors & 8) != 0,
                                   .seeds = has_seeds ? (int)seeds : 1};
    contest->engine_count = (int)engines;
    contest->engines = xmem_calloc((size_t)engines, sizeof(contest->engines[0]));
    bool is_good = true;
    for (int i = 0; i < engines && is_good; i++) {
        StrBuf key = STRBUF_INIT, name = STRBUF_INIT, time = STRBUF_INIT;
        strbuf_addf(&key, "engine%d", i);
        is_good = json_line_text(line, key.ptr, &name);
        strbuf_add_str(&key, "_time");
        is_good = is_good && json_line_text(line, key.ptr, &time) && name.len > 0 && time.len > 0;
        contest->engines[i] = (EngineSpec){.name = name.ptr, .time_text = time.ptr};
        strbuf_free(&key);
    }
    return is_good;
}

bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     MatchPage *page, StrBuf *error) {
    StrBuf *texts = xmem_calloc((size_t)files->count, sizeof(*texts)); /* of each file */
    StrBuf whole = STRBUF_INIT, settings = STRBUF_INIT;
    StrView line;
    int64_t number, last = 0;
    for (int i = 0; i < files->count && error->len == 0; i++) {
        int failure = file_read(files->words[i], &texts[i]);
        texts[i].len = whole_lines(strbuf_view(&texts[i])).len;
        StrView rest = strbuf_view(&texts[i]);
        bool is_first = whole.len == 0;
        if (failure == 0 && !sv_next_line(&rest, &line)) {
            continue; /* a part without games */
        }
        const char *fault = failure != 0 ? file_error_text(failure)
                            : is_first && !read_tournament(line, contest, &settings)
                                ? "the first line does not describe the tournament completely"
                            : !has_settings(line, &settings)
                                ? "belongs to a different tournament than the files before it"
                                : NULL;
        if (fault != NULL) {
            strbuf_addf(error, "%s: %s", files->words[i], fault);
        }
        strbuf_add(&whole, is_first ? strbuf_view(&texts[i]) : rest);
        while (sv_next_line(&rest, &line)) {
            if (json_line_is_object(line) && json_line_i64(line, "game", 0, INT32_MAX, &number)) {
                last = i64_max(last, number);
            }
        }
    }
    if (error->len == 0 && whole.len == 0) {
        strbuf_addf(error, "%s: contains no results", files->words[0]);
    }
    if (error->len == 0 && contest->sprt.alpha > 0 && contest->engine_count != 2) {
        strbuf_add_str(error, "-sprt: only between two engines");
    }
    if (error->len == 0) {
        /* -resume may have added rounds after the first line was written. */
        Schedule *schedule = &contest->schedule;
        int64_t games = (int64_t)schedule_encounters(schedule) * schedule->games;
        schedule->rounds = (int)i64_clamp(last / games + 1, schedule->rounds, INT32_MAX);
        if (schedule_fits(schedule)) {
            standings_init(standings, contest);
        } else {
            strbuf_addf(error, "-merge: more than %d million games", TOTAL_MAX / 1000000);
        }
    }
    for (int i = 0; i < files->count; i++) {
        StrView rest = strbuf_view(&texts[i]);
        if (error->len == 0 && sv_next_line(&rest, &line)) {
            (void)add_known_games(files->words[i], rest, standings, page, error);
        }
        strbuf_free(&texts[i]);
    }
    int failure = error->len == 0 && path != NULL ? file_write(path, whole.ptr, whole.len) : 0;
    if (failure != 0) {
        strbuf_addf(error, "cannot write to %s: %s", path, outguard_error_text(path, failure));
    }
    free(texts);
    strbuf_free(&whole);
    strbuf_free(&settings);
    return error->len == 0;
}
