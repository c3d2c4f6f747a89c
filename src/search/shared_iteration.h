/* shared_iteration.h: a root move with its line, and what the workers of one search share about
 * their iterations.
 *
 * All search the same depth. The first to finish shares its line; the others stop, take the line as
 * if it were theirs and continue one ply deeper. Any thread may call everything but
 * init, begin and free at any time. */
#ifndef KMD_SEARCH_SHARED_ITERATION_H
#define KMD_SEARCH_SHARED_ITERATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rules/types.h"
#include "search/score.h"

/* A line of play. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A move at the root and what is known about it. */
typedef struct RootMove {
    Move move;
    Score score;          /* of this iteration; -SCORE_INFINITE while it has none */
    Score previous_score; /* of the last iteration that had one; -SCORE_INFINITE if none had */
    Bound bound;          /* the meaning of `score` if its window failed */
    Score exact_score;    /* of exact_depth, with its line in pv */
    int exact_depth;      /* this iteration's or the last one's; 0: there is no exact score */
    int seldepth;
    uint64_t nodes; /* spent below it in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

/* True when this iteration has a score for the move. */
static inline bool rootmove_is_current(const RootMove *root) {
    return root->score != -SCORE_INFINITE;
}

/* The latest score known; -SCORE_INFINITE when none is. */
static inline Score rootmove_score(const RootMove *root) {
    return rootmove_is_current(root) ? root->score : root->previous_score;
}

/* The meaning of rootmove_score. */
static inline Bound rootmove_bound(const RootMove *root) {
    return rootmove_is_current(root) ? root->bound : BOUND_EXACT;
}

typedef struct SharedIteration {
    _Atomic int depth; /* the deepest iteration finished; nodes read it */
    pthread_mutex_t lock;
    RootMove best; /* its line; guarded */
} SharedIteration;

void shared_iteration_init(SharedIteration *iteration);
void shared_iteration_free(SharedIteration *iteration);

/* A search begins: nothing is finished. */
void shared_iteration_begin(SharedIteration *iteration);

/* True when an iteration of `depth` or deeper has been finished. */
static inline bool shared_iteration_has_passed(const SharedIteration *iteration, int depth) {
    return atomic_load_explicit(&iteration->depth, memory_order_relaxed) >= depth;
}

/* Hands over the line of a finished iteration, unless another was as deep. */
void shared_iteration_hand_over(SharedIteration *iteration, int depth, const RootMove *best);

/* Copies the deepest line and returns its depth. */
int shared_iteration_take(SharedIteration *iteration, RootMove *best);

#endif
