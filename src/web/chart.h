/* chart.h: the frame of an SVG picture, and escaped text for pictures and pages. No state: the
 * functions only append to a buffer. */
#ifndef KMD_WEB_CHART_H
#define KMD_WEB_CHART_H

#include "base/str.h"

/* Begins a picture with a white background; its size is in pixels. `attributes` are attributes of
 * the SVG element, such as its font. */
void chart_open(int width, int height, const char *attributes, StrBuf *out);
void chart_end(StrBuf *out);

/* Appends text, escaping characters that have a meaning in markup and omitting control
 * characters. */
void chart_escape(StrView text, StrBuf *out);

#endif
