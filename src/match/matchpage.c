/* matchpage.c: keeps the moves of games, and at intervals writes the standings, curves and games as
 * one JSON object into the page. */
#include "match/matchpage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/fileio.h"
#include "base/json.h"
#include "base/xmem.h"
#include "komadori/version.h"
#include "play/player.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "rules/usimove.h"
#include "web/page.h"

enum {
    LINE_MAX = 8,         /* maximum number of moves per line */
    GAMES_MAX = 20000,    /* maximum number of games that are listed */
    BODIES_MAX = 1 << 24, /* bytes of moves in the page */
    PART_MAX = 50         /* writing the page takes at most this fraction of the time */
};
#define MIN_NS INT64_C(5000000000)

/* ---- Games in progress ---- */

void matchpage_init(MatchPage *page, const char *path, int slots) {
    *page = (MatchPage){.path = path, .start = (int64_t)time(NULL), .slots = slots};
    page->live = xmem_calloc((size_t)slots, sizeof(page->live[0]));
}

void matchpage_free_slot(MatchPage *page, int slot) {
    PageLive *live = &page->live[slot];
    live->is_on = false;
    strbuf_free(&live->opening);
    strbuf_free(&live->moves);
    strbuf_free(&live->notes);
    live->plies = 0;
}

void matchpage_free(MatchPage *page) {
    for (int i = 0; i < page->slots; i++) {
        matchpage_free_slot(page, i);
    }
    for (int i = 0; i < page->count; i++) {
        free(page->games[i].head);
        free(page->games[i].body);
    }
    free(page->live);
    free(page->games);
    *page = (MatchPage){0};
}

void matchpage_begin_game(MatchPage *page, int slot, const ScheduledGame *game) {
    if (page->path != NULL) {
        matchpage_free_slot(page, slot);
        int64_t now = (int64_t)time(NULL);
        page->live[slot] = (PageLive){
            .is_on = true, .game = *game, .start = now, .last = now, .left_ms = {-1, -1}};
    }
}

/* Adds the notes on the moves that are new in the result: [score, milliseconds, depth, line]. */
void matchpage_add_move(MatchPage *page, int slot, Position *pos, const GameResult *result) {
    PageLive *live = &page->live[slot];
    StrBuf *out = &live->notes;
    if (page->path == NULL) {
        return;
    }
    for (; live->plies < result->plies; live->plies++) {
        const MoveNote *note = &result->notes[live->plies];
        strbuf_add_str(out, live->plies > 0 ? ",[" : "[");
        if (note->has_score) {
            strbuf_add_i64(out, note->score);
        } else {
            strbuf_add_str(out, "null");
        }
        strbuf_addf(out, ",%lld,%d,\"", (long long)(note->time_ns / NS_PER_MS), note->depth);
        if (live->plies == result->plies - 1) {
            Move moves[LINE_MAX];
            StrView line = sv_prefix(sv_skip(strbuf_view(&result->pvs), note->pv), note->pv_len);
            int count = gameresult_read_pv(line, pos, moves, LINE_MAX);
            for (int i = 0; i < count; i++) {
                strbuf_add_str(out, i > 0 ? " " : "");
                usimove_append(moves[i], out);
            }
        }
        strbuf_add_str(out, "\"]");
    }
    if (result->plies > 0) {
        int64_t left_ns = result->notes[result->plies - 1].left_ns;
        live->left_ms[color_flip(pos->side)] = left_ns < 0 ? -1 : left_ns / NS_PER_MS;
    }
    strbuf_clear(&live->opening);
    strbuf_clear(&live->moves);
    strbuf_add(&live->opening, strbuf_view(&result->start));
    strbuf_add(&live->moves, strbuf_view(&result->moves));
    live->last = (int64_t)time(NULL);
}

/* ---- Games as JSON ---- */

static void add_game(const ScheduledGame *game, StrBuf *out) {
    json_add_i64("game", game->index, out);
    json_add_i64("round", game->round, out);
    json_add_i64("black", schedule_black(game), out);
    json_add_i64("white", schedule_white(game), out);
}

