/* chart.c: maps data to the plot area and writes axes, ticks and lines as SVG elements. */
#include "web/chart.h"

#include <math.h>

#include "base/base.h"

void chart_open(int width, int height, const char *attributes, StrBuf *out) {
    strbuf_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" %s>\n"
                "<rect class=\"ground\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                width, height, width, height, attributes);
}

void chart_begin(int width, int height, StrBuf *out) {
    chart_open(width, height, "font-family=\"sans-serif\" font-size=\"11\"", out);
    strbuf_add_str(out, "<style>.frame{fill:none;stroke:#999}.grid{stroke:#e4e4e4}"
                        "text{fill:#444}@media(prefers-color-scheme:dark){.ground{fill:#1b1d21}"
                        ".grid{stroke:#34373d}.frame{stroke:#777}text{fill:#ccc}}</style>\n");
}

void chart_end(StrBuf *out) {
    strbuf_add_str(out, "</svg>\n");
}

void chart_escape(StrView text, StrBuf *out) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '<' || c == '>' || c == '&' || c == '"') {
            strbuf_addf(out, "&#%d;", c);
        } else if ((unsigned char)c >= 0x20) {
            strbuf_add_byte(out, c);
        }
    }
}

void chart_text(double x, double y, const char *anchor, const char *text, StrBuf *out) {
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    chart_escape(sv_from(text), out);
    strbuf_add_str(out, "</text>\n");
}

static double x_of(const ChartPlot *plot, double x) {
    return plot->left + plot->width * (x - plot->x_low) / (plot->x_high - plot->x_low);
}

static double y_of(const ChartPlot *plot, double y) {
    double part = (y - plot->y_low) / (plot->y_high - plot->y_low);
    return plot->top + plot->height * (1.0 - fmin(fmax(part, 0.0), 1.0));
}

/* Adds the marks of an axis, each with a label and a line across the plot. Their distance is 1, 2
 * or 5 times a power of ten, chosen so that the labels have room. */
static void add_marks(const ChartPlot *plot, bool is_x, StrBuf *out) {
    double low = is_x ? plot->x_low : plot->y_low, high = is_x ? plot->x_high : plot->y_high;
    double least = (high - low) / int_max((int)(is_x ? plot->width / 60 : plot->height / 25), 1);
    double power = pow(10.0, floor(log10(least)));
    double part = least / power;
    double step = power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
    step = is_x ? fmax(step, 1.0) : step; /* games, pairs and epochs are whole numbers */
    StrBuf label = STRBUF_INIT;
    for (double at = ceil(low / step - 1e-6) * step; at <= high + step * 1e-6; at += step) {
        strbuf_clear(&label);
        strbuf_addf(&label, "%.10g", fabs(at) < step * 1e-6 ? 0.0 : at);
        if (is_x) {
            double x = x_of(plot, at);
            strbuf_addf(out, "<path class=\"grid\" d=\"M%.1f,%.1fv%.1f\"/>", x, plot->top,
                        plot->height);
            chart_text(x, plot->top + plot->height + 14, "middle", label.ptr, out);
        } else {
            double y = y_of(plot, at);
            strbuf_addf(out, "<path class=\"grid\" d=\"M%.1f,%.1fh%.1f\"/>", plot->left, y,
                        plot->width);
            chart_text(plot->left - 5, y + 4, "end", label.ptr, out);
        }
    }
    strbuf_free(&label);
}

void chart_axes(const ChartPlot *plot, const char *title, StrBuf *out) {
    add_marks(plot, true, out);
    add_marks(plot, false, out);
    strbuf_addf(out,
                "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                plot->left, plot->top, plot->width, plot->height);
    chart_text(plot->left, plot->top - 7, "start", title, out);
}

void chart_line(const ChartPlot *plot, const double *x, const double *y, int count,
                const char *color, StrBuf *out) {
    char command = 'M';
    strbuf_add_str(out, "<path d=\"");
    for (int i = 0; i < count; i++) {
        if (isfinite(y[i])) {
            strbuf_addf(out, "%c%.1f,%.1f", command, x_of(plot, x[i]), y_of(plot, y[i]));
        }
        command = isfinite(y[i]) ? 'L' : 'M';
    }
    strbuf_addf(out,
                "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>\n",
                color);
}

void chart_horizontal(const ChartPlot *plot, double y, const char *color, StrBuf *out) {
    strbuf_addf(out, "<path d=\"M%.1f,%.1fh%.1f\" stroke=\"%s\" stroke-dasharray=\"5 4\"/>\n",
                plot->left, y_of(plot, y), plot->width, color);
}
