/* shared_iteration.c: stores the line of the worker that first finished an iteration, protected by
 * a lock. The depth of that iteration is an atomic, which the other workers watch. */
#include "search/shared_iteration.h"

void shared_iteration_init(SharedIteration *iteration) {
    pthread_mutex_init(&iteration->lock, NULL);
    atomic_init(&iteration->depth, 0);
}

void shared_iteration_free(SharedIteration *iteration) {
    pthread_mutex_destroy(&iteration->lock);
}

void shared_iteration_begin(SharedIteration *iteration) {
    atomic_store_explicit(&iteration->depth, 0, memory_order_relaxed);
}

void shared_iteration_hand_over(SharedIteration *iteration, int depth, const RootMove *best) {
    pthread_mutex_lock(&iteration->lock);
    if (!shared_iteration_has_passed(iteration, depth)) {
        iteration->best = *best;
        atomic_store_explicit(&iteration->depth, depth, memory_order_relaxed);
    }
    pthread_mutex_unlock(&iteration->lock);
}

int shared_iteration_take(SharedIteration *iteration, RootMove *best) {
    pthread_mutex_lock(&iteration->lock);
    *best = iteration->best;
    int depth = atomic_load_explicit(&iteration->depth, memory_order_relaxed);
    pthread_mutex_unlock(&iteration->lock);
    return depth;
}
