/* nnue.h: the evaluation of a position by a network.
 *
 * An evaluator belongs to one thread; the network behind it may serve many. Nothing here prints or
 * fails, except for lack of memory. */
#ifndef KMD_EVAL_NNUE_H
#define KMD_EVAL_NNUE_H

#include <stdint.h>

#include "base/base.h"

struct NnueInputs;
struct NnueNet;
struct Position;

typedef struct NnueEvaluator NnueEvaluator;

/* An evaluator that uses no more than these features of the processor (bits of CPU_*). The net
 * stays the caller's and must outlive it. NULL when memory is short. */
NnueEvaluator *nnue_create(const struct NnueNet *net, uint32_t features);

/* NULL is allowed. */
void nnue_free(NnueEvaluator *evaluator);

/* The side to move's view in centipawns (a pawn on the board is about 100), within
 * -NNUE_SCORE_MAX .. NNUE_SCORE_MAX. Quickest when positions follow each other by few moves. The
 * same position always gets the same number. */
int nnue_evaluate(NnueEvaluator *evaluator, const struct Position *pos);

/* The same number as nnue_evaluate, from nothing but the network, by the plain kernels. */
int nnue_evaluate_fresh(const struct NnueNet *net, const struct Position *pos);

/* The active inputs of two views, the mover's first: pieces on the board from the first square on,
 * those in hand, then threats, if the network has them. */
void nnue_list_inputs(const struct NnueNet *net, const struct Position *pos,
                      struct NnueInputs *views);

/* The same out of output `bucket` from the active inputs of two views, the mover's first. */
int nnue_evaluate_inputs(const struct NnueNet *net, const struct NnueInputs *views, int bucket);

/* The name of the kernels in use. */
const char *nnue_kernel_name(const NnueEvaluator *evaluator);

#endif
