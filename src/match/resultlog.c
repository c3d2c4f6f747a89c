/* resultlog.c: writes and reads results as JSON lines, checks that they belong to this tournament,
 * and merges several files. */
#include "match/resultlog.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/fileio.h"
#include "base/json.h"
#include "base/xmem.h"
#include "play/newfile.h"
#include "rules/declare.h"

#define FORMAT_KEY  "komadori_match"
#define WARNING_KEY "warning"

/* The version of the format. Increase it when an old reader would misunderstand the new format. */
enum { FORMAT_VERSION = 1 };

/* The members of a schedule that are in the first line; all of them are ints. */
static const struct {
    const char *key;
    size_t place;
} schedule_fields[] = {
    {"tournament", offsetof(Schedule, kind)},
    {"engines", offsetof(Schedule, engines)},
    {"rounds", offsetof(Schedule, rounds)},
    {"games", offsetof(Schedule, games)},
};

/* Appends everything about an engine as one line. */
static void append_engine(const EngineSpec *engine, StrBuf *out) {
    strbuf_addf(out, "%s|%s|%d|", engine->name, engine->dir != NULL ? engine->dir : "",
                engine->ponders);
    for (int i = 0; i < engine->argc; i++) {
        strbuf_addf(out, "%s|", engine->argv[i]);
    }
    for (int i = 0; i < engine->option_count; i++) {
        strbuf_addf(out, "%s=%s|", engine->options[i].name, engine->options[i].value);
    }
    timecontrol_write(&engine->tc, out);
    strbuf_addf(out, "|%lld\n", (long long)engine->tc.margin_ms);
}

/* A hash of everything that the results depend on. The hash does not cover the number of rounds,
 * the concurrency, the bounds of the test and the output, so these may change when a tournament is
 * resumed. */
static uint64_t hash_contest(const Contest *contest) {
    const AdjudicationOptions *adjudication = &contest->adjudication;
    const Schedule *schedule = &contest->schedule;
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < contest->engine_count; i++) {
        append_engine(&contest->engines[i], &text);
    }
    strbuf_addf(&text, "%d %d %d\n", schedule->kind, schedule->games, schedule->repeats);
    strbuf_addf(&text, "%llx\n", (unsigned long long)openings_hash(&contest->openings));
    strbuf_addf(&text, "%d %d\n", contest->rules.declare, contest->rules.max_plies);
    strbuf_addf(&text, "%d %d %d %d %d %d\n", adjudication->resign_moves,
                adjudication->resign_score, adjudication->is_resign_mutual,
                adjudication->draw_moves, adjudication->draw_score, adjudication->draw_from_ply);
    if (schedule->keeps_colors || schedule->has_furigoma) {
        strbuf_addf(&text, "%d %d %llu\n", schedule->keeps_colors, schedule->has_furigoma,
                    (unsigned long long)schedule->seed);
    }
    if (schedule->is_reversed || schedule->seeds > 1) {
        strbuf_addf(&text, "%d seeds, %d\n", schedule->seeds, schedule->is_reversed);
    }
    if (contest->repetition != 0.5) {
        strbuf_addf(&text, "repetition %.6f\n", contest->repetition);
    }
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, text.ptr, text.len);
    strbuf_free(&text);
    return hash;
}

