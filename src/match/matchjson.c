/* matchjson.c: writes the standings, curves and games as one JSON object for the page. */
#include "match/matchjson.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buildinfo.h"
#include "base/cpu.h"
#include "base/json.h"
#include "base/xmem.h"
#include "komadori/version.h"
#include "rules/declare.h"

/* The number of engines with curves. More colours could not be distinguished. */
enum { CURVES_MAX = 12 };

/* ---- Members ---- */

static void add_key(const char *key, StrBuf *out) {
    bool is_first = out->len > 0 && out->ptr[out->len - 1] == '{';
    strbuf_addf(out, "%s\"%s\":", is_first ? "" : ",", key);
}

static void separate(StrBuf *out) {
    if (out->len > 0 && out->ptr[out->len - 1] != '[') {
        strbuf_add_byte(out, ',');
    }
}

static void begin(const char *key, char bracket, StrBuf *out) {
    add_key(key, out);
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
    add_key(key, out);
    append_number(value, decimals, out);
}

static void add_if_set(const char *key, const char *text, StrBuf *out) {
    if (text != NULL) {
        json_add_text(key, sv_from(text), out);
    }
}

static void add_words(const char *key, const char *const *words, int count, StrBuf *out) {
    begin(key, '[', out);
    for (int i = 0; i < count; i++) {
        separate(out);
        json_append_string(sv_from(words[i]), out);
    }
    strbuf_add_byte(out, ']');
}

