/* handwritten.h: the hand-written evaluation: material, hands, and how near pieces are to the
 * kings. Reads the position only; safe from every thread once handwritten_init has run. */
#ifndef KMD_EVAL_HANDWRITTEN_H
#define KMD_EVAL_HANDWRITTEN_H

#include "rules/types.h"

struct Position;

/* Fills its tables and those of values.h; to be called before any evaluation. */
void handwritten_init(void);

/* The side to move's view, within -EVAL_MAX .. EVAL_MAX. Kings may be missing. */
int handwritten_evaluate(const struct Position *pos);

/* How many pieces of this side stand within two steps of the other king. */
int handwritten_attackers(const struct Position *pos, Color attacker);

#endif
