/* nnue.h: evaluates positions with a network.
 *
 * An evaluator belongs to one thread, but several can share one network. There is no other state:
 * evaluators of different networks and kinds can live in one process and in one thread. Nothing
 * here can fail, except that memory may run out. Nothing here prints. */
#ifndef KMD_EVAL_NNUE_H
#define KMD_EVAL_NNUE_H

#include <stdint.h>

#include "base/str.h"

struct NnueInputs;
struct NnueNet;
struct Position;

typedef struct NnueEvaluator NnueEvaluator;

/* Creates an evaluator that uses at most these processor features (bits of CPU_*). The caller keeps
 * the network and must not free it before the evaluator. NULL if out of memory. */
NnueEvaluator *nnue_create(const struct NnueNet *net, uint32_t features);

/* NULL is allowed. */
void nnue_free(NnueEvaluator *evaluator);

/* The evaluation from the side to move's point of view in centipawns (a pawn on the board is about
 * 100), within -NNUE_SCORE_MAX .. NNUE_SCORE_MAX. The evaluation is fastest if only a few moves
 * separate the position from the last one evaluated. The result depends only on the position and
 * the network. */
int nnue_evaluate(NnueEvaluator *evaluator, const struct Position *pos);

/* The output before any scale, from the side to move's point of view. */
int64_t nnue_output(NnueEvaluator *evaluator, const struct Position *pos);

/* The same numbers, computed from scratch with the scalar kernels. */
int64_t nnue_output_fresh(const struct NnueNet *net, const struct Position *pos);
int nnue_evaluate_fresh(const struct NnueNet *net, const struct Position *pos);

/* Lists the active inputs of both views, the mover's first. */
void nnue_list_inputs(const struct NnueNet *net, const struct Position *pos,
                      struct NnueInputs *views);

/* Only for Komadori's own networks: the same number as nnue_evaluate, computed from the bucket and
 * the active inputs of both views (the mover's first). */
int nnue_evaluate_inputs(const struct NnueNet *net, const struct NnueInputs *views, int bucket);

/* Appends lines of text: the board and the hands with the contribution of each piece to the score,
 * found by removing its inputs, and the score of each bucket. Scores are in pawns from black's
 * point of view. */
void nnue_describe(const struct NnueNet *net, const struct Position *pos, StrBuf *out);

/* The name of the kernels that the evaluator uses. */
const char *nnue_kernel_name(const NnueEvaluator *evaluator);

#endif