static void add_wdl(const char *key, const WinDrawLoss *score, StrBuf *out) {
    add_key(key, out);
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

static void add_machine(StrBuf *out) {
    char name[CPU_NAME_SIZE];
    json_add_text("machine", sv_from(cpu_name(name)), out);
    json_add_i64("cores", cpu_cores(), out);
    json_add_text("build", sv_from(buildinfo_text()), out);
}

static void add_openings(const Contest *contest, StrBuf *out) {
    const OpeningsOptions *options = &contest->openings_rules;
    begin("openings", '{', out);
    add_if_set("file", options->path, out);
    json_add_i64("count", contest->openings.count, out);
    json_add_i64("random", options->order, out);
    strbuf_add_byte(out, '}');
}

static void add_rules(const Contest *contest, StrBuf *out) {
    const AdjudicationOptions *adjudication = &contest->adjudication;
    json_add_text("rule", sv_from(declare_rule_name(contest->rules.declare)), out);
    json_add_i64("maxPlies", contest->rules.max_plies, out);
    if (adjudication->resign_moves > 0) {
        add_key("resign", out);
        strbuf_addf(out, "[%d,%d]", adjudication->resign_moves, adjudication->resign_score);
    }
    if (adjudication->draw_moves > 0) {
        add_key("draw", out);
        strbuf_addf(out, "[%d,%d,%d]", adjudication->draw_moves, adjudication->draw_score,
                    adjudication->draw_from_ply);
    }
}

static void add_schedule(const Contest *contest, const Standings *standings, StrBuf *out) {
    static const char *const kinds[] = {[ROUND_ROBIN] = "round-robin", [GAUNTLET] = "gauntlet"};
    const Schedule *schedule = &standings->schedule;
    json_add_text("kind", sv_from(kinds[schedule->kind]), out);
    json_add_i64("roundCount", schedule->rounds, out);
    json_add_i64("gamesPerEncounter", schedule->games, out);
    json_add_i64("seed", (int64_t)schedule->seed, out);
    add_number("wanted", contest->has_no_end ? NAN : standings->wanted, 0, out);
}

/* Appends the user's settings, of which files of results contain only a few. */
static void add_settings(const Contest *contest, const Standings *standings,
                         const MatchMoment *moment, StrBuf *out) {
    static const char *const states[] = {[MATCH_RUNS] = "running",
                                         [MATCH_ENDED] = "ended",
                                         [MATCH_INTERRUPTED] = "interrupted",
                                         [MATCH_MERGED] = "merged"};
    json_add_text("program", SV("komadori-match " KMD_VERSION), out);
    json_add_text("state", sv_from(states[moment->state]), out);
    add_if_set("event", contest->event, out);
    add_if_set("site", contest->site, out);
    json_add_i64("start", moment->start, out);
    json_add_i64("now", moment->now, out);
    json_add_i64("doneBefore", moment->done_before, out);
    add_schedule(contest, standings, out);
    add_words("command", contest->command.words, contest->command.count, out);
    if (moment->state != MATCH_MERGED) {
        json_add_i64("concurrency", contest->concurrency, out);
        add_machine(out);
        add_openings(contest, out);
        add_rules(contest, out);
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

static void add_options(const EngineSpec *engine, StrBuf *out) {
    begin("options", '[', out);
    for (int i = 0; i < engine->option_count; i++) {
        const EngineOption *option = &engine->options[i];
        if (option->value != NULL) {
            StrBuf text = STRBUF_INIT;
            strbuf_addf(&text, "%s=%s", option->name, option->value);
            separate(out);
            json_append_string(strbuf_view(&text), out);
            strbuf_free(&text);
        }
    }
    strbuf_add_byte(out, ']');
}

/* Appends the time, depth and speed of a player's moves, as far as they were reported. */
static void add_speed(const PlayerStats *stats, StrBuf *out) {
    json_add_i64("moves", stats->moves, out);
    add_number("ms", (double)stats->time_ns / 1e6 / fmax(stats->moves, 1.0), 1, out);
    if (stats->depth_moves > 0) {
        add_number("depth", (double)stats->depth_sum / stats->depth_moves, 1, out);
    }
    if (stats->nodes_time_ns > 0) {
        add_number("nps", (double)stats->nodes / ((double)stats->nodes_time_ns / 1e9), 0, out);
    }
}

static void add_engine(const Contest *contest, const Standings *standings, int index, StrBuf *out) {
    const EngineSpec *engine = &contest->engines[index];
    EngineRow row = standings_row(standings, index);
    ScoreSample sample = standings_engine_sample(standings, index);
    strbuf_add_byte(out, '{');
    json_add_text("name", sv_from(engine->name), out);
    json_add_text("time", sv_from(engine->time_text), out);
    add_words("cmd", (const char *const *)engine->argv, engine->argc, out);
    add_options(engine, out);
    json_add_i64("games", row.games, out);
    add_number("points", row.points, 1, out);
    add_wdl("score", &row.score, out);
    add_estimate(&sample, out);
    add_speed(&standings->engines[index].stats, out);
    add_ends("faults", standings->engines[index].faults, out);
    strbuf_add_byte(out, '}');
}

static void add_engines(const Contest *contest, const Standings *standings, StrBuf *out) {
    int *order = xmem_alloc((size_t)contest->engine_count, sizeof(int));
    begin("engines", '[', out);
    for (int i = 0; i < contest->engine_count; i++) {
        strbuf_add_str(out, i > 0 ? ",\n" : "\n");
        add_engine(contest, standings, i, out);
    }
    strbuf_add_byte(out, ']');
    standings_table(standings, order);
    begin("order", '[', out);
    for (int i = 0; i < contest->engine_count; i++) {
        separate(out);
        strbuf_add_i64(out, order[i]);
    }
    strbuf_add_byte(out, ']');
    free(order);
}

/* ---- Encounters ---- */

static void add_encounter(const Standings *standings, int index, StrBuf *out) {
    Opponents pair = standings->opponents[index];
    const WinDrawLoss *by_color = standings->encounters[index].by_color;
    strbuf_add_byte(out, '{');
    json_add_i64("first", pair.first, out);
    json_add_i64("second", pair.second, out);
    add_wdl("black", &by_color[BLACK], out);
    add_wdl("white", &by_color[WHITE], out);
    strbuf_add_byte(out, '}');
}

static void add_encounters(const Standings *standings, StrBuf *out) {
    const Schedule *schedule = &standings->schedule;
    begin("encounters", '[', out);
    for (int i = 0; i < schedule_encounters(schedule); i++) {
        separate(out);
        add_encounter(standings, i, out);
    }
    strbuf_add_byte(out, ']');
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

static const ScoreSample *sample_at(const Standings *standings, int point, int engine) {
    size_t row = (size_t)standings->schedule.engines;
    return &standings->history[(size_t)point * row + (size_t)engine];
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

static void append_curve(const Contest *contest, const Standings *standings, int engine,
                         Curve curve, StrBuf *out) {
    strbuf_add_byte(out, '[');
    for (int i = 0; i < standings->points; i++) {
        separate(out);
        append_number(curve_value(sample_at(standings, i, engine), curve, &contest->sprt),
                      curve == CURVE_LLR ? 2 : 1, out);
    }
    strbuf_add_byte(out, ']');
}

/* Appends the Elo after every `stride` games. With two engines, it is that of the first engine with
 * its interval. Otherwise it is that of all engines or, if there are too many, of the best ones. */
static void add_history(const Contest *contest, const Standings *standings, StrBuf *out) {
    int count = contest->engine_count;
    int *order = xmem_alloc((size_t)count, sizeof(int));
    standings_table(standings, order);
    begin("history", '{', out);
    json_add_i64("stride", standings->stride, out);
    begin("elo", '{', out);
    for (int i = 0; i < int_min(count, CURVES_MAX); i++) {
        char key[16];
        snprintf(key, sizeof(key), "%d", order[i]);
        add_key(key, out);
        append_curve(contest, standings, order[i], CURVE_ELO, out);
    }
    strbuf_add_byte(out, '}');
    if (count == 2) {
        add_key("low", out);
        append_curve(contest, standings, 0, CURVE_LOW, out);
        add_key("high", out);
        append_curve(contest, standings, 0, CURVE_HIGH, out);
    }
    if (contest->sprt.alpha > 0) {
        add_key("llr", out);
        append_curve(contest, standings, 0, CURVE_LLR, out);
    }
    strbuf_add_byte(out, '}');
    free(order);
}

void matchjson_write(const Contest *contest, const Standings *standings, const MatchMoment *moment,
                     StrBuf *out) {
    StrBuf signature = STRBUF_INIT;
    strbuf_add_byte(out, '{');
    add_settings(contest, standings, moment, out);
    json_add_i64("done", standings->done, out);
    add_engines(contest, standings, out);
    add_encounters(standings, out);
    if (contest->sprt.alpha > 0) {
        add_sprt(&contest->sprt, standings, out);
    }
    add_history(contest, standings, out);
    add_ends("ends", standings->ends, out);
    json_add_i64("blackWins", standings->black_wins, out);
    json_add_i64("whiteWins", standings->white_wins, out);
    add_number("length", (double)standings->plies / fmax(standings->done, 1.0), 1, out);
    strbuf_addf(&signature, "%016llx", (unsigned long long)standings->signature);
    json_add_text("signature", strbuf_view(&signature), out);
    begin("games", '[', out);
    strbuf_add(out, moment->games);
    strbuf_add_byte(out, ']');
    begin("playing", '[', out);
    strbuf_add(out, moment->playing);
    strbuf_add_str(out, "]}");
    strbuf_free(&signature);
}