static void add_moves(const StrBuf *opening, const StrBuf *moves, const StrBuf *notes,
                      StrBuf *out) {
    json_add_text("start", strbuf_view(opening), out);
    json_add_text("moves", strbuf_view(moves), out);
    strbuf_add_str(out, ",\"notes\":[");
    strbuf_add(out, strbuf_view(notes));
    strbuf_add_byte(out, ']');
}

/* Appends a pair of numbers, black's and white's. */
static void add_both(const char *key, int64_t black, int64_t white, StrBuf *out) {
    strbuf_addf(out, ",\"%s\":[%lld,%lld]", key, (long long)black, (long long)white);
}

static void add_result(const GameResult *result, StrBuf *out) {
    const PlayerStats *black = &result->stats[BLACK], *white = &result->stats[WHITE];
    json_add_text("winner", sv_from(gameresult_winner_name(result->winner)), out);
    json_add_text("end", sv_from(gameresult_end_name(result->reason)), out);
    if (result->detail.len > 0) {
        json_add_text("detail", strbuf_view(&result->detail), out);
    }
    json_add_i64("plies", result->plies, out);
    if (result->end_time > 0) {
        json_add_i64("since", result->start_time, out);
        json_add_i64("last", result->end_time, out);
    }
    add_both("ms", black->time_ns / NS_PER_MS, white->time_ns / NS_PER_MS, out);
    add_both("count", black->moves, white->moves, out);
    add_both("nodes", (int64_t)black->nodes, (int64_t)white->nodes, out);
}

/* Adds a finished game with the notes on its moves. */
static void add_finished(MatchPage *page, const StrBuf *notes, const ScheduledGame *game,
                         const GameResult *result) {
    StrBuf head = STRBUF_INIT, body = STRBUF_INIT;
    strbuf_add_byte(&head, '{');
    add_game(game, &head);
    add_result(result, &head);
    strbuf_add_byte(&body, ' '); /* not empty, so that a comma precedes the moves */
    add_moves(&result->start, &result->moves, notes, &body);
    page->games =
        xmem_grow(page->games, &page->cap, (size_t)page->count + 1, sizeof(page->games[0]));
    page->games[page->count++] =
        (PageGame){sv_copy(strbuf_view(&head)), sv_copy(strbuf_view(&body))};
    page->body_bytes += body.len;
    strbuf_free(&head);
    strbuf_free(&body);
    if (page->count > GAMES_MAX) {
        PageGame *oldest = &page->games[page->count - 1 - GAMES_MAX];
        free(oldest->head);
        oldest->head = NULL;
    }
    while ((page->body_bytes > BODIES_MAX && page->dropped < page->count - 1) ||
           page->dropped < page->count - GAMES_MAX) {
        PageGame *oldest = &page->games[page->dropped++];
        page->body_bytes -= sv_from(oldest->body).len;
        free(oldest->body);
        oldest->body = NULL;
    }
}

void matchpage_end_game(MatchPage *page, int slot, const GameResult *result) {
    if (page->path != NULL) {
        add_finished(page, &page->live[slot].notes, &page->live[slot].game, result);
    }
}

void matchpage_add_known(MatchPage *page, const ScheduledGame *game, const GameResult *result) {
    const StrBuf no_notes = STRBUF_INIT;
    if (page->path != NULL) {
        add_finished(page, &no_notes, game, result);
    }
}

/* The number of engines with curves. More colours could not be distinguished. */
enum { CURVES_MAX = 12 };

/* ---- The standings as JSON ---- */

static void separate(StrBuf *out) {
    if (out->len > 0 && out->ptr[out->len - 1] != '[') {
        strbuf_add_byte(out, ',');
    }
}

static void begin(const char *key, char bracket, StrBuf *out) {
    json_add_key(key, out);
    strbuf_add_byte(out, bracket);
}

/* Appends a number. JSON has no infinite numbers, so they become null, like unknown values. */
static void append_number(double value, int decimals, StrBuf *out) {
    if (isfinite(value)) {
        strbuf_addf(out, "%.*f", decimals, value);
    } else {
        strbuf_add_str(out, "null");
    }
}

