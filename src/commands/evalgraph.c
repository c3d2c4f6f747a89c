/* evalgraph.c: draws the winning chances move by move, with the mistakes marked. */
#include "commands/evalgraph.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/xmem.h"
#include "web/chart.h"

enum { LEFT = 44, TOP = 30, PLOT_W = 800, PLOT_H = 300, WIDTH = 868, HEIGHT = 386 };

#define MATE_COLOR "#7a4fbf"

/* A move that is only a missed mate has the colour of these. */
static const char *const mistake_colors[] = {[MISTAKE_NONE] = MATE_COLOR,
                                             [MISTAKE_DUBIOUS] = "#e8b93c",
                                             [MISTAKE_BAD] = "#e2762d",
                                             [MISTAKE_BLUNDER] = "#c2262e"};

static double radius_of(Mistake mistake) {
    return 3.0 + int_max(mistake, 1);
}

/* Draws a dot on each mistake and missed mate. A mistake that is also a missed mate has a ring. */
static void add_mistakes(const Analysis *analysis, const ChartPlot *plot, const double *chances,
                         StrBuf *out) {
    for (int i = 1; i < analysis->count; i++) {
        Mistake mistake = analysis_mistake(analysis, i);
        bool is_missed_mate = analysis_missed_mate(analysis, i) > 0;
        if ((mistake != MISTAKE_NONE || is_missed_mate) && analysis_comments_on(analysis, i)) {
            const char *ring = is_missed_mate && mistake != MISTAKE_NONE ? MATE_COLOR : "#ffffff";
            chart_dot(plot, i, chances[i], radius_of(mistake), mistake_colors[mistake], ring, out);
        }
    }
}

static void add_legend(const ChartPlot *plot, StrBuf *out) {
    static const char *const words[] = {[MISTAKE_NONE] = "詰み逃し",
                                        [MISTAKE_DUBIOUS] = "疑問手",
                                        [MISTAKE_BAD] = "悪手",
                                        [MISTAKE_BLUNDER] = "大悪手"};
    for (int i = 0; i < (int)COUNTOF(words); i++) {
        Mistake mistake = (Mistake)((i + 1) % (int)COUNTOF(words)); /* missed mates come last */
        ChartPlot row = {
            .left = plot->left + i * 90 + 6, .top = HEIGHT - 18, .x_high = 1, .y_high = 1};
        chart_dot(&row, 0, 0, radius_of(mistake), mistake_colors[mistake], "#ffffff", out);
        chart_text(row.left + 12, row.top + 4, "start", words[mistake], out);
    }
}

void evalgraph_write(const Analysis *analysis, StrBuf *out) {
    const ChartPlot plot = {.left = LEFT,
                            .top = TOP,
                            .width = PLOT_W,
                            .height = PLOT_H,
                            .x_high = int_max(analysis->count - 1, 1),
                            .y_high = 100};
    StrView black = record_player(analysis->record, BLACK);
    StrView white = record_player(analysis->record, WHITE);
    StrBuf title = STRBUF_INIT;
    double *chances = xmem_calloc((size_t)analysis->count * 2, sizeof(*chances));
    double *plies = chances + analysis->count;
    for (int i = 0; i < analysis->count; i++) {
        const AnalysisLine *line = analysis_line(analysis, i);
        chances[i] = line != NULL ? analysis_percent(analysis, line->score) : NAN;
        plies[i] = i;
    }
    strbuf_addf(&title, "先手勝率 (%%)  ▲%.*s △%.*s", (int)black.len, black.ptr, (int)white.len,
                white.ptr);
    chart_begin(WIDTH, HEIGHT, out);
    chart_axes(&plot, title.ptr, out);
    chart_level(&plot, 50, "#888888", out);
    chart_line(&plot, plies, chances, analysis->count, "#4a7dab", out);
    add_mistakes(analysis, &plot, chances, out);
    add_legend(&plot, out);
    chart_end(out);
    strbuf_free(&title);
    free(chances);
}
