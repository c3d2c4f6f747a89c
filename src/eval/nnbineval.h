/* nnbineval.h: evaluates positions with a network of nnbin.h.
 *
 * The sums of both views are kept per state, as in accumulator.h: they are updated from the nearest
 * earlier state while the own king stays, and otherwise from the sums that the view last had with
 * its king on that square ("Finny tables", Koivisto 2023). An evaluator belongs to one thread and
 * follows one position at a time. */
#ifndef KMD_EVAL_NNBINEVAL_H
#define KMD_EVAL_NNBINEVAL_H

#include <stdint.h>

struct NnBin;
struct NnueKernels;
struct Position;

typedef struct NnBinEval NnBinEval;

/* The caller keeps the network and must not free it before the evaluator. NULL if out of memory. */
NnBinEval *nnbineval_create(const struct NnBin *bin, const struct NnueKernels *kernels);

/* NULL is allowed. */
void nnbineval_free(NnBinEval *eval);

const struct NnueKernels *nnbineval_kernels(const NnBinEval *eval);

/* The network's output from the side to move's point of view, before any scale. */
int32_t nnbineval_output(NnBinEval *eval, const struct Position *pos);

/* The same number, computed from scratch with the scalar kernels. */
int32_t nnbineval_output_fresh(const struct NnBin *bin, const struct Position *pos);

#endif
