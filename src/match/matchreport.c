/* matchreport.c: prints progress and the final report.
 *
 * The final report resembles the tables of cutechess-cli and fastchess. */
#include "match/matchreport.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/xmem.h"

void matchreport_init(MatchReport *report, FILE *stream, const MatchReportOptions *options,
                      int slots) {
    *report = (MatchReport){.stream = stream, .options = *options, .slots = slots};
    pthread_mutex_init(&report->mutex, NULL);
    report->live = xmem_calloc((size_t)slots, sizeof(report->live[0]));
    livelines_begin(&report->lines, stream, getenv("TERM"), getenv("NO_COLOR"));
    progress_begin(&report->progress, stream, report->lines.is_live, 0, 0);
}

void matchreport_free(MatchReport *report) {
    for (int i = 0; i < report->warning_count; i++) {
        free(report->warnings[i]);
    }
    free(report->warnings);
    free(report->live);
    pthread_mutex_destroy(&report->mutex);
}

/* Prints a line above the live view, on the report's stream or on standard error. Both may be the
 * same terminal. */
static void print_line(MatchReport *report, FILE *file, const char *start, const char *format,
                       va_list args) {
    StrBuf line = STRBUF_INIT;
    strbuf_add_str(&line, start);
    strbuf_vaddf(&line, format, args);
    strbuf_add_byte(&line, '\n');
    progress_keep(&report->progress);
    livelines_print(&report->lines, file, strbuf_view(&line));
    strbuf_free(&line);
}

void matchreport_warning(MatchReport *report, StrView text) {
    matchreport_failure(report, "warning: %.*s", (int)text.len, text.ptr);
}

void matchreport_warn_of_engine(void *context, const char *engine, StrView text) {
    MatchReport *report = context;
    StrBuf line = STRBUF_INIT;
    bool is_known = false;
    int count = 0; /* of those about this engine */
    strbuf_addf(&line, "%s: ", engine);
    size_t start = line.len;
    strbuf_add(&line, text);
    pthread_mutex_lock(&report->mutex);
    for (int i = 0; i < report->warning_count; i++) {
        StrView printed = sv_from(report->warnings[i]);
        count += sv_starts_with(printed, sv_prefix(strbuf_view(&line), start));
        is_known |= sv_equal(printed, strbuf_view(&line));
    }
    if (!is_known && count < WARNINGS_PER_ENGINE) {
        report->warnings =
            xmem_grow(report->warnings, &report->warning_cap, (size_t)report->warning_count + 1,
                      sizeof(report->warnings[0]));
        report->warnings[report->warning_count++] = sv_copy(strbuf_view(&line));
        bool is_last = count + 1 == WARNINGS_PER_ENGINE;
        strbuf_add_str(&line, is_last ? " (further warnings are not printed)" : "");
        matchreport_warning(report, strbuf_view(&line));
        if (report->log != NULL) {
            resultlog_add_warning(report->log, strbuf_view(&line));
        }
    }
    pthread_mutex_unlock(&report->mutex);
    strbuf_free(&line);
}

void matchreport_failure(MatchReport *report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line(report, stderr, "komadori-match: ", format, args);
    va_end(args);
}

void matchreport_line(MatchReport *report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line(report, report->stream, "", format, args);
    va_end(args);
}

/* Appends the log-likelihood ratio with its bounds, and how much of the way to the nearer bound it
 * has covered. */
static void add_llr(StrBuf *out, const Contest *contest, const ScoreSample *sample) {
    const SprtTest *test = &contest->sprt;
    double llr = elo_sprt_llr(test, sample);
    double bound = llr < 0 ? elo_sprt_lower(test) : elo_sprt_upper(test);
    strbuf_addf(out, "LLR %.2f (%.2f, %.2f) [%g, %g] %.0f %% to %s", llr, elo_sprt_lower(test),
                elo_sprt_upper(test), test->elo0, test->elo1, 100.0 * fmin(llr / bound, 1.0),
                llr < 0 ? "H0" : "H1");
}

/* Appends "A - B", with black first. */
static void append_players(StrBuf *out, const Contest *contest, const ScheduledGame *game) {
    strbuf_addf(out, "%s - %s", contest->engines[schedule_black(game)].name,
                contest->engines[schedule_white(game)].name);
}

void matchreport_begin_game(MatchReport *report, const Standings *standings, int slot,
                            const ScheduledGame *game) {
    report->live[slot] = (LiveGame){.is_on = true, .game = *game, .left_ns = {-1, -1}};
    if (report->options.is_quiet || report->lines.is_live) {
        return;
    }
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "game %d", game->index + 1);
    if (standings->contest->sprt.alpha == 0) {
        strbuf_addf(&text, " of %d", standings->total);
    }
    strbuf_add_str(&text, " begins: ");
    append_players(&text, standings->contest, game);
    matchreport_line(report, "%s", text.ptr);
    strbuf_free(&text);
}

