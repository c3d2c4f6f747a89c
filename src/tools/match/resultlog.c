#include "tools/match/resultlog.h"

#include "base/fileio.h"
#include "tools/match/jsonl.h"
#include "tools/match/newfile.h"

#define FORMAT_KEY  "komadori_match"
#define WARNING_KEY "warning"

/* Of the format; goes up when a reader of the old one would misunderstand the new one. */
enum { FORMAT_VERSION = 1 };

static void write_header(const MatchSettings *settings, StrBuf *out) {
    StrBuf text = STRBUF_INIT;
    jsonl_begin(out);
    jsonl_add_i64(out, FORMAT_KEY, FORMAT_VERSION);
    strbuf_addf(&text, "%016llx", (unsigned long long)settings_hash(settings));
    jsonl_add_text(out, "settings", strbuf_view(&text));
    for (int i = 0; i < settings->engine_count; i++) {
        StrBuf key = STRBUF_INIT;
        strbuf_addf(&key, "engine%d", i);
        jsonl_add_text(out, key.ptr, sv_from(settings->engines[i].name));
        strbuf_add_str(&key, "_time");
        strbuf_clear(&text);
        tc_write(&settings->engines[i].tc, &text);
        jsonl_add_text(out, key.ptr, strbuf_view(&text));
        strbuf_free(&key);
    }
    jsonl_add_text(out, "rule", sv_from(declare_rule_name(settings->rules.declare)));
    jsonl_add_i64(out, "max_plies", settings->rules.max_plies);
    jsonl_end(out);
    strbuf_free(&text);
}

/* What is written of a player's numbers, under "black_us" and so on, and the most that is read. */
enum { STAT_TIME, STAT_NODES, STAT_NODES_TIME, STAT_MOVES, STAT_DEPTH, STAT_DEPTH_MOVES, STAT_NB };

static const struct {
    const char *black_key, *white_key;
    int64_t high;
} stat_fields[STAT_NB] = {
    [STAT_TIME] = {"black_us", "white_us", INT64_MAX / 1000},
    [STAT_NODES] = {"black_nodes", "white_nodes", INT64_MAX},
    [STAT_NODES_TIME] = {"black_nodes_us", "white_nodes_us", INT64_MAX / 1000},
    [STAT_MOVES] = {"black_moves", "white_moves", INT32_MAX},
    [STAT_DEPTH] = {"black_depth_sum", "white_depth_sum", INT64_MAX},
    [STAT_DEPTH_MOVES] = {"black_depth_moves", "white_depth_moves", INT32_MAX},
};

static const char *stat_key(int field, Color side) {
    return side == BLACK ? stat_fields[field].black_key : stat_fields[field].white_key;
}

static void write_stats(const PlayerStats *stats, Color side, StrBuf *out) {
    const int64_t values[STAT_NB] = {
        [STAT_TIME] = stats->time_ns / 1000,
        [STAT_NODES] = (int64_t)stats->nodes,
        [STAT_NODES_TIME] = stats->nodes_time_ns / 1000,
        [STAT_MOVES] = stats->moves,
        [STAT_DEPTH] = stats->depth_sum,
        [STAT_DEPTH_MOVES] = stats->depth_moves,
    };
    for (int i = 0; i < STAT_NB; i++) {
        jsonl_add_i64(out, stat_key(i, side), values[i]);
    }
}

static bool read_stats(StrView line, Color side, PlayerStats *stats) {
    int64_t values[STAT_NB];
    for (int i = 0; i < STAT_NB; i++) {
        if (!jsonl_get_i64(line, stat_key(i, side), 0, stat_fields[i].high, &values[i])) {
            return false;
        }
    }
    *stats = (PlayerStats){.time_ns = values[STAT_TIME] * 1000,
                           .nodes = (uint64_t)values[STAT_NODES],
                           .nodes_time_ns = values[STAT_NODES_TIME] * 1000,
                           .moves = (int)values[STAT_MOVES],
                           .depth_sum = values[STAT_DEPTH],
                           .depth_moves = (int)values[STAT_DEPTH_MOVES]};
    return true;
}

static void write_game(const MatchSettings *settings, const ScheduledGame *game,
                       const GameResult *result, StrBuf *out) {
    int black = game->is_first_black ? game->first : game->second;
    int white = game->is_first_black ? game->second : game->first;
    jsonl_begin(out);
    jsonl_add_i64(out, "game", game->index);
    jsonl_add_i64(out, "round", game->round + 1);
    jsonl_add_text(out, "black", sv_from(settings->engines[black].name));
    jsonl_add_text(out, "white", sv_from(settings->engines[white].name));
    jsonl_add_text(out, "winner", sv_from(winner_name(result->winner)));
    jsonl_add_text(out, "end", sv_from(end_reason_name(result->reason)));
    jsonl_add_text(out, "detail", strbuf_view(&result->detail));
    jsonl_add_i64(out, "plies", result->plies);
    write_stats(&result->stats[BLACK], BLACK, out);
    write_stats(&result->stats[WHITE], WHITE, out);
    jsonl_add_text(out, "start", strbuf_view(&result->start));
    jsonl_add_text(out, "moves", strbuf_view(&result->moves));
    jsonl_end(out);
}

