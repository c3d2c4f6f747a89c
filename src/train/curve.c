/* curve.c: stores the losses of each epoch and draws them with base/chart. */
#include "train/curve.h"

#include <math.h>

#include "base/chart.h"

/* The names of the lines are to the right of the plot, where they cover nothing. */
enum { WIDTH = 980, HEIGHT = 420, LEGEND = 730, NAMED = 4 };

static const ChartPlot frame = {.left = 75, .top = 35, .width = 630, .height = 325};

void curve_add(Curve *curve, CurvePoint point) {
    if (curve->count < CURVE_MAX) {
        curve->points[curve->count++] = point;
    }
}

static void widen_range(const Curve *curve, ChartPlot *plot) {
    plot->y_low = 1e9;
    plot->y_high = 0;
    for (int i = 0; i < curve->count; i++) {
        for (int line = 0; line < CURVE_LINES; line++) {
            double loss = curve->points[i].loss[line];
            if (loss > 0) {
                plot->y_low = fmin(plot->y_low, loss);
                plot->y_high = fmax(plot->y_high, loss);
            }
        }
    }
    if (plot->y_low >= plot->y_high) {
        plot->y_high = plot->y_high > 0 ? plot->y_high * 1.1 : 1;
        plot->y_low = plot->y_high * 0.8;
    }
}

/* Appends the colour of a line. The training loss is red and the held-out loss blue. Phases are
 * grey, with the opening darkest. Distances from the end are green, with the last plies darkest. */
static void add_color(int line, StrBuf *out) {
    if (line < 2) {
        strbuf_add_str(out, line == 0 ? "#d62728" : "#1f77b4");
        return;
    }
    int step = (line - 2) % 8;
    if (line < 10) {
        int shade = 90 + step * 14; /* visible on a light and on a dark background */
        strbuf_addf(out, "rgb(%d,%d,%d)", shade, shade, shade);
    } else {
        strbuf_addf(out, "rgb(%d,%d,%d)", step * 20, 110 + step * 14, step * 20);
    }
}

/* Draws a line. Returns false if there are no losses, for example because no game is held out. A
 * single point would be invisible, so it is drawn as a line across the plot. */
static bool draw_line(const Curve *curve, const ChartPlot *plot, int line, const char *color,
                      StrBuf *out) {
    double x[CURVE_MAX + 1];
    double y[CURVE_MAX + 1];
    int count = 0;
    for (int i = 0; i < curve->count; i++) {
        if (curve->points[i].loss[line] > 0) {
            x[count] = curve->points[i].epoch;
            y[count++] = curve->points[i].loss[line];
        }
    }
    if (count == 1) {
        chart_level(plot, y[0], color, out);
    } else if (count > 1) {
        chart_line(plot, x, y, count, color, out);
    }
    return count > 0;
}

static void draw_name(int row, const char *color, const char *name, StrBuf *out) {
    double y = frame.top + 12 + row * 20;
    strbuf_addf(out, "<path d=\"M%d,%.1fh24\" stroke=\"%s\" stroke-width=\"3\"/>\n", LEGEND, y - 4,
                color);
    chart_text(LEGEND + 32, y, "start", name, out);
}

void curve_draw(const Curve *curve, StrBuf *out) {
    static const char *const names[NAMED] = {"training", "held out", "by phase, the first dark",
                                             "by plies to the end, the last dark"};
    chart_begin(WIDTH, HEIGHT, out);
    if (curve->count > 0) {
        ChartPlot plot = frame;
        plot.x_low = curve->count > 1 ? curve->points[0].epoch : 0;
        plot.x_high = curve->points[curve->count - 1].epoch;
        widen_range(curve, &plot);
        chart_axes(&plot, "Training: squared error of the winning chance", out);
        StrBuf color = STRBUF_INIT;
        for (int line = CURVE_LINES - 1; line >= 0; line--) {
            strbuf_clear(&color);
            add_color(line, &color);
            bool is_drawn = draw_line(curve, &plot, line, color.ptr, out);
            if (is_drawn && (line <= 2 || line == 10)) {
                draw_name(line == 10 ? 3 : line, color.ptr, names[line == 10 ? 3 : line], out);
            }
        }
        strbuf_free(&color);
        chart_text(plot.left + plot.width / 2, HEIGHT - 15, "middle", "epochs", out);
        chart_text(plot.left + plot.width, plot.top - 7, "end", "loss upwards", out);
    }
    chart_end(out);
}