/* Prints the number of finished games and, with two engines, the score so far, or with more, the
 * points of each engine. */
static void show_match_progress(MatchReport *report, const Standings *standings) {
    const Contest *contest = standings->contest;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%d", standings->done);
    if (!contest->has_no_end) {
        strbuf_addf(&text, "/%d games", standings->wanted);
    } else {
        strbuf_addf(&text, " game%s", str_plural((uint64_t)standings->done));
    }
    if (contest->engine_count == 2) {
        WinDrawLoss score = standings_encounter(standings, 0);
        ScoreSample sample = standings_encounter_sample(standings, 0);
        EloEstimate estimate = elo_estimate(&sample);
        strbuf_addf(&text, "  +%d =%d -%d  Elo ", score.wins, score.draws, score.losses);
        elo_append(&estimate, 2, &text);
        if (contest->sprt.alpha > 0) {
            strbuf_add_str(&text, "  ");
            add_llr(&text, contest, &sample);
        }
    }
    progress_show(&report->progress, "%s", text.ptr);
    int *order = xmem_alloc((size_t)contest->engine_count, sizeof(int));
    standings_table(standings, order);
    for (int i = 0; i < contest->engine_count && contest->engine_count > 2; i++) {
        WinDrawLoss score = standings_engine(standings, order[i], -1);
        EloEstimate estimate = standings_engine_elo(standings, order[i]);
        strbuf_clear(&text);
        elo_append(&estimate, 2, &text);
        matchreport_line(report, "  %2d %-24s %6.1f/%d  Elo %s", i + 1,
                         contest->engines[order[i]].name, wdl_points(&score), wdl_games(&score),
                         text.ptr);
    }
    free(order);
    strbuf_free(&text);
}

void matchreport_end_game(MatchReport *report, const Standings *standings,
                          const ScheduledGame *game, const GameResult *result) {
    const Contest *contest = standings->contest;
    if (!report->options.is_quiet) {
        StrBuf text = STRBUF_INIT;
        append_players(&text, contest, game);
        matchreport_line(report, "game %d ends: %s %s, %s after %d %s", game->index + 1, text.ptr,
                         result->winner == KMD_WINNER_DRAW    ? "1/2-1/2"
                         : result->winner == KMD_WINNER_BLACK ? "1-0"
                                                              : "0-1",
                         gameresult_end_name(result->reason), result->plies,
                         result->plies == 1 ? "ply from the opening" : "plies from the opening");
        strbuf_free(&text);
    }
    if (gameresult_is_fault(result->reason)) {
        int loser =
            result->winner == KMD_WINNER_BLACK ? schedule_white(game) : schedule_black(game);
        matchreport_line(report, "game %d: %s loses by %s%s%s", game->index + 1,
                         contest->engines[loser].name, gameresult_end_name(result->reason),
                         result->detail.len > 0 ? ": " : "",
                         result->detail.len > 0 ? result->detail.ptr : "");
    }
    if (standings->done % report->options.every == 0 && !report->lines.is_live) {
        show_match_progress(report, standings);
    }
}

static void show_wdl(MatchReport *report, const char *label, const WinDrawLoss *score) {
    int games = wdl_games(score);
    matchreport_line(report, "%-12s %d game%s, +%d =%d -%d, %.1f points (%.2f %%)", label, games,
                     str_plural((uint64_t)games), score->wins, score->draws, score->losses,
                     wdl_points(score), 100.0 * wdl_points(score) / int_max(games, 1));
}

/* Prints the statistics of a sample of results. */
static void show_sample(MatchReport *report, const Contest *contest, const ScoreSample *sample) {
    EloEstimate estimate = elo_estimate(sample);
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&text, "%-12s ", "Elo");
    elo_append(&estimate, 2, &text);
    strbuf_addf(&text, ", nElo %+.2f +/- %.2f, LOS %.2f %%", estimate.nelo, estimate.nelo_error,
                100.0 * estimate.superiority);
    matchreport_line(report, "%s", text.ptr);
    if (sample->kinds == SCORE_PAIRS) {
        matchreport_line(report, "%-12s [%llu, %llu, %llu, %llu, %llu]  (LL, LD, DD+WL, WD, WW)",
                         "pairs", (unsigned long long)sample->count[0],
                         (unsigned long long)sample->count[1], (unsigned long long)sample->count[2],
                         (unsigned long long)sample->count[3],
                         (unsigned long long)sample->count[4]);
    }
    if (contest->sprt.alpha > 0) {
        static const char *const states[] = {[SPRT_GOES_ON] = "undecided",
                                             [SPRT_ACCEPTS_H0] = "H0 accepted",
                                             [SPRT_ACCEPTS_H1] = "H1 accepted"};
        strbuf_clear(&text);
        add_llr(&text, contest, sample);
        matchreport_line(report, "%-12s %s, %s: %s", "SPRT", text.ptr,
                         contest->sprt.model == SPRT_LOGISTIC ? "logistic" : "normalised",
                         states[elo_sprt_state(&contest->sprt, sample)]);
    }
    strbuf_free(&text);
}

