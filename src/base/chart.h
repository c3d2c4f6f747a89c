/* chart.h: line charts as SVG: a picture with one or more plots.
 *
 * Pictures follow the reader's choice of a light or dark theme. Pure functions that append to a
 * buffer. */
#ifndef KMD_BASE_CHART_H
#define KMD_BASE_CHART_H

#include "base/str.h"

/* A plot: its place in the picture in pixels, without axes, and its ranges. */
typedef struct ChartPlot {
    double left, top, width, height;
    double x_low, x_high; /* x_low < x_high; y likewise */
    double y_low, y_high;
} ChartPlot;

/* Begins and ends a picture; sizes in pixels. */
void chart_begin(int width, int height, StrBuf *out);
void chart_end(StrBuf *out);

/* Begins a picture of another kind: with a white background and without the styles of plots.
 * `attributes` are those of the picture, such as its font. */
void chart_open(int width, int height, const char *attributes, StrBuf *out);

/* Text at a place; `anchor` is start, middle or end. */
void chart_text(double x, double y, const char *anchor, const char *text, StrBuf *out);

/* A frame with round numbers at both axes, and a title above it. */
void chart_axes(const ChartPlot *plot, const char *title, StrBuf *out);

/* A line through the points, clipped at the edges of the plot. It is interrupted at values that are
 * infinite or not a number. `color` as in CSS. */
void chart_line(const ChartPlot *plot, const double *x, const double *y, int count,
                const char *color, StrBuf *out);

/* A dashed line across the plot at height y. */
void chart_level(const ChartPlot *plot, double y, const char *color, StrBuf *out);

/* Appends text, with characters that have a meaning in markup escaped, and without control
 * characters. */
void chart_escape(StrView text, StrBuf *out);

#endif
