
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/chart.h"
#include "base/fileio.h"
#include "base/xmem.h"
#include "tools/match/matchreport.h"

enum { WIDTH = 860, HEIGHT = 300, LEFT = 60, KEY_WIDTH = 130, COLORS = 8 };

static const char *const colors[COLORS] = {"#2f7ed8", "#d9482b", "#2e9d4f", "#9b59b6",
                                           "#c9862b", "#16a0a0", "#d6478f", "#7f8c8d"};

static void add_cell(StrBuf *out, const char *tag, const char *text) {
    strbuf_addf(out, "<%s>", tag);
    chart_escape(sv_from(text), out);
    strbuf_addf(out, "</%s>", tag);
}

static void add_elo(StrBuf *out, const EloEstimate *estimate) {
    if (isinf(estimate->elo) || isnan(estimate->elo_error)) {
        strbuf_add_str(out, isnan(estimate->elo) ? "–" : estimate->elo > 0 ? "+∞" : "-∞");
    } else if (isinf(estimate->elo_error)) {
        strbuf_addf(out, "%+.1f", estimate->elo);
    } else {
        strbuf_addf(out, "%+.1f ± %.1f", estimate->elo, estimate->elo_error);
    }
}

static void add_row(StrBuf *out, const MatchSettings *settings, const Standings *standings,
                    const int *order, int rank) {
    int engine = order[rank];
    EngineRow row = standings_row(standings, engine);
    strbuf_addf(out, "<tr><td>%d</td>", rank + 1);
    add_cell(out, "th", settings->engines[engine].name);
    add_cell(out, "td", settings->engines[engine].time_text);
    strbuf_addf(out, "<td>%d</td><td>%.1f</td><td>%.2f</td><td>", row.games, row.points,
                100.0 * row.points / int_max(row.games, 1));
    add_elo(out, &row.estimate);
    strbuf_addf(out, "</td><td>+%d =%d -%d</td>", row.score.wins, row.score.draws,
                row.score.losses);
    for (int k = 0; k < settings->engine_count; k++) {
        double points;
        if (standings_points(standings, engine, order[k], &points)) {
            strbuf_addf(out, "<td>%.1f</td>", points);
        } else {
            strbuf_addf(out, "<td class=\"none\">%s</td>", k == rank ? "•" : "");
        }
    }
    strbuf_add_str(out, "</tr>\n");
}

static void add_cross_table(StrBuf *out, const MatchSettings *settings,
                            const Standings *standings) {
    int *order = xmem_alloc((size_t)settings->engine_count, sizeof(int));
    standings_order(standings, order);
    strbuf_add_str(
        out,
        "<div class=\"wide\"><table class=\"cross\"><tr><th></th><th>engine</th><th>time</th><th>"
        "games</th><th>points</th><th>%</th><th>Elo</th><th>results</th>");
    for (int i = 0; i < settings->engine_count; i++) {
        strbuf_addf(out, "<th>%d</th>", i + 1);
    }
    strbuf_add_str(out, "</tr>\n");
    for (int i = 0; i < settings->engine_count; i++) {
        add_row(out, settings, standings, order, i);
    }
    strbuf_add_str(out, "</table></div>\n");
    free(order);
}

/* "max plies 3" and what stands behind it. */
static void add_end(StrBuf *out, EndReason reason, int count, const char *behind) {
    for (const char *c = gameresult_end_name(reason); *c != '\0'; c++) {
        strbuf_add_byte(out, *c == '_' ? ' ' : *c);
    }
    strbuf_addf(out, " %d%s", count, behind);
}

/* Time, depth and speed of each engine's moves, and what it lost by faults. */
static void add_engines(StrBuf *out, const MatchSettings *settings, const Standings *standings) {
    strbuf_add_str(out, "<div class=\"wide\"><table><tr><th>engine</th><th>ms a "
                        "move</th><th>depth</th><th>nodes/s</th>"
                        "<th>lost by faults</th></tr>\n");
    for (int i = 0; i < settings->engine_count; i++) {
        const EngineScore *score = &standings->engines[i];
        const PlayerStats *stats = &score->stats;
        strbuf_add_str(out, "<tr>");
        add_cell(out, "th", settings->engines[i].name);
        strbuf_addf(out, "<td>%.1f</td><td>%.1f</td><td>%.0f</td><td>",
                    (double)stats->time_ns / 1e6 / fmax(stats->moves, 1.0),
                    (double)stats->depth_sum / fmax(stats->depth_moves, 1.0),
                    (double)stats->nodes / fmax((double)stats->nodes_time_ns / 1e9, 1e-9));
        for (int k = 0; k < ENDED_NB; k++) {
            if (score->faults[k] > 0) {
                add_end(out, (EndReason)k, score->faults[k], " ");
            }
        }
        strbuf_add_str(out, "</td></tr>\n");
    }
    strbuf_add_str(out, "</table></div>\n");
}

