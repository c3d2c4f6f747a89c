/* root.h: iterative deepening over the moves of the root, by one worker: aspiration windows,
 * several best lines, and for worker 0 reports and the decision when to end.
 *
 * Each worker's thread calls these for itself. */
#ifndef KMD_SEARCH_ROOT_H
#define KMD_SEARCH_ROOT_H

#include "rules/types.h"

struct SearchShared;
struct Worker;

/* The most nodes that the search may use, with all workers together; 0: no limit. */
uint64_t root_node_limit(const struct SearchShared *shared);

/* Makes the worker ready for the search described in its SearchShared: position, root moves,
 * counters; for a new game also the histories. Returns the number of root moves. */
int root_prepare(struct Worker *worker);

/* Searches until the limits are reached or the stop flag is set, but at least the first line of the
 * first iteration as far as the nodes allow it, so that a stop finds a move that was searched: a
 * few hundred nodes, a millisecond or so. Needs a root move. Afterwards the root moves are sorted
 * by score, the first with its line. */
void root_search(struct Worker *worker);

/* For weak levels: the rank of the move to play, by chance and as the level says. */
int root_choose(const struct Worker *worker, uint64_t random);

/* The opponent's expected reply to a root move, from its line or the table; MOVE_NONE if unknown or
 * if the move ends the game. */
Move root_ponder_move(struct Worker *worker, int rank);

#endif