static void show_encounter(MatchReport *report, const Standings *standings, int index) {
    const Contest *contest = standings->contest;
    const EncounterScore *encounter = &standings->encounters[index];
    const EngineSpec *a = &contest->engines[encounter->first];
    const EngineSpec *b = &contest->engines[encounter->second];
    bool is_same = sv_equal(sv_from(a->time_text), sv_from(b->time_text));
    matchreport_line(report, "%s against %s (%s%s%s):", a->name, b->name, a->time_text,
                     is_same ? "" : " against ", is_same ? "" : b->time_text);
    WinDrawLoss score = standings_encounter(standings, index);
    ScoreSample sample = standings_encounter_sample(standings, index);
    show_wdl(report, "score", &score);
    show_wdl(report, "  as black", &encounter->by_color[BLACK]);
    show_wdl(report, "  as white", &encounter->by_color[WHITE]);
    show_sample(report, contest, &sample);
    matchreport_line(report, "%s", "");
}

static void show_cross_table(MatchReport *report, const Standings *standings) {
    const Contest *contest = standings->contest;
    int count = contest->engine_count;
    int *order = xmem_alloc((size_t)count, sizeof(int));
    StrBuf text = STRBUF_INIT, elo = STRBUF_INIT;
    standings_table(standings, order);
    strbuf_addf(&text, "%4s %-24s %7s %8s %7s %18s", "rank", "name", "games", "points", "%", "Elo");
    for (int i = 0; i < count; i++) {
        strbuf_addf(&text, " %8d", i + 1);
    }
    matchreport_line(report, "%s", text.ptr);
    for (int i = 0; i < count; i++) {
        WinDrawLoss all = standings_engine(standings, order[i], -1);
        EloEstimate estimate = standings_engine_elo(standings, order[i]);
        strbuf_clear(&text);
        strbuf_clear(&elo);
        elo_append(&estimate, 2, &elo);
        strbuf_addf(&text, "%4d %-24s %7d %8.1f %7.2f %18s", i + 1, contest->engines[order[i]].name,
                    wdl_games(&all), wdl_points(&all),
                    100.0 * wdl_points(&all) / int_max(wdl_games(&all), 1), elo.ptr);
        for (int k = 0; k < count; k++) {
            WinDrawLoss score = standings_engine(standings, order[i], order[k]);
            if (wdl_games(&score) > 0) {
                strbuf_addf(&text, " %8.1f", wdl_points(&score));
            } else {
                strbuf_add_str(&text, "        -");
            }
        }
        matchreport_line(report, "%s", text.ptr);
    }
    strbuf_free(&elo);
    strbuf_free(&text);
    free(order);
}

static void show_ends(MatchReport *report, const Standings *standings) {
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < ENDED_NB; i++) {
        if (standings->ends[i] > 0) {
            strbuf_addf(&text, "%s%s %d", text.len > 0 ? ", " : "",
                        gameresult_end_name((EndReason)i), standings->ends[i]);
        }
    }
    matchreport_line(report, "%-12s %s", "ends", text.len > 0 ? text.ptr : "none");
    double done = fmax(standings->done, 1.0);
    int draws = standings->done - standings->black_wins - standings->white_wins;
    matchreport_line(
        report,
        "%-12s black %.1f %%, draws %.1f %%, white %.1f %%; mean length %.1f plies from "
        "the opening",
        "games", 100.0 * standings->black_wins / done, 100.0 * draws / done,
        100.0 * standings->white_wins / done, (double)standings->plies / done);
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
            strbuf_addf(&text, ", lost by %s %d", gameresult_end_name((EndReason)i),
                        score->faults[i]);
        }
    }
    matchreport_line(report, "%s", text.ptr);
    strbuf_free(&text);
}

void matchreport_final(MatchReport *report, const Standings *standings) {
    const Contest *contest = standings->contest;
    matchreport_line(report, "%s", "");
    if (contest->engine_count > 2) {
        show_cross_table(report, standings);
        matchreport_line(report, "%s", "");
    }
    for (int i = 0; i < schedule_encounters(&contest->schedule); i++) {
        show_encounter(report, standings, i);
    }
    for (int i = 0; i < contest->engine_count; i++) {
        show_engine(report, &contest->engines[i], &standings->engines[i]);
    }
    show_ends(report, standings);
    matchreport_line(report, "%-12s %016llx over %d games", "signature",
                     (unsigned long long)standings->signature, standings->done);
}