static void add_ends(StrBuf *out, const Standings *standings) {
    strbuf_add_str(out, "<p>");
    for (int i = 0; i < ENDED_NB; i++) {
        if (standings->ends[i] > 0) {
            add_end(out, (EndReason)i, standings->ends[i], " · ");
        }
    }
    double done = fmax(standings->done, 1.0);
    strbuf_addf(out, "black %.1f %%, white %.1f %%, mean length %.1f plies</p>\n",
                100.0 * standings->black_wins / done, 100.0 * standings->white_wins / done,
                (double)standings->plies / done);
}

/* Values at the points of the history, and what axes they want. */
typedef struct Curve {
    double x[HISTORY_MOST], y[HISTORY_MOST];
} Curve;

static const ScoreSample *sample_at(const Standings *standings, int point, int engine) {
    return &standings
                ->history[(size_t)point * (size_t)standings->schedule.engines + (size_t)engine];
}

/* Where all games were won or lost, the difference at half a point less or more. */
static double finite_elo(double score, double games) {
    double least = 0.5 / games;
    return elo_of_score(fmin(fmax(score, least), 1.0 - least));
}

/* Elo of an engine, from its first game on; `edge` -1 and 1 are the ends of its interval, which is
 * not drawn where all results were the same. */
static void fill_elo(const Standings *standings, int engine, int edge, Curve *curve) {
    for (int i = 0; i < standings->points; i++) {
        const ScoreSample *sample = sample_at(standings, i, engine);
        ScoreMoments moments = elo_score_moments(sample);
        EloEstimate estimate = elo_estimate(sample);
        double games = moments.number * (sample->kinds == SCORE_PAIRS ? 2 : 1);
        curve->x[i] = (double)(i + 1) * standings->stride;
        curve->y[i] = moments.number == 0 || (edge != 0 && moments.variance == 0) ? NAN
                      : edge == 0 ? finite_elo(estimate.score, games)
                      : edge < 0  ? estimate.elo_low
                                  : estimate.elo_high;
    }
}

static void widen(ChartPlot *plot, const Curve *curve, int from, int points) {
    for (int i = from; i < points; i++) {
        if (isfinite(curve->y[i])) {
            plot->y_low = fmin(plot->y_low, curve->y[i]);
            plot->y_high = fmax(plot->y_high, curve->y[i]);
        }
    }
}

static ChartPlot start_plot(const Standings *standings) {
    return (ChartPlot){.left = LEFT,
                       .top = 40,
                       .width = WIDTH - LEFT - 20,
                       .height = HEIGHT - 75,
                       .x_high = int_max(standings->points * standings->stride, 1)};
}

static void append_elo_title(const MatchSettings *settings, StrBuf *out) {
    if (settings->engine_count == 2) {
        strbuf_addf(out, "Elo of %s against %s, with its 95 %% interval, by games",
                    settings->engines[0].name, settings->engines[1].name);
    } else {
        strbuf_add_str(out, "Elo against all others, by games");
    }
}

/* Elo of the first of two engines with its interval, or of all. The first tenth, where errors are
 * large, does not count for the axis. */