static void add_number(const char *key, double value, int decimals, StrBuf *out) {
    json_add_key(key, out);
    append_number(value, decimals, out);
}

static void add_wdl(const char *key, const WinDrawLoss *score, StrBuf *out) {
    json_add_key(key, out);
    strbuf_addf(out, "[%d,%d,%d]", score->wins, score->draws, score->losses);
}

/* Appends the number of games that ended in each way, such as {"resign":3,"time":1}. */
static void add_ends(const char *key, const int *counts, StrBuf *out) {
    begin(key, '{', out);
    for (int i = 0; i < ENDED_NB; i++) {
        if (counts[i] > 0) {
            json_add_i64(gameresult_end_name((EndReason)i), counts[i], out);
        }
    }
    strbuf_add_byte(out, '}');
}

/* ---- The tournament ---- */

/* Appends what the standings do not contain. A match that was merged from files of results does not
 * know the machines that played it. */
static void add_settings(const Standings *standings, const MatchPage *page, MatchState state,
                         int64_t now, StrBuf *out) {
    static const char *const states[] = {
        [MATCH_RUNS] = "running",
        [MATCH_ENDED] = "ended",
        [MATCH_INTERRUPTED] = "interrupted",
        [MATCH_MERGED] = "merged",
    };
    const Contest *contest = standings->contest;
    const Schedule *schedule = &contest->schedule;
    char cpu[CPU_NAME_SIZE];
    json_add_text("program", SV("komadori-match " KMD_VERSION), out);
    json_add_text("state", sv_from(states[state]), out);
    json_add_text("event", sv_from(contest->event != NULL ? contest->event : ""), out);
    json_add_text("site", sv_from(contest->site != NULL ? contest->site : ""), out);
    json_add_i64("start", page->start, out);
    json_add_i64("now", now, out);
    json_add_text("kind", sv_from(schedule_kind_name((int)schedule->kind)), out);
    json_add_i64("roundCount", schedule->rounds, out);
    json_add_i64("gamesPerEncounter", schedule->games, out);
    add_number("wanted", contest->has_no_end ? NAN : standings->wanted, 0, out);
    begin("command", '[', out);
    for (int i = 0; i < contest->command.count; i++) {
        separate(out);
        json_append_string(sv_from(contest->command.words[i]), out);
    }
    strbuf_add_byte(out, ']');
    if (state != MATCH_MERGED) {
        json_add_text("machine", sv_from(cpu_name(cpu)), out);
        json_add_i64("cores", cpu_cores(), out);
        json_add_text("build", sv_from(base_build_text()), out);
    }
}

/* ---- Engines ---- */

static void add_estimate(const ScoreSample *sample, StrBuf *out) {
    EloEstimate estimate = elo_estimate(sample);
    add_number("elo", estimate.elo, 2, out);
    add_number("eloLow", estimate.elo_low, 2, out);
    add_number("eloHigh", estimate.elo_high, 2, out);
    add_number("eloError", estimate.elo_error, 2, out);
    add_number("nelo", estimate.nelo, 2, out);
    add_number("neloError", estimate.nelo_error, 2, out);
    add_number("los", 100.0 * estimate.superiority, 2, out);
    if (sample->kinds == SCORE_PAIRS) {
        begin("pairs", '[', out);
        for (int i = 0; i < SCORE_PAIRS; i++) {
            separate(out);
            strbuf_add_u64(out, sample->count[i]);
        }
        strbuf_add_byte(out, ']');
    }
}

static void add_engine(const Standings *standings, int index, StrBuf *out) {
    const EngineSpec *engine = &standings->contest->engines[index];
    const PlayerStats *stats = &standings->engines[index].stats;
    WinDrawLoss score = standings_engine(standings, index, -1);
    ScoreSample sample = standings_engine_sample(standings, index);
    strbuf_add_byte(out, '{');
    json_add_text("name", sv_from(engine->name), out);
    json_add_text("time", sv_from(engine->time_text), out);
    json_add_i64("games", wdl_games(&score), out);
    add_number("points", wdl_points(&score), 1, out);
    add_wdl("score", &score, out);
    add_estimate(&sample, out);
    json_add_i64("moves", stats->moves, out);
    add_number("ms", (double)stats->time_ns / 1e6 / fmax(stats->moves, 1.0), 1, out);
    if (stats->depth_moves > 0) {
        add_number("depth", (double)stats->depth_sum / stats->depth_moves, 1, out);
    }
    if (stats->nodes_time_ns > 0) {
        add_number("nps", (double)stats->nodes / ((double)stats->nodes_time_ns / 1e9), 0, out);
    }
    add_ends("faults", standings->engines[index].faults, out);
    strbuf_add_byte(out, '}');
}

