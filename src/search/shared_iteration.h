/* shared_iteration.h: the iteration that the workers of a search share.
 *
 * All workers search the same depth. The first to finish an iteration shares its line; the others
 * stop, adopt that line and continue one ply deeper. All functions except init, begin and free may
 * be called by any thread at any time. */
#ifndef KMD_SEARCH_SHARED_ITERATION_H
#define KMD_SEARCH_SHARED_ITERATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "search/rootmove.h"

typedef struct SharedIteration {
    _Atomic int depth; /* the deepest finished iteration; nodes read it */
    pthread_mutex_t lock;
    RootMove best; /* the best move of that iteration; guarded by `lock` */
} SharedIteration;

void shared_iteration_init(SharedIteration *iteration);
void shared_iteration_free(SharedIteration *iteration);

/* Starts a search: no iteration is finished. */
void shared_iteration_begin(SharedIteration *iteration);

/* True if an iteration of at least `depth` is finished. */
static inline bool shared_iteration_has_passed(const SharedIteration *iteration, int depth) {
    return atomic_load_explicit(&iteration->depth, memory_order_relaxed) >= depth;
}

/* Shares the best move of a finished iteration, unless an iteration of that depth or a greater one
 * has already been shared. */
void shared_iteration_hand_over(SharedIteration *iteration, int depth, const RootMove *best);

/* Copies the best move of the deepest finished iteration and returns its depth. */
int shared_iteration_take(SharedIteration *iteration, RootMove *best);

#endif
