/* node.h: searches one node of the alpha-beta tree below the root.
 *
 * The search of a node prints nothing and does not read the clock: worker_enter_node decides when
 * to return early. The search reads and writes the worker's position, stack and histories and the
 * shared hash table. On return the position is the same as on entry. */
#ifndef KMD_SEARCH_NODE_H
#define KMD_SEARCH_NODE_H

#include "search/search.h"

struct Worker;

/* Fills the table of logarithms for the reductions. Call it before any search. */
void node_init(void);

/* The late move reduction, in 1024ths of a ply, of move `number` (from 1) of a node searched
 * `depth` plies deep. It grows with the product of the logarithms of both. */
int node_reduction(int depth, int number, bool is_improving);

/* Searches worker->pos, `ply` plies below the root (at least 1), `depth` plies deep with the window
 * alpha < beta. The score may lie outside the window. If the window is wider than 1, this is a PV
 * node and the search stores its line in lines[ply]. is_cut_node is true if the node is expected to
 * fail high. At depth 0 or less, quiescence search decides. After a stop the score is meaningless.
 */
Score node_search(struct Worker *worker, int ply, int depth, Score alpha, Score beta,
                  bool is_cut_node);

#endif