/* ---- Tests and curves ---- */

static void add_sprt(const SprtTest *test, const Standings *standings, StrBuf *out) {
    static const char *const states[] = {
        [SPRT_GOES_ON] = "goes on", [SPRT_ACCEPTS_H0] = "H0", [SPRT_ACCEPTS_H1] = "H1"};
    ScoreSample sample = standings_encounter_sample(standings, 0);
    begin("sprt", '{', out);
    add_number("elo0", test->elo0, 2, out);
    add_number("elo1", test->elo1, 2, out);
    add_number("alpha", test->alpha, 4, out);
    add_number("beta", test->beta, 4, out);
    json_add_text("model", test->model == SPRT_LOGISTIC ? SV("logistic") : SV("normalised"), out);
    add_number("llr", elo_sprt_llr(test, &sample), 2, out);
    add_number("lower", elo_sprt_lower(test), 2, out);
    add_number("upper", elo_sprt_upper(test), 2, out);
    json_add_text("state", sv_from(states[elo_sprt_state(test, &sample)]), out);
    strbuf_add_byte(out, '}');
}

typedef enum Curve { CURVE_ELO, CURVE_LOW, CURVE_HIGH, CURVE_LLR } Curve;

/* A value of a curve; NAN if there is nothing to show. If all games were won or lost, the
 * difference is computed with half a point less or more. */
static double curve_value(const ScoreSample *sample, Curve curve, const SprtTest *test) {
    ScoreMoments moments = elo_score_moments(sample);
    if (curve == CURVE_LLR) {
        return elo_sprt_llr(test, sample);
    }
    if (moments.number == 0) {
        return NAN;
    }
    EloEstimate estimate = elo_estimate(sample);
    double least = 0.5 / (moments.number * (sample->kinds == SCORE_PAIRS ? 2 : 1));
    return curve == CURVE_LOW    ? estimate.elo_low
           : curve == CURVE_HIGH ? estimate.elo_high
                                 : elo_of_score(fmin(fmax(estimate.score, least), 1.0 - least));
}

static void add_curve(const char *key, const Standings *standings, int engine, Curve curve,
                      StrBuf *out) {
    size_t row = (size_t)standings->contest->schedule.engines;
    begin(key, '[', out);
    for (int i = 0; i < standings->points; i++) {
        const ScoreSample *sample = &standings->history[(size_t)i * row + (size_t)engine];
        separate(out);
        append_number(curve_value(sample, curve, &standings->contest->sprt),
                      curve == CURVE_LLR ? 2 : 1, out);
    }
    strbuf_add_byte(out, ']');
}

/* Appends the Elo after every `stride` games. With two engines, it is that of the first engine with
 * its interval. Otherwise it is that of all engines or, if there are too many, of the best ones;
 * `order` lists the engines from the best one. */
static void add_history(const Standings *standings, const int *order, StrBuf *out) {
    int count = standings->contest->engine_count;
    begin("history", '{', out);
    json_add_i64("stride", standings->stride, out);
    begin("elo", '{', out);
    for (int i = 0; i < int_min(count, CURVES_MAX); i++) {
        char key[16];
        snprintf(key, sizeof(key), "%d", order[i]);
        add_curve(key, standings, order[i], CURVE_ELO, out);
    }
    strbuf_add_byte(out, '}');
    if (count == 2) {
        add_curve("low", standings, 0, CURVE_LOW, out);
        add_curve("high", standings, 0, CURVE_HIGH, out);
    }
    if (standings->contest->sprt.alpha > 0) {
        add_curve("llr", standings, 0, CURVE_LLR, out);
    }
    strbuf_add_byte(out, '}');
}

