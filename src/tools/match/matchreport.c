/* The final report follows the tables that users of cutechess-cli and fastchess know. */
#include "tools/match/matchreport.h"

#include <math.h>

#include "base/base.h"

static void end_live_line(MatchReport *report) {
    if (report->has_live_line) {
        fputc('\n', report->stream);
        report->has_live_line = false;
    }
}

void report_warning(MatchReport *report, StrView text) {
    end_live_line(report);
    fflush(report->stream);
    fprintf(stderr, "komadori-match: warning: %.*s\n", (int)text.len, text.ptr);
}

void report_line(MatchReport *report, const char *format, ...) {
    StrBuf text = STRBUF_INIT;
    va_list args;
    end_live_line(report);
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    fprintf(report->stream, "%s\n", text.ptr);
    fflush(report->stream);
    strbuf_free(&text);
}

/* The Elo difference with its error; infinite values in words. */
static void add_elo(StrBuf *out, const EloEstimate *estimate) {
    if (isinf(estimate->elo)) {
        strbuf_add_str(out, estimate->elo > 0 ? "+inf" : "-inf");
    } else {
        strbuf_addf(out, "%+.2f", estimate->elo);
    }
    if (isinf(estimate->elo_error) || isnan(estimate->elo_error)) {
        strbuf_add_str(out, " +/- inf");
    } else {
        strbuf_addf(out, " +/- %.2f", estimate->elo_error);
    }
}

static void add_llr(StrBuf *out, const MatchSettings *settings, const ScoreSample *sample) {
    const SprtTest *test = &settings->sprt;
    strbuf_addf(out, "LLR %.2f (%.2f, %.2f) [%g, %g]", sprt_llr(test, sample), sprt_lower(test),
                sprt_upper(test), test->elo0, test->elo1);
}

/* One line on how things stand between the first two engines, or how many games are done. */
static void add_progress(StrBuf *out, const MatchSettings *settings, const Standings *standings) {
    strbuf_addf(out, "%d/%d games", standings->done, standings->total);
    if (settings->engine_count != 2) {
        return;
    }
    WinDrawLoss score = standings_encounter(standings, 0);
    ScoreSample sample = standings_encounter_sample(standings, 0);
    EloEstimate estimate = elo_estimate(&sample);
    strbuf_addf(out, "  +%llu =%llu -%llu  Elo ", (unsigned long long)score.wins,
                (unsigned long long)score.draws, (unsigned long long)score.losses);
    add_elo(out, &estimate);
    if (settings->has_sprt) {
        strbuf_add_str(out, "  ");
        add_llr(out, settings, &sample);
    }
}

void report_progress_line(MatchReport *report, const char *text) {
    if (report->is_terminal) {
        fprintf(report->stream, "\r%s\033[K", text);
        fflush(report->stream);
        report->has_live_line = true;
    } else {
        report_line(report, "%s", text);
    }
}

static void show_fault(MatchReport *report, const MatchSettings *settings,
                       const ScheduledGame *game, const GameResult *result) {
    bool first_lost = (result->winner == KMD_WINNER_BLACK) != game->is_first_black;
    report_line(report, "game %d: %s loses by %s%s%s", game->index + 1,
                settings->engines[first_lost ? game->first : game->second].name,
                end_reason_name(result->reason), result->detail.len > 0 ? ": " : "",
                result->detail.len > 0 ? result->detail.ptr : "");
}

void report_game(MatchReport *report, const MatchSettings *settings, const Standings *standings,
                 const ScheduledGame *game, const GameResult *result) {
    if (end_reason_is_fault(result->reason)) {
        show_fault(report, settings, game, result);
    }
    if (!report->is_terminal && standings->done % settings->report_every != 0) {
        return;
    }
    StrBuf text = STRBUF_INIT;
    add_progress(&text, settings, standings);
    report_progress_line(report, text.ptr);
    strbuf_free(&text);
}

static void show_wdl(MatchReport *report, const char *label, const WinDrawLoss *score) {
    uint64_t games = wdl_games(score);
    report_line(report, "%-12s %llu games, +%llu =%llu -%llu, %.1f points (%.2f %%)", label,
                (unsigned long long)games, (unsigned long long)score->wins,
                (unsigned long long)score->draws, (unsigned long long)score->losses,
                (double)wdl_half_points(score) / 2.0,
                games > 0 ? 50.0 * (double)wdl_half_points(score) / (double)games : 0.0);
}

