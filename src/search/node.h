/* node.h: one node of the alpha-beta tree below the root.
 *
 * A node prints nothing and leaves the clock to worker_enter_node, which says when to return at
 * once. It reads and writes the worker's position, stack and histories and the
 * shared table, and leaves the position as it found it. */
#ifndef KMD_SEARCH_NODE_H
#define KMD_SEARCH_NODE_H

#include "search/score.h"

struct Worker;

/* Fills the table of reductions from the parameters; to be called before any search. */
void node_init(void);

/* By how much an average late quiet move is reduced in a node that is searched `depth` plies deep:
 * the `number`th of its moves, from 1; in 1024ths of a ply. */
int node_late_reduction(int depth, int number);

/* The score of worker->pos, `ply` plies below the root (at least 1), searched `depth` plies deep,
 * for the window alpha < beta; may lie outside of it. A window wider than 1 makes it a node of the
 * principal variation, whose line is left in lines[ply]; is_cut says that the caller expects
 * it to fail high. After a stop the score means nothing. */
Score node_search(struct Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut);

#endif