/* ---- The page ---- */

void matchpage_append_json(const MatchPage *page, const Standings *standings, MatchState state,
                           int64_t now, StrBuf *out) {
    const Contest *contest = standings->contest;
    int *order = xmem_alloc((size_t)contest->engine_count, sizeof(int));
    standings_table(standings, order);
    strbuf_add_byte(out, '{');
    add_settings(standings, page, state, now, out);
    json_add_i64("doneBefore", standings->done_before, out);
    json_add_i64("done", standings->done, out);
    begin("engines", '[', out);
    for (int i = 0; i < contest->engine_count; i++) {
        strbuf_add_str(out, i > 0 ? ",\n" : "\n");
        add_engine(standings, i, out);
    }
    strbuf_add_byte(out, ']');
    begin("order", '[', out);
    for (int i = 0; i < contest->engine_count; i++) {
        separate(out);
        strbuf_add_i64(out, order[i]);
    }
    strbuf_add_byte(out, ']');
    begin("encounters", '[', out);
    for (int i = 0; i < schedule_encounters(&contest->schedule); i++) {
        const EncounterScore *encounter = &standings->encounters[i];
        separate(out);
        strbuf_add_byte(out, '{');
        json_add_i64("first", encounter->first, out);
        json_add_i64("second", encounter->second, out);
        add_wdl("black", &encounter->by_color[BLACK], out);
        add_wdl("white", &encounter->by_color[WHITE], out);
        strbuf_add_byte(out, '}');
    }
    strbuf_add_byte(out, ']');
    if (contest->sprt.alpha > 0) {
        add_sprt(&contest->sprt, standings, out);
    }
    add_history(standings, order, out);
    free(order);
    add_ends("ends", standings->ends, out);
    json_add_i64("blackWins", standings->black_wins, out);
    json_add_i64("whiteWins", standings->white_wins, out);
    add_number("length", (double)standings->plies / fmax(standings->done, 1.0), 1, out);
    strbuf_addf(out, ",\"signature\":\"%016llx\"", (unsigned long long)standings->signature);
    begin("games", '[', out);
    for (int i = 0; i < page->count; i++) {
        const PageGame *game = &page->games[i];
        if (game->head != NULL) {
            separate(out);
            strbuf_addf(out, "\n%s", game->head);
            strbuf_add_str(out, game->body != NULL ? game->body : "");
            strbuf_add_byte(out, '}');
        }
    }
    strbuf_add_byte(out, ']');
    begin("playing", '[', out);
    for (int i = 0; i < page->slots; i++) {
        if (page->live[i].is_on) {
            const PageLive *live = &page->live[i];
            separate(out);
            strbuf_add_str(out, "\n{");
            add_game(&live->game, out);
            json_add_i64("since", live->start, out);
            json_add_i64("last", live->last, out);
            add_both("left", live->left_ms[BLACK], live->left_ms[WHITE], out);
            add_moves(&live->opening, &live->moves, &live->notes, out);
            strbuf_add_byte(out, '}');
        }
    }
    strbuf_add_str(out, "]}");
}

bool matchpage_write(MatchPage *page, const Standings *standings, MatchState state) {
    if (page->path == NULL) {
        return true;
    }
    StrBuf json = STRBUF_INIT, text = STRBUF_INIT;
    int64_t begin_ns = clock_ns();
    matchpage_append_json(page, standings, state, (int64_t)time(NULL), &json);
    page_write(PAGE_MATCH, strbuf_view(&json), (StrView){NULL, 0}, &text);
    int fault = file_write(page->path, text.ptr, text.len);
    int64_t now_ns = clock_ns();
    page->due_ns = now_ns + i64_max(MIN_NS, (now_ns - begin_ns) * PART_MAX);
    strbuf_free(&json);
    strbuf_free(&text);
    errno = fault;
    return fault == 0;
}

bool matchpage_write_if_due(MatchPage *page, const Standings *standings) {
    return page->path == NULL || clock_ns() < page->due_ns ||
           matchpage_write(page, standings, MATCH_RUNS);
}