static void add_elo_chart(StrBuf *out, const MatchSettings *settings, const Standings *standings) {
    ChartPlot plot = start_plot(standings);
    bool is_match = settings->engine_count == 2;
    plot.width -= is_match ? 0 : KEY_WIDTH;
    int lines = is_match ? 3 : settings->engine_count;
    Curve *curves = xmem_calloc((size_t)lines, sizeof(Curve));
    for (int i = 0; i < lines; i++) {
        fill_elo(standings, is_match ? 0 : i, is_match ? (i + 1) % 3 - 1 : 0, &curves[i]);
        widen(&plot, &curves[i], standings->points / 10, standings->points);
    }
    double room = fmax(0.05 * (plot.y_high - plot.y_low), 1.0);
    plot.y_low -= room;
    plot.y_high += room;
    StrBuf title = STRBUF_INIT;
    append_elo_title(settings, &title);
    chart_begin(WIDTH, HEIGHT, out);
    chart_axes(&plot, title.ptr, out);
    chart_level(&plot, 0.0, "#999", out);
    for (int i = lines - 1; i >= 0; i--) {
        chart_line(&plot, curves[i].x, curves[i].y, standings->points,
                   is_match ? (i == 0 ? colors[0] : "#2f7ed880") : colors[i % COLORS], out);
    }
    for (int i = 0; !is_match && i < lines; i++) {
        strbuf_addf(out, "<g style=\"--c:%s\" class=\"key\">", colors[i % COLORS]);
        chart_text(plot.left + plot.width + 10, plot.top + 12 + 14 * i, "start",
                   settings->engines[i].name, out);
        strbuf_add_str(out, "</g>");
    }
    chart_end(out);
    strbuf_free(&title);
    free(curves);
}

static void add_llr_chart(StrBuf *out, const MatchSettings *settings, const Standings *standings) {
    ChartPlot plot = start_plot(standings);
    const SprtTest *test = &settings->sprt;
    Curve *curve = xmem_calloc(1, sizeof(Curve));
    for (int i = 0; i < standings->points; i++) {
        curve->x[i] = (double)(i + 1) * standings->stride;
        curve->y[i] = sprt_llr(test, sample_at(standings, i, 0));
    }
    plot.y_low = sprt_lower(test) * 1.1;
    plot.y_high = sprt_upper(test) * 1.1;
    widen(&plot, curve, 0, standings->points);
    StrBuf title = STRBUF_INIT;
    strbuf_addf(&title, "LLR of [%g, %g] between its bounds, by games", test->elo0, test->elo1);
    chart_begin(WIDTH, HEIGHT, out);
    chart_axes(&plot, title.ptr, out);
    chart_level(&plot, sprt_lower(test), "#d9482b", out);
    chart_level(&plot, sprt_upper(test), "#2e9d4f", out);
    chart_line(&plot, curve->x, curve->y, standings->points, colors[0], out);
    chart_end(out);
    strbuf_free(&title);
    free(curve);
}

static void add_sprt(StrBuf *out, const MatchSettings *settings, const Standings *standings) {
    ScoreSample sample = standings_encounter_sample(standings, 0);
    const SprtTest *test = &settings->sprt;
    strbuf_addf(out, "<p>SPRT LLR %.2f (%.2f, %.2f) [%g, %g]: %s</p>\n", sprt_llr(test, &sample),
                sprt_lower(test), sprt_upper(test), test->elo0, test->elo1,
                sprt_state_text(sprt_state(test, &sample)));
    add_llr_chart(out, settings, standings);
}

bool matchhtml_write(const MatchSettings *settings, const Standings *standings) {
    StrBuf out = STRBUF_INIT;
    const char *title = settings->event != NULL ? settings->event : "komadori-match";
    strbuf_add_str(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width\">\n");
    add_cell(&out, "title", title);
    strbuf_add_str(
        &out, "<style>:root{color-scheme:light dark}body{font:15px sans-serif;max-width:900px;"
              "margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:1em 0}"
              ".wide{overflow-x:auto}td,th{padding:.25em .7em;border-bottom:1px solid #8884;"
              "text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
              ".cross th:nth-child(2),table:not(.cross) th:first-child{text-align:left}"
              ".none{color:#888}svg{max-width:100%;height:auto}.key text{fill:var(--c)!important}"
              "</style></head><body>\n");
    add_cell(&out, "h1", title);
    strbuf_addf(&out, "<p>%d %s%s", standings->done, standings->done == 1 ? "game" : "games",
                settings->site != NULL ? ", " : "");
    chart_escape(sv_from(settings->site), &out);
    strbuf_add_str(&out, "</p>\n");
    add_cross_table(&out, settings, standings);
    if (settings->sprt.alpha > 0) {
        add_sprt(&out, settings, standings);
    }
    if (standings->points > 0) {
        add_elo_chart(&out, settings, standings);
    }
    add_engines(&out, settings, standings);
    add_ends(&out, standings);
    strbuf_add_str(&out, "</body></html>\n");
    int failure = file_write(settings->html_path, out.ptr, out.len);
    strbuf_free(&out);
    errno = failure;
    return failure == 0;
}
