/* curve.h: the course of a training: losses by epoch, and their drawing. */
#ifndef KMD_TRAIN_CURVE_H
#define KMD_TRAIN_CURVE_H

#include "base/str.h"

enum { CURVE_MOST = 1000 };

typedef struct CurvePoint {
    double train;    /* mean loss over the epoch */
    double held_out; /* after it */
} CurvePoint;

/* One point per epoch. */
typedef struct Curve {
    int count;
    CurvePoint points[CURVE_MOST];
} Curve;

/* Adds a point; points beyond CURVE_MOST are dropped. */
void curve_add(Curve *curve, CurvePoint point);

/* Appends an SVG picture: epochs to the right, loss upwards on a logarithmic scale. */
void curve_draw(const Curve *curve, StrBuf *out);

#endif
