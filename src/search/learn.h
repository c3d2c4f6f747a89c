/* learn.h: what a node leaves behind for others when its moves have been tried: which of them to
 * try first, and how far off the static evaluation was.
 *
 * Writes the worker's history, which holds the counter moves, and the killers of the node's frame.
 * The worker's position must be the node's. */
#ifndef KMD_SEARCH_LEARN_H
#define KMD_SEARCH_LEARN_H

#include "rules/types.h"
#include "search/score.h"

struct PickContext;
struct Worker;

enum { TRIED_MOST = 64 };

/* Moves of a node that did not refute it, the first of each kind. */
typedef struct Tried {
    int quiet_count;
    Move quiets[TRIED_MOST];
    int capture_count;
    Move captures[TRIED_MOST]; /* and promotions */
} Tried;

/* Empties the lists: their counts only, for the moves are many and most nodes try few. */
void learn_begin(Tried *tried);

void learn_note(Tried *tried, Move move, bool is_quiet);

/* `best` refuted the node at `ply`, searched `depth` plies deep: it is praised, and all that were
 * tried before it in vain are blamed. */
void learn_from_cut(struct Worker *worker, const struct PickContext *context, int ply, int depth,
                    Move best, const Tried *tried);

/* No move reached alpha in the node at `ply` (at least 1), searched `depth` plies deep: the quiet
 * move that led there is praised. */
void learn_from_fail_low(struct Worker *worker, int ply, int depth);

/* The node at `ply` has the score `score`, exact or a bound, by the move `best` (MOVE_NONE: none
 * reached alpha). Says nothing of the static evaluation in check, by a capture or when the score
 * is a mate, or a win or loss by repetition. */
void learn_correction(struct Worker *worker, int ply, int depth, Move best, Score score,
                      Bound bound);

#endif