/* The statistics of a sample. */
static void show_sample(MatchReport *report, const MatchSettings *settings,
                        const ScoreSample *sample) {
    EloEstimate estimate = elo_estimate(sample);
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%-12s ", "Elo");
    add_elo(&text, &estimate);
    strbuf_addf(&text, ", nElo %+.2f +/- %.2f, LOS %.2f %%", estimate.nelo, estimate.nelo_error,
                100.0 * estimate.superiority);
    report_line(report, "%s", text.ptr);
    if (sample->kinds == SCORE_PAIRS) {
        report_line(report, "%-12s [%llu, %llu, %llu, %llu, %llu]  (LL, LD, DD+WL, WD, WW)",
                    "pairs", (unsigned long long)sample->count[0],
                    (unsigned long long)sample->count[1], (unsigned long long)sample->count[2],
                    (unsigned long long)sample->count[3], (unsigned long long)sample->count[4]);
    }
    if (settings->has_sprt) {
        static const char *const decisions[] = {
            [SPRT_GOES_ON] = "undecided",
            [SPRT_ACCEPTS_H0] = "H0 accepted",
            [SPRT_ACCEPTS_H1] = "H1 accepted",
        };
        strbuf_clear(&text);
        add_llr(&text, settings, sample);
        report_line(report, "%-12s %s, %s: %s", "SPRT", text.ptr,
                    settings->sprt.model == SPRT_NORMALISED ? "normalised" : "logistic",
                    decisions[sprt_state(&settings->sprt, sample)]);
    }
    strbuf_free(&text);
}

static void show_encounter(MatchReport *report, const MatchSettings *settings,
                           const Standings *standings, int encounter) {
    int first;
    int second;
    schedule_opponents(&settings->schedule, encounter, &first, &second);
    const EngineSpec *a = &settings->engines[first];
    const EngineSpec *b = &settings->engines[second];
    StrBuf time_a = STRBUF_INIT;
    StrBuf time_b = STRBUF_INIT;
    tc_write(&a->tc, &time_a);
    tc_write(&b->tc, &time_b);
    report_line(report, "%s against %s (%s%s%s):", a->name, b->name, time_a.ptr,
                sv_equal(strbuf_view(&time_a), strbuf_view(&time_b)) ? "" : " against ",
                sv_equal(strbuf_view(&time_a), strbuf_view(&time_b)) ? "" : time_b.ptr);
    WinDrawLoss score = standings_encounter(standings, encounter);
    ScoreSample sample = standings_encounter_sample(standings, encounter);
    show_wdl(report, "score", &score);
    show_wdl(report, "  as black", &standings->encounters[encounter].by_color[BLACK]);
    show_wdl(report, "  as white", &standings->encounters[encounter].by_color[WHITE]);
    show_sample(report, settings, &sample);
    strbuf_free(&time_a);
    strbuf_free(&time_b);
}

