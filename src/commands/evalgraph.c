/* evalgraph.c: draws the winning chances move by move, with the mistakes marked. */
#include "commands/evalgraph.h"

#include "commands/analysis.h"

#include <math.h>

#include "web/chart.h"

enum {
    LEFT = 58,
    TOP = 52,
    PLOT_W = 800,
    PLOT_H = 300,
    WIDTH = LEFT + PLOT_W + 24,
    HEIGHT = TOP + PLOT_H + 64
};

#define BLACK_COLOR "#2b3a4a"
#define WHITE_COLOR "#c9862b"

#define MATE_COLOR  "#7a4fbf"

static const char *const mistake_colors[] = {[MISTAKE_NONE] = MATE_COLOR, /* only a missed mate */
                                             [MISTAKE_DUBIOUS] = "#e8b93c",
                                             [MISTAKE_BAD] = "#e2762d",
                                             [MISTAKE_BLUNDER] = "#c2262e"};

static double x_of(const Analysis *analysis, int i) {
    int moves = analysis->count > 1 ? analysis->count - 1 : 1;
    return LEFT + (double)PLOT_W * i / moves;
}

static double y_of(const Analysis *analysis, Score black_score) {
    return TOP + PLOT_H * (100 - analysis_percent(analysis, black_score)) / 100;
}

static void add_head(const Analysis *analysis, StrBuf *out) {
    chart_open(WIDTH, HEIGHT,
               "font-family=\"'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic',"
               "'VL Gothic',sans-serif\"",
               out);
    for (int side = BLACK; side <= WHITE; side++) {
        strbuf_addf(out,
                    "<path transform=\"translate(%d 26)\" d=\"M0,-9 L6,-6 L8,8 L-8,8 L-6,-6 Z\" "
                    "fill=\"%s\" stroke=\"#1c1710\" stroke-width=\"1.2\"/>"
                    "<text x=\"%d\" y=\"32\" font-size=\"16\">",
                    LEFT + 10 + side * PLOT_W / 2, side == BLACK ? "#1c1710" : "#ffffff",
                    LEFT + 26 + side * PLOT_W / 2);
        chart_escape(record_player(analysis->record, (Color)side), out);
        strbuf_add_str(out, "</text>\n");
    }
}

/* Draws lines for some scores and for every twentieth move, with their numbers. */
static void add_grid(const Analysis *analysis, StrBuf *out) {
    static const Score scores[] = {2000, 1000, 500, 0, -500, -1000, -2000};
    strbuf_add_str(out, "<g font-size=\"12\" fill=\"#666666\" stroke-width=\"1\">\n");
    for (size_t i = 0; i < COUNTOF(scores); i++) {
        double y = y_of(analysis, scores[i]);
        strbuf_addf(out,
                    "<path d=\"M%d,%.1f h%d\" stroke=\"%s\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s%d</text>\n",
                    LEFT, y, PLOT_W, scores[i] == 0 ? "#888888" : "#e3e3e3", LEFT - 8, y + 4,
                    scores[i] > 0 ? "+" : "", scores[i]);
    }
    int moves = analysis->count - 1;
    int step = moves > 400 ? 100 : moves > 160 ? 20 : 10;
    for (int i = 0; i <= moves; i += step) {
        double x = x_of(analysis, i);
        strbuf_addf(out,
                    "<path d=\"M%.1f,%d v%d\" stroke=\"#efefef\"/>"
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                    x, TOP, PLOT_H, x, TOP + PLOT_H + 18, i);
    }
    strbuf_add_str(out, "</g>\n");
}

/* Draws the area between the curve and the middle line, either above or below that line. */
static void add_area(const Analysis *analysis, Color side, StrBuf *out) {
    double middle = y_of(analysis, 0);
    bool is_open = false;
    int last = 0;
    strbuf_add_str(out, "<path d=\"");
    for (int i = 0; i < analysis->count; i++) {
        if (analysis->at[i].line_count == 0) {
            continue;
        }
        double y = y_of(analysis, analysis->at[i].lines[0].score);
        y = side == BLACK ? fmin(y, middle) : fmax(y, middle);
        if (!is_open) {
            strbuf_addf(out, "M%.1f,%.1f ", x_of(analysis, i), middle);
        }
        strbuf_addf(out, "L%.1f,%.1f ", x_of(analysis, i), y);
        is_open = true;
        last = i;
    }
    if (is_open) {
        strbuf_addf(out, "L%.1f,%.1f Z", x_of(analysis, last), middle);
    }
    strbuf_addf(out, "\" fill=\"%s\" opacity=\"0.28\"/>\n",
                side == BLACK ? BLACK_COLOR : WHITE_COLOR);
}

