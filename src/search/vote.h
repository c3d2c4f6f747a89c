/* vote.h: chooses the worker whose result is played when several have searched.
 *
 * Called on worker 0's thread when all have ended. */
#ifndef KMD_SEARCH_VOTE_H
#define KMD_SEARCH_VOTE_H

struct SearchShared;
struct Worker;

/* The worker whose best move most of the search speaks for: each worker votes for its move with a
 * weight that grows with its depth and its score, unless it stands by a move that another has
 * looked at again since. With several lines asked for, or a mate that was proved, it is worker 0.
 * Source: Stockfish's thread vote (Dubois, 2018), the idea only. */
struct Worker *vote_best_worker(struct SearchShared *shared);

#endif
