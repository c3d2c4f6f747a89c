#include "tools/train/checkpoint.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 30, BOTTOM = 45, MARKS = 5 };

/* The range of losses that the picture shows. */
typedef struct Range {
    double low;
    double high;
} Range;

void curve_add(Curve *curve, CurvePoint point) {
    if (curve->count < CURVE_MOST) {
        curve->points[curve->count++] = point;
    }
}

static Range find_range(const Curve *curve) {
    Range range = {1e9, 1e-9};
    for (int i = 0; i < curve->count; i++) {
        for (int line = 0; line < CURVE_LINES; line++) {
            double loss = curve->points[i].loss[line];
            if (loss > 0) {
                range.low = fmin(range.low, loss);
                range.high = fmax(range.high, loss);
            }
        }
    }
    if (range.low >= range.high) {
        range = (Range){range.low * 0.9, range.low * 1.1};
    }
    return range;
}

static double x_of(const Curve *curve, int index) {
    double last = curve->points[curve->count - 1].epoch;
    return LEFT + (WIDTH - LEFT - RIGHT) * curve->points[index].epoch / last;
}

static double y_of(Range range, double loss) {
    double part = log(loss / range.low) / log(range.high / range.low);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

/* Training red and held out blue and thick; phases in greys, the beginning of the game dark; ends
 * in greens, the last plies dark. */
static void add_color(int line, StrBuf *out) {
    if (line < 2) {
        strbuf_add_str(out, line == 0 ? "#d62728" : "#1f77b4");
        return;
    }
    int shade = 40 + (line - 2) % 8 * 24;
    strbuf_addf(out, line < 10 ? "rgb(%d,%d,%d)" : "rgb(%d,150,%d)", shade, shade, shade);
}

/* Draws nothing where there are no losses, as when no game is held out. A line of one point would
 * not be seen. */
static void draw_line(const Curve *curve, Range range, int line, StrBuf *out) {
    StrBuf points = STRBUF_INIT;
    StrBuf color = STRBUF_INIT;
    add_color(line, &color);
    for (int i = 0; i < curve->count; i++) {
        double loss = curve->points[i].loss[line];
        if (loss > 0) {
            strbuf_addf(&points, "%.1f,%.1f ", x_of(curve, i), y_of(range, loss));
        }
    }
    if (points.len > 0 && curve->count == 1) {
        strbuf_addf(out, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n", x_of(curve, 0),
                    y_of(range, curve->points[0].loss[line]), color.ptr);
    } else if (points.len > 0) {
        strbuf_addf(out, "<polyline fill='none' stroke='%s' stroke-width='%d' points='%s'/>\n",
                    color.ptr, line < 2 ? 3 : 1, points.ptr);
    }
    static const char *const names[] = {"training", "held out", "by phase, the first dark"};
    bool is_named = line < 3 || line == 10;
    if (points.len > 0 && is_named) {
        strbuf_addf(out, "<text x='%d' y='%d' fill='%s'>%s</text>\n", WIDTH - 190,
                    TOP + 18 * (int_min(line, 3) + 1), color.ptr,
                    line < 3 ? names[line] : "by plies to the end, the last dark");
    }
    strbuf_free(&points);
    strbuf_free(&color);
}

static void draw_axes(const Curve *curve, Range range, StrBuf *out) {
    strbuf_addf(out, "<path d='M%d %dV%dH%d' fill='none' stroke='black'/>\n", LEFT, TOP,
                HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (int i = 0; i < MARKS; i++) {
        double loss = range.low * pow(range.high / range.low, (double)i / (MARKS - 1));
        strbuf_addf(out, "<text x='5' y='%.1f'>%.5f</text>\n", y_of(range, loss) + 4, loss);
        double last = curve->points[curve->count - 1].epoch;
        strbuf_addf(out, "<text x='%d' y='%d' text-anchor='middle'>%.1f</text>\n",
                    LEFT + (WIDTH - LEFT - RIGHT) * i / (MARKS - 1), HEIGHT - BOTTOM + 18,
                    last * i / (MARKS - 1));
    }
    strbuf_addf(out, "<text x='%d' y='%d'>epochs</text>\n", WIDTH / 2, HEIGHT - 8);
}

void curve_draw(const Curve *curve, StrBuf *out) {
    strbuf_addf(out,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
                "font-family='sans-serif' font-size='12'>\n"
                "<rect width='100%%' height='100%%' fill='white'/>\n",
                WIDTH, HEIGHT);
    if (curve->count > 0) {
        Range range = find_range(curve);
        draw_axes(curve, range, out);
        for (int line = CURVE_LINES - 1; line >= 0; line--) {
            draw_line(curve, range, line, out);
        }
    }
    strbuf_add_str(out, "</svg>\n");
}
