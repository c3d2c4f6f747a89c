/* vote.h: chooses the worker whose result is played after a multi-threaded search.
 *
 * Called on worker 0's thread after all workers have ended. */
#ifndef KMD_SEARCH_VOTE_H
#define KMD_SEARCH_VOTE_H

struct SearchShared;
struct Worker;

/* Returns the worker with the most votes for its best move. Each worker votes for its own move with
 * a weight that grows with its depth and score. A worker that was interrupted before searching its
 * move again does not vote if another worker got further at the same depth. Returns worker 0 with
 * MultiPV, after a proved mate, and at the depth limit, because a search to a given depth should
 * return an answer of that depth. Source: the idea of Stockfish's thread vote (Dubois, 2018). */
struct Worker *vote_best_worker(struct SearchShared *shared);

#endif
