/* handwritten.h: the hand-written evaluation: material, pieces in hand, and attacks near the kings.
 * These functions only read the position: safe from every thread after handwritten_init. */
#ifndef KMD_EVAL_HANDWRITTEN_H
#define KMD_EVAL_HANDWRITTEN_H

#include "rules/types.h"

struct Position;

/* Fills the tables of this module and of values.h. Call it before any evaluation. */
void handwritten_init(void);

/* The evaluation in centipawns from the side to move's point of view, within -EVAL_MAX .. EVAL_MAX.
 * Kings may be missing. */
int handwritten_evaluate(const struct Position *pos);

#endif