/* Engine numbers, those with the best share of points first. */
static void rank_engines(const Standings *standings, int count, int *order) {
    for (int i = 0; i < count; i++) {
        WinDrawLoss score = standings_engine(standings, i);
        double share = (double)wdl_half_points(&score) / fmax((double)wdl_games(&score), 1.0);
        int k = i;
        for (; k > 0; k--) {
            WinDrawLoss other = standings_engine(standings, order[k - 1]);
            if ((double)wdl_half_points(&other) / fmax((double)wdl_games(&other), 1.0) >= share) {
                break;
            }
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

/* Points of `row` against `column`, "-" where they do not meet. */
static void add_cross_cell(StrBuf *out, const Standings *standings, int row, int column) {
    for (int i = 0; i < schedule_encounters(&standings->schedule); i++) {
        int first;
        int second;
        schedule_opponents(&standings->schedule, i, &first, &second);
        if ((first == row && second == column) || (first == column && second == row)) {
            WinDrawLoss score = standings_encounter(standings, i);
            uint64_t half = wdl_half_points(&score);
            uint64_t all = 2 * wdl_games(&score);
            strbuf_addf(out, " %8.1f", (double)(first == row ? half : all - half) / 2.0);
            return;
        }
    }
    strbuf_add_str(out, "        -");
}

static void show_cross_table(MatchReport *report, const MatchSettings *settings,
                             const Standings *standings) {
    enum { SHOWN_MAX = 64 };
    int order[SHOWN_MAX];
    int count = int_min(settings->engine_count, SHOWN_MAX);
    StrBuf text = STRBUF_INIT;
    rank_engines(standings, count, order);
    strbuf_addf(&text, "%4s %-24s %7s %8s %7s %18s", "rank", "name", "games", "points", "%", "Elo");
    for (int i = 0; i < count; i++) {
        strbuf_addf(&text, " %8d", i + 1);
    }
    report_line(report, "%s", text.ptr);
    for (int i = 0; i < count; i++) {
        WinDrawLoss score = standings_engine(standings, order[i]);
        ScoreSample sample = standings_engine_sample(standings, order[i]);
        EloEstimate estimate = elo_estimate(&sample);
        StrBuf elo = STRBUF_INIT;
        add_elo(&elo, &estimate);
        strbuf_clear(&text);
        strbuf_addf(&text, "%4d %-24s %7llu %8.1f %7.2f %18s", i + 1,
                    settings->engines[order[i]].name, (unsigned long long)wdl_games(&score),
                    (double)wdl_half_points(&score) / 2.0, 100.0 * estimate.score, elo.ptr);
        for (int k = 0; k < count; k++) {
            add_cross_cell(&text, standings, order[i], order[k]);
        }
        report_line(report, "%s", text.ptr);
        strbuf_free(&elo);
    }
    strbuf_free(&text);
}

static void show_ends(MatchReport *report, const Standings *standings) {
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < ENDED_NB; i++) {
        if (standings->ends[i] > 0) {
            strbuf_addf(&text, "%s%s %llu", text.len > 0 ? ", " : "", end_reason_name((EndReason)i),
                        (unsigned long long)standings->ends[i]);
        }
    }
    report_line(report, "%-12s %s", "ends", text.len > 0 ? text.ptr : "none");
    double done = fmax(standings->done, 1.0);
    uint64_t draws = (uint64_t)standings->done - standings->black_wins - standings->white_wins;
    report_line(report, "%-12s black %.1f %%, draws %.1f %%, white %.1f %%; mean length %.1f plies",
                "games", 100.0 * (double)standings->black_wins / done, 100.0 * (double)draws / done,
                100.0 * (double)standings->white_wins / done, (double)standings->plies / done);
    strbuf_free(&text);
}

static void show_engine(MatchReport *report, const EngineSpec *engine, const EngineScore *score) {
    const PlayerStats *stats = &score->stats;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%-12s %.1f ms a move", engine->name,
                (double)stats->time_ns / 1e6 / fmax(stats->moves, 1.0));
    if (stats->depth_moves > 0) {
        strbuf_addf(&text, ", depth %.1f", (double)stats->depth_sum / stats->depth_moves);
    }
    if (stats->nodes_time_ns > 0) {
        strbuf_addf(&text, ", %.0f nodes a second",
                    (double)stats->nodes / ((double)stats->nodes_time_ns / 1e9));
    }
    for (int i = 0; i < ENDED_NB; i++) {
        if (score->faults[i] > 0) {
            strbuf_addf(&text, ", lost by %s %llu", end_reason_name((EndReason)i),
                        (unsigned long long)score->faults[i]);
        }
    }
    report_line(report, "%s", text.ptr);
    strbuf_free(&text);
}

void report_final(MatchReport *report, const MatchSettings *settings, const Standings *standings) {
    report_line(report, "%s", "");
    if (settings->engine_count > 2) {
        show_cross_table(report, settings, standings);
        report_line(report, "%s", "");
    }
    for (int i = 0; i < schedule_encounters(&settings->schedule); i++) {
        show_encounter(report, settings, standings, i);
        report_line(report, "%s", "");
    }
    for (int i = 0; i < settings->engine_count; i++) {
        show_engine(report, &settings->engines[i], &standings->engines[i]);
    }
    show_ends(report, standings);
    report_line(report, "%-12s %016llx over %d games", "signature",
                (unsigned long long)standings->signature, standings->done);
}