static void write_tournament(const Contest *contest, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    strbuf_add_byte(out, '{');
    json_add_i64(FORMAT_KEY, FORMAT_VERSION, out);
    strbuf_addf(&text, "%016llx", (unsigned long long)hash_contest(contest));
    json_add_text("settings", strbuf_view(&text), out);
    for (int i = 0; i < contest->engine_count; i++) {
        StrBuf key = STRBUF_INIT;
        strbuf_addf(&key, "engine%d", i);
        json_add_text(key.ptr, sv_from(contest->engines[i].name), out);
        strbuf_add_str(&key, "_time");
        json_add_text(key.ptr, sv_from(contest->engines[i].time_text), out);
        strbuf_free(&key);
    }
    for (size_t i = 0; i < COUNTOF(schedule_fields); i++) {
        const int *place = (const int *)(const void *)((const char *)&contest->schedule +
                                                       schedule_fields[i].place);
        json_add_i64(schedule_fields[i].key, *place, out);
    }
    json_add_i64("colors",
                 contest->schedule.repeats + 2 * contest->schedule.keeps_colors +
                     4 * contest->schedule.has_furigoma + 8 * contest->schedule.is_reversed,
                 out);
    if (contest->schedule.seeds > 1) {
        json_add_i64("seeds", contest->schedule.seeds, out);
    }
    json_add_i64("seed", (int64_t)contest->schedule.seed, out);
    json_add_text("rule", sv_from(declare_rule_name(contest->rules.declare)), out);
    json_add_i64("max_plies", contest->rules.max_plies, out);
    if (contest->repetition != 0.5) {
        strbuf_clear(&text);
        strbuf_addf(&text, "%g", contest->repetition);
        json_add_text("repetition", strbuf_view(&text), out);
    }
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

static bool has_same_settings(StrView line, const Contest *contest) {
    StrBuf found = STRBUF_INIT, wanted = STRBUF_INIT;
    int64_t version;
    strbuf_addf(&wanted, "%016llx", (unsigned long long)hash_contest(contest));
    bool is_same = json_line_is_object(line) &&
                   json_line_i64(line, FORMAT_KEY, FORMAT_VERSION, FORMAT_VERSION, &version) &&
                   json_line_text(line, "settings", &found) &&
                   sv_equal(strbuf_view(&found), strbuf_view(&wanted));
    strbuf_free(&found);
    strbuf_free(&wanted);
    return is_same;
}

static bool is_warning(StrView line) {
    StrBuf text = STRBUF_INIT;
    bool is_good = json_line_is_object(line) && json_line_text(line, WARNING_KEY, &text);
    strbuf_free(&text);
    return is_good;
}

/* Adds the game of one line to the standings. A game of a round that is no longer requested stays
 * in the file but is not added. Returns false if the line is neither a game nor a warning. */
static bool add_known_line(StrView line, const Contest *contest, Standings *standings,
                           const MatchListener *listener) {
    int index = 0;
    GameResult result = {.winner = KMD_WINNER_NONE};
    bool is_good = read_game_line(line, &index, &result);
    if (is_good && index < standings->total && !standings_has(standings, index)) {
        ScheduledGame game = schedule_game(&standings->schedule, index);
        standings_add(standings, &game, &result);
        const MatchEvent event = {.kind = EVENT_KNOWN,
                                  .game = &game,
                                  .result = &result,
                                  .contest = contest,
                                  .standings = standings};
        (void)listener->hear(listener->self, &event);
    }
    gameresult_free(&result);
    return is_good || is_warning(line);
}

/* Adds the games in the lines of a file after its first line. Returns false with the reason in
 * *error. */
static bool add_known_games(const char *path, const Contest *contest, Standings *standings,
                            const MatchListener *listener, StrView lines, StrBuf *error) {
    StrView line;
    for (int number = 2; sv_next_line(&lines, &line); number++) {
        if (!add_known_line(line, contest, standings, listener)) {
            strbuf_addf(error, "%s, line %d: not a game of this tournament", path, number);
            return false;
        }
    }
    return true;
}

/* True if a file without a whole line is the start of a file of results: the run ended while it
 * wrote the first game. */
static bool is_only_begun(const char *path) {
    const StrView start = SV("{\"" FORMAT_KEY "\"");
    FileStart bytes;
    if (file_read_start(path, FILE_START_MAX, &bytes) != 0) {
        return false;
    }
    size_t len = bytes.len < start.len ? bytes.len : start.len;
    return sv_equal(sv_prefix((StrView){bytes.bytes, bytes.len}, len), sv_prefix(start, len));
}

/* Reads the results in the file and continues it. A file that is not of this tournament is left as
 * it is. */
static bool continue_file(ResultLog *log, const ResultLogOptions *options, const Contest *contest,
                          Standings *standings, const MatchListener *listener, StrBuf *error) {
    const char *path = options->path;
    StrBuf text = STRBUF_INIT;
    bool is_good = newfile_read(path, &text, error);
    StrView rest = strbuf_view(&text), line;
    if (is_good && !(text.len == 0 && is_only_begun(path)) &&
        (!sv_next_line(&rest, &line) || !has_same_settings(line, contest))) {
        strbuf_addf(error, "%s belongs to a different tournament", path);
        is_good = false;
    }
    is_good = is_good && add_known_games(path, contest, standings, listener, rest, error) &&
              newfile_cut(log->stream, path, text.len, error);
    strbuf_free(&text);
    return is_good;
}

bool resultlog_open(ResultLog *log, const ResultLogOptions *options, const Contest *contest,
                    Standings *standings, const MatchListener *listener, StrBuf *error) {
    *log = (ResultLog){NULL, STRBUF_INIT};
    if (options->path == NULL) {
        return true;
    }
    log->stream = newfile_open(options->path, options->resumes, "continue it with -resume", error);
    if (log->stream == NULL) {
        return false;
    }
    if (!newfile_is_empty(log->stream) &&
        !continue_file(log, options, contest, standings, listener, error)) {
        return false;
    }
    if (newfile_is_empty(log->stream)) {
        write_tournament(contest, &log->lines);
    }
    return true;
}

bool resultlog_hear(void *self, const MatchEvent *event) {
    ResultLog *log = self;
    if (log->stream == NULL || event->kind != EVENT_END) {
        return true;
    }
    write_game_line(event->contest, event->game, event->result, &log->lines);
    bool is_good = newfile_add(log->stream, strbuf_view(&log->lines));
    strbuf_clear(&log->lines);
    return is_good;
}

void resultlog_warn(ResultLog *log, StrView text) {
    if (log->stream != NULL) {
        strbuf_add_byte(&log->lines, '{');
        json_add_text(WARNING_KEY, text, &log->lines);
        strbuf_add_str(&log->lines, "}\n");
    }
}

bool resultlog_close(ResultLog *log) {
    bool is_good = log->stream == NULL || fclose(log->stream) == 0;
    strbuf_free(&log->lines);
    *log = (ResultLog){NULL, STRBUF_INIT};
    return is_good;
}

/* ---- Merging files ---- */

static char *get_copy(StrView line, const char *key) {
    StrBuf text = STRBUF_INIT;
    bool is_there = json_line_text(line, key, &text);
    char *copy = is_there ? sv_copy(strbuf_view(&text)) : NULL;
    strbuf_free(&text);
    return copy;
}

/* Fills in the contest from the first line of a file. */
static bool read_tournament(StrView line, Contest *contest) {
    Schedule *schedule = &contest->schedule;
    int64_t number;
    if (!json_line_is_object(line) ||
        !json_line_i64(line, FORMAT_KEY, FORMAT_VERSION, FORMAT_VERSION, &number)) {
        return false;
    }
    for (size_t i = 0; i < COUNTOF(schedule_fields); i++) {
        if (!json_line_i64(line, schedule_fields[i].key, i > 0, i > 1 ? 10000000 : 10000,
                           &number)) {
            return false;
        }
        *(int *)(void *)((char *)schedule + schedule_fields[i].place) = (int)number;
    }
    if (schedule->kind > GAUNTLET || schedule->engines < 2 ||
        !json_line_i64(line, "colors", 0, 15, &number)) {
        return false;
    }
    schedule->repeats = (number & 1) != 0;
    schedule->keeps_colors = (number & 2) != 0;
    schedule->has_furigoma = (number & 4) != 0;
    schedule->is_reversed = (number & 8) != 0;
    schedule->seeds =
        json_line_i64(line, "seeds", 1, schedule->engines - 1, &number) ? (int)number : 1;
    if (!json_line_i64(line, "seed", 0, INT64_MAX, &number)) {
        return false;
    }
    schedule->seed = (uint64_t)number;
    StrBuf repetition = STRBUF_INIT;
    contest->repetition = 0.5;
    bool is_good = !json_line_text(line, "repetition", &repetition) ||
                   sv_to_double(strbuf_view(&repetition), 0, 1, &contest->repetition);
    strbuf_free(&repetition);
    contest->engine_count = schedule->engines;
    free(contest->engines); /* there is no room for engines */
    contest->engines = xmem_calloc((size_t)schedule->engines, sizeof(EngineSpec));
    for (int i = 0; i < schedule->engines; i++) {
        StrBuf key = STRBUF_INIT;
        strbuf_addf(&key, "engine%d", i);
        contest->engines[i].name = get_copy(line, key.ptr);
        strbuf_add_str(&key, "_time");
        contest->engines[i].time_text = get_copy(line, key.ptr);
        is_good =
            is_good && contest->engines[i].name != NULL && contest->engines[i].time_text != NULL;
        strbuf_free(&key);
    }
    return is_good;
}

/* Reads all files into *texts, one after the other; ends[i] is where the lines of file i end. The
 * first lines of the files must be the same, and only the first one is kept. The file of a shard
 * without games is empty, or has been begun. */
static bool gather_files(const Args *files, StrBuf *texts, size_t *ends, StrBuf *error) {
    StrBuf text = STRBUF_INIT, settings = STRBUF_INIT, other = STRBUF_INIT;
    StrView line;
    bool is_good = true;
    for (int i = 0; i < files->count && is_good; i++) {
        strbuf_clear(&text);
        strbuf_clear(&other);
        int failure = file_read(files->words[i], &text);
        StrView whole = strbuf_view(&text);
        while (whole.len > 0 && whole.ptr[whole.len - 1] != '\n') {
            whole.len--; /* an incomplete last line */
        }
        StrView rest = whole;
        bool is_first = texts->len == 0;
        ends[i] = texts->len;
        if (failure == 0 && whole.len == 0 && is_only_begun(files->words[i])) {
            continue;
        }
        if (failure != 0) {
            strbuf_addf(error, "%s: %s", files->words[i], file_error_text(failure));
        } else if (!sv_next_line(&rest, &line) || !json_line_is_object(line) ||
                   !json_line_text(line, "settings", is_first ? &settings : &other)) {
            strbuf_addf(error, "%s: not a results file", files->words[i]);
        } else if (!is_first && !sv_equal(strbuf_view(&settings), strbuf_view(&other))) {
            strbuf_addf(error, "%s belongs to a different tournament than the files before it",
                        files->words[i]);
        }
        is_good = error->len == 0;
        strbuf_add(texts, is_first ? whole : rest);
        ends[i] = texts->len;
    }
    if (is_good && texts->len == 0) {
        strbuf_addf(error, "%s: contains no results", files->words[0]);
        is_good = false;
    }
    strbuf_free(&text);
    strbuf_free(&settings);
    strbuf_free(&other);
    return is_good;
}

/* Sets the number of rounds by the last game, because -resume may have changed it after the first
 * line was written. Returns false if there are too many games. */
static bool count_rounds(StrView text, Schedule *schedule) {
    StrView line;
    int64_t number, last = 0;
    while (sv_next_line(&text, &line)) {
        if (json_line_is_object(line) && json_line_i64(line, "game", 0, INT32_MAX, &number)) {
            last = i64_max(last, number);
        }
    }
    int64_t rounds = last / schedule_round_games(schedule) + 1;
    schedule->rounds = (int)i64_min(rounds, INT32_MAX);
    return schedule_fits(schedule);
}

bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     const MatchListener *listener, StrBuf *error) {
    StrBuf texts = STRBUF_INIT;
    StrView line;
    size_t *ends = xmem_calloc((size_t)files->count, sizeof(*ends));
    bool is_good = gather_files(files, &texts, ends, error);
    StrView rest = strbuf_view(&texts);
    if (is_good && (!sv_next_line(&rest, &line) || !read_tournament(line, contest))) {
        strbuf_addf(error, "%s: the first line does not describe the tournament completely",
                    files->words[0]);
        is_good = false;
    }
    if (is_good && contest->sprt.alpha > 0 && contest->engine_count != 2) {
        strbuf_add_str(error, "-sprt: only between two engines");
        is_good = false;
    }
    if (is_good && !count_rounds(rest, &contest->schedule)) {
        strbuf_addf(error, "-merge: more than %d million games", TOTAL_MAX / 1000000);
        is_good = false;
    }
    if (is_good) {
        standings_init(standings, &contest->schedule, contest->repetition);
        size_t start = texts.len - rest.len;
        for (int i = 0; i < files->count && is_good; i++) {
            StrView lines = {texts.ptr + start, ends[i] > start ? ends[i] - start : 0};
            is_good = add_known_games(files->words[i], contest, standings, listener, lines, error);
            start += lines.len;
        }
    }
    if (is_good && path != NULL) {
        FILE *out = newfile_open(path, false, "name another file", error);
        bool is_written = out != NULL && newfile_add(out, strbuf_view(&texts));
        if (out != NULL && (fclose(out) != 0 || !is_written)) {
            strbuf_addf(error, "cannot write to %s: %s", path, file_error_text(errno));
        }
        is_good = error->len == 0;
    }
    free(ends);
    strbuf_free(&texts);
    return is_good;
}
