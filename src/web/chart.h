/* chart.h: draws line charts as SVG pictures with one or more plots, for the tuner. The graphs of
 * the pages are drawn by kit.js.
 *
 * Pictures follow the reader's choice of a light or dark theme. The functions have no state and
 * only append to a buffer. */
#ifndef KMD_WEB_CHART_H
#define KMD_WEB_CHART_H

#include "base/str.h"

/* A plot: its place in the picture (in pixels, without the axes) and the ranges of its axes. */
typedef struct ChartPlot {
    double left, top, width, height;
    double x_low, x_high; /* x_low < x_high; y likewise */
    double y_low, y_high;
} ChartPlot;

/* Begin and end a picture. Sizes are in pixels. */
void chart_begin(int width, int height, StrBuf *out);
void chart_end(StrBuf *out);

/* Begins a picture that has a white background and no plot styles. `attributes` are attributes of
 * the SVG element, such as its font. */
void chart_open(int width, int height, const char *attributes, StrBuf *out);

/* Draws text at a place; `anchor` is "start", "middle" or "end". */
void chart_text(double x, double y, const char *anchor, const char *text, StrBuf *out);

/* Draws a frame with round numbers at both axes and a title above it. */
void chart_axes(const ChartPlot *plot, const char *title, StrBuf *out);

/* Draws a line through the points, clipped at the edges of the plot. Values that are infinite or
 * not a number leave a gap. `color` is a CSS colour. */
void chart_line(const ChartPlot *plot, const double *x, const double *y, int count,
                const char *color, StrBuf *out);

/* Draws a dashed line across the plot at height y. */
void chart_horizontal(const ChartPlot *plot, double y, const char *color, StrBuf *out);

/* Appends text, escaping characters that have a meaning in markup and omitting control
 * characters. */
void chart_escape(StrView text, StrBuf *out);

#endif
