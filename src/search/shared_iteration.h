/* shared_iteration.h: what the workers of one search tell each other about their iterations.
 *
 * All search the same depth. The first to finish hands its line over; the others break off, take
 * the line as if it were theirs and go on one deeper. Any thread may call everything but
 * init, begin and free at any time. */
#ifndef KMD_SEARCH_SHARED_ITERATION_H
#define KMD_SEARCH_SHARED_ITERATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "search/rootmove.h"

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
