#include "search/relay.h"

void relay_init(Relay *relay) {
    pthread_mutex_init(&relay->lock, NULL);
    atomic_init(&relay->depth, 0);
}

void relay_free(Relay *relay) {
    pthread_mutex_destroy(&relay->lock);
}

void relay_begin(Relay *relay) {
    atomic_store_explicit(&relay->depth, 0, memory_order_relaxed);
}

void relay_hand_over(Relay *relay, int depth, const RootMove *best) {
    pthread_mutex_lock(&relay->lock);
    if (!relay_has_passed(relay, depth)) {
        relay->best = *best;
        atomic_store_explicit(&relay->depth, depth, memory_order_relaxed);
    }
    pthread_mutex_unlock(&relay->lock);
}

int relay_take(Relay *relay, RootMove *best) {
    pthread_mutex_lock(&relay->lock);
    *best = relay->best;
    int depth = atomic_load_explicit(&relay->depth, memory_order_relaxed);
    pthread_mutex_unlock(&relay->lock);
    return depth;
}
