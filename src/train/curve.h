/* curve.h: the losses of a training run by epoch, and a chart of them.
 *
 * Plain data. */
#ifndef KMD_TRAIN_CURVE_H
#define KMD_TRAIN_CURVE_H

#include "base/str.h"

enum { CURVE_MAX = 1000 };

/* The lines of a curve: training loss and held-out loss, then held-out loss by phase and by
 * distance from the end of the game. */
enum { CURVE_LINES = 2 + 8 + 8 };

typedef struct CurvePoint {
    double epoch;             /* number of epochs finished */
    double loss[CURVE_LINES]; /* 0: none */
} CurvePoint;

/* One point per window of the feed. If all samples fit the buffer, a window is an epoch. */
typedef struct Curve {
    int count;
    CurvePoint points[CURVE_MAX];
} Curve;

/* Adds a point. Points beyond CURVE_MAX are dropped. */
void curve_add(Curve *curve, CurvePoint point);

/* Appends an SVG chart: epochs, from 0, are on the horizontal axis and the loss on the vertical
 * axis; the names of the lines are beside the chart. */
void curve_draw(const Curve *curve, StrBuf *out);

#endif
