/* fieldeval.h: evaluates positions with a network of the field.
 *
 * An evaluator keeps, for each view and each square of the view's own king, the sums of the last
 * position that it saw with the king there ("Finny tables", Koivisto 2023). A new position changes
 * them by the rows of the pieces that differ. An evaluator belongs to one thread; several can share
 * a network, and evaluators of different kinds can live side by side. */
#ifndef KMD_EVAL_FIELDEVAL_H
#define KMD_EVAL_FIELDEVAL_H

#include "eval/fieldnet.h"

typedef struct FieldEval FieldEval;

/* The caller keeps the network and must not free it before the evaluator. NULL if out of memory. */
FieldEval *fieldeval_create(const FieldNet *net, const NnueKernels *kernels);

/* NULL is allowed. */
void fieldeval_free(FieldEval *eval);

/* The output of the network before any scale, from the side to move's point of view. It depends
 * only on the position and the network. */
int32_t fieldeval_output(FieldEval *eval, const Position *pos);

/* The same number, computed from scratch with the scalar kernels. */
int32_t fieldeval_output_fresh(const FieldNet *net, const Position *pos);

#endif
