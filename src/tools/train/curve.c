#include "tools/train/curve.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 30, BOTTOM = 45, MARKS = 5 };

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

static double loss_of(const CurvePoint *point, int line) {
    return line == 0 ? point->train : point->held_out;
}

static Range find_range(const Curve *curve) {
    Range range = {1e9, 1e-9};
    for (int i = 0; i < curve->count; i++) {
        for (int line = 0; line < 2; line++) {
            double loss = loss_of(&curve->points[i], line);
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
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * (index + 1) / int_max(curve->count, 1);
}

static double y_of(Range range, double loss) {
    double part = log(loss / range.low) / log(range.high / range.low);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

/* Draws nothing where there are no losses, as when no game is held out. A line of one point would
 * not be seen. */
static void draw_line(const Curve *curve, Range range, int line, StrBuf *out) {
    static const char *const colors[] = {"#1f77b4", "#d62728"};
    static const char *const names[] = {"training", "held out"};
    StrBuf points = STRBUF_INIT;
    for (int i = 0; i < curve->count; i++) {
        double loss = loss_of(&curve->points[i], line);
        if (loss > 0) {
            strbuf_addf(&points, "%.1f,%.1f ", x_of(curve, i), y_of(range, loss));
        }
    }
    if (points.len > 0 && curve->count == 1) {
        strbuf_addf(out, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n", x_of(curve, 0),
                    y_of(range, loss_of(&curve->points[0], line)), colors[line]);
    } else if (points.len > 0) {
        strbuf_addf(out, "<polyline fill='none' stroke='%s' stroke-width='2' points='%s'/>\n",
                    colors[line], points.ptr);
    }
    if (points.len > 0) {
        strbuf_addf(out, "<text x='%d' y='%d' fill='%s'>%s</text>\n", WIDTH - 110,
                    TOP + 18 * (line + 1), colors[line], names[line]);
    }
    strbuf_free(&points);
}

static void draw_axes(const Curve *curve, Range range, StrBuf *out) {
    strbuf_addf(out, "<path d='M%d %dV%dH%d' fill='none' stroke='black'/>\n", LEFT, TOP,
                HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (int i = 0; i < MARKS; i++) {
        double loss = range.low * pow(range.high / range.low, (double)i / (MARKS - 1));
        strbuf_addf(out, "<text x='5' y='%.1f'>%.5f</text>\n", y_of(range, loss) + 4, loss);
        int epoch = curve->count * i / (MARKS - 1);
        if (epoch > 0) {
            strbuf_addf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%d</text>\n",
                        x_of(curve, epoch - 1), HEIGHT - BOTTOM + 18, epoch);
        }
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
        draw_line(curve, range, 0, out);
        draw_line(curve, range, 1, out);
    }
    strbuf_add_str(out, "</svg>\n");
}
