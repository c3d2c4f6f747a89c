/* curve.h: the losses of a training by epoch, and a chart of them.
 *
 * Plain data of its owner. */
#ifndef KMD_TRAIN_CURVE_H
#define KMD_TRAIN_CURVE_H

#include "base/str.h"

enum { CURVE_MOST = 1000 };

/* Lines of a curve: losses in training and held out, and held out by phase and by how far the end
 * of the game was off. */
enum { CURVE_LINES = 2 + 8 + 8 };

typedef struct CurvePoint {
    double epoch;             /* how many had gone by */
    double loss[CURVE_LINES]; /* 0: none */
} CurvePoint;

/* One point per window of the feed: where everything fits the buffer, per epoch. */
typedef struct Curve {
    int count;
    CurvePoint points[CURVE_MOST];
} Curve;

/* Adds a point; points beyond CURVE_MOST are dropped. */
void curve_add(Curve *curve, CurvePoint point);

/* Appends an SVG picture: epochs to the right from 0, loss upwards, the names of the lines beside.
 */
void curve_draw(const Curve *curve, StrBuf *out);

#endif