static void add_line(const Analysis *analysis, StrBuf *out) {
    char command = 'M';
    strbuf_add_str(out, "<path d=\"");
    for (int i = 0; i < analysis->count; i++) {
        if (analysis->at[i].line_count > 0) {
            strbuf_addf(out, "%c%.1f,%.1f ", command, x_of(analysis, i),
                        y_of(analysis, analysis->at[i].lines[0].score));
            command = 'L';
        }
    }
    strbuf_add_str(out, "\" fill=\"none\" stroke=\"#34495e\" stroke-width=\"2\" "
                        "stroke-linejoin=\"round\"/>\n");
}

/* The height of a blunder's number. The number is on the side of the dot from which the curve does
 * not come, unless that is outside the plot. */
static double label_y(const Analysis *analysis, int index) {
    enum { ABOVE = -10, BELOW = 20 };
    double y = y_of(analysis, analysis->at[index].lines[0].score);
    double before = y_of(analysis, analysis->at[index - 1].lines[0].score);
    bool is_below = y > before ? y + BELOW < TOP + PLOT_H : y + ABOVE - 12 < TOP;
    return y + (is_below ? BELOW : ABOVE);
}

/* Draws a dot on each mistake and missed mate, and the move number next to blunders. A mistake that
 * is also a missed mate has a ring in the colour of the latter. */
static void add_mistakes(const Analysis *analysis, StrBuf *out) {
    for (int i = 1; i < analysis->count; i++) {
        Mistake mistake = analysis_mistake(analysis, i);
        bool is_missed_mate = analysis_missed_mate(analysis, i) > 0;
        if ((mistake == MISTAKE_NONE && !is_missed_mate) || !analysis_comments_on(analysis, i)) {
            continue;
        }
        double x = x_of(analysis, i), y = y_of(analysis, analysis->at[i].lines[0].score);
        strbuf_addf(out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"%s\" "
                    "stroke-width=\"1.6\"/>\n",
                    x, y, 3.0 + int_max(mistake, 1), mistake_colors[mistake],
                    is_missed_mate && mistake != MISTAKE_NONE ? MATE_COLOR : "#ffffff");
        if (mistake == MISTAKE_BLUNDER) {
            strbuf_addf(out,
                        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"middle\" "
                        "fill=\"%s\">%d</text>\n",
                        x, label_y(analysis, i), mistake_colors[mistake], i);
        }
    }
}

static void add_legend(StrBuf *out) {
    static const char *const words[] = {[MISTAKE_NONE] = "詰み逃し",
                                        [MISTAKE_DUBIOUS] = "疑問手",
                                        [MISTAKE_BAD] = "悪手",
                                        [MISTAKE_BLUNDER] = "大悪手"};
    int y = TOP + PLOT_H + 46;
    strbuf_add_str(out, "<g font-size=\"13\" fill=\"#444444\">\n");
    for (int i = 0; i < (int)COUNTOF(words); i++) {
        int mistake = (i + 1) % (int)COUNTOF(words); /* missed mates come last */
        int x = LEFT + i * 90;
        strbuf_addf(out,
                    "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"/>"
                    "<text x=\"%d\" y=\"%d\">%s</text>\n",
                    x + 6, y - 4, 3 + int_max(mistake, 1), mistake_colors[mistake], x + 18, y,
                    words[mistake]);
    }
    strbuf_addf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">先手から見た評価値 (目盛は勝率)</text>"
                "</g>\n",
                LEFT + PLOT_W, y);
}

void evalgraph_write(const Analysis *analysis, StrBuf *out) {
    add_head(analysis, out);
    add_grid(analysis, out);
    add_area(analysis, BLACK, out);
    add_area(analysis, WHITE, out);
    add_line(analysis, out);
    add_mistakes(analysis, out);
    strbuf_addf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                "stroke=\"#999999\"/>\n",
                LEFT, TOP, PLOT_W, PLOT_H);
    add_legend(out);
    chart_end(out);
}