/* Reads what write_game wrote. False when the line is not such a game. */
static bool read_game(StrView line, int *index, GameResult *result) {
    int64_t number;
    int64_t plies;
    StrBuf winner = STRBUF_INIT;
    StrBuf end = STRBUF_INIT;
    bool is_good = jsonl_is_object(line) && jsonl_get_i64(line, "game", 0, INT32_MAX, &number) &&
                   jsonl_get_i64(line, "plies", 0, INT32_MAX, &plies) &&
                   jsonl_get_text(line, "winner", &winner) &&
                   winner_read(strbuf_view(&winner), &result->winner) &&
                   jsonl_get_text(line, "end", &end) &&
                   end_reason_read(strbuf_view(&end), &result->reason) &&
                   jsonl_get_text(line, "start", &result->start) &&
                   jsonl_get_text(line, "moves", &result->moves) &&
                   read_stats(line, BLACK, &result->stats[BLACK]) &&
                   read_stats(line, WHITE, &result->stats[WHITE]);
    if (is_good) {
        *index = (int)number;
        result->plies = (int)plies;
    }
    strbuf_free(&winner);
    strbuf_free(&end);
    return is_good;
}

static bool has_same_settings(StrView line, const MatchSettings *settings) {
    StrBuf found = STRBUF_INIT;
    StrBuf wanted = STRBUF_INIT;
    int64_t version;
    strbuf_addf(&wanted, "%016llx", (unsigned long long)settings_hash(settings));
    bool is_same = jsonl_is_object(line) &&
                   jsonl_get_i64(line, FORMAT_KEY, FORMAT_VERSION, FORMAT_VERSION, &version) &&
                   jsonl_get_text(line, "settings", &found) &&
                   sv_equal(strbuf_view(&found), strbuf_view(&wanted));
    strbuf_free(&found);
    strbuf_free(&wanted);
    return is_same;
}

static bool is_warning(StrView line) {
    StrBuf text = STRBUF_INIT;
    bool is_good = jsonl_is_object(line) && jsonl_get_text(line, WARNING_KEY, &text);
    strbuf_free(&text);
    return is_good;
}

/* Takes one line of games over. A game of a round that is no longer asked for stays in the file and
 * out of the standings. */
static bool take_game(StrView line, Standings *standings) {
    int index = 0;
    GameResult result = {.winner = KMD_WINNER_NONE};
    bool is_good = read_game(line, &index, &result);
    if (is_good && index < standings->total && !standings_has(standings, index)) {
        ScheduledGame game = schedule_game(&standings->schedule, index);
        standings_add(standings, &game, &result);
    }
    gameresult_free(&result);
    return is_good || is_warning(line);
}

/* Reads an old file and writes it back without a torn last line. False with the reason in *error.
 */
static bool take_over(const MatchSettings *settings, Standings *standings, StrView text,
                      StrBuf *error) {
    StrView rest = text;
    StrView line;
    int number = 1;
    if (!sv_next_line(&rest, &line) || !has_same_settings(line, settings)) {
        strbuf_addf(error, "%s is of another tournament", settings->results_path);
        return false;
    }
    size_t whole = text.len - rest.len;
    while (sv_next_line(&rest, &line)) {
        number++;
        bool is_torn = rest.len == 0 && text.ptr[text.len - 1] != '\n';
        if (!is_torn && !take_game(line, standings)) {
            strbuf_addf(error, "%s, line %d: no game of this tournament", settings->results_path,
                        number);
            return false;
        }
        whole = is_torn ? whole : text.len - rest.len;
    }
    int failure = whole < text.len ? file_write(settings->results_path, text.ptr, whole) : 0;
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", settings->results_path, file_error_text(failure));
    }
    return failure == 0;
}

static bool open_stream(ResultLog *log, const MatchSettings *settings, StrBuf *error) {
    log->stream =
        newfile_open(settings->results_path, settings->resumes, "-resume goes on from it", error);
    return log->stream != NULL;
}

/* Takes over what the file holds, which may replace it. */
static bool go_on(ResultLog *log, const MatchSettings *settings, Standings *standings,
                  StrBuf *error) {
    const char *path = settings->results_path;
    StrBuf text = STRBUF_INIT;
    fclose(log->stream);
    log->stream = NULL;
    int failure = file_read(path, &text);
    if (failure != 0) {
        strbuf_addf(error, "%s: %s", path, file_error_text(failure));
    }
    bool is_good = failure == 0 && take_over(settings, standings, strbuf_view(&text), error);
    strbuf_free(&text);
    return is_good && open_stream(log, settings, error);
}

static bool write_lines(ResultLog *log) {
    bool is_good = fwrite(log->lines.ptr, 1, log->lines.len, log->stream) == log->lines.len &&
                   fflush(log->stream) == 0;
    strbuf_clear(&log->lines);
    return is_good;
}

bool resultlog_open(ResultLog *log, const MatchSettings *settings, Standings *standings,
                    StrBuf *error) {
    *log = (ResultLog){NULL, STRBUF_INIT};
    if (settings->results_path == NULL) {
        return true;
    }
    if (!open_stream(log, settings, error)) {
        return false;
    }
    if (!newfile_is_empty(log->stream)) {
        return go_on(log, settings, standings, error);
    }
    write_header(settings, &log->lines);
    return true;
}

bool resultlog_add(ResultLog *log, const MatchSettings *settings, const ScheduledGame *game,
                   const GameResult *result) {
    if (log->stream == NULL) {
        return true;
    }
    write_game(settings, game, result, &log->lines);
    return write_lines(log);
}

void resultlog_warn(ResultLog *log, StrView text) {
    if (log->stream != NULL) {
        jsonl_begin(&log->lines);
        jsonl_add_text(&log->lines, WARNING_KEY, text);
        jsonl_end(&log->lines);
    }
}

bool resultlog_close(ResultLog *log) {
    bool is_good = log->stream == NULL || fclose(log->stream) == 0;
    strbuf_free(&log->lines);
    *log = (ResultLog){NULL, STRBUF_INIT};
    return is_good;
}
