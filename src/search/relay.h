/* relay.h: what the workers of one search tell each other about their iterations.
 *
 * All search the same depth. The first to finish hands its line over; the others break off, take
 * the line as if it were theirs and go on one deeper. Any thread may call everything but
 * init, begin and free at any time. */
#ifndef KMD_SEARCH_RELAY_H
#define KMD_SEARCH_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "search/rootmove.h"

typedef struct Relay {
    _Atomic int depth; /* the deepest iteration finished; nodes read it */
    pthread_mutex_t lock;
    RootMove best; /* its line; guarded */
} Relay;

void relay_init(Relay *relay);
void relay_free(Relay *relay);

/* A search begins: nothing is finished. */
void relay_begin(Relay *relay);

/* True when an iteration of `depth` or deeper has been finished. */
static inline bool relay_has_passed(const Relay *relay, int depth) {
    return atomic_load_explicit(&relay->depth, memory_order_relaxed) >= depth;
}

/* Hands over the line of a finished iteration, unless another was as deep. */
void relay_hand_over(Relay *relay, int depth, const RootMove *best);

/* Copies the deepest line and returns its depth. */
int relay_take(Relay *relay, RootMove *best);

#endif
