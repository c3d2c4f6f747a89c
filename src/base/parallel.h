/* parallel.h: runs one task on several threads and waits for all of them, used for perft, for
 * clearing tables and for generating data; flags that stop an
 * operation; and what a caller watches of a long one.
 *
 * The search uses its own long-lived threads instead (search/pool.h). No state: safe from every
 * thread, even from within such a task. */
#ifndef KMD_BASE_PARALLEL_H
#define KMD_BASE_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* True if the flag is set, without ordering anything else. It may be NULL. */
static inline bool flag_is_set(const _Atomic bool *flag) {
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed);
}

/* Cancellation and progress of a long operation. */
typedef struct Watch {
    const _Atomic bool *cancel;  /* set to true to stop early; may be NULL */
    void (*tick)(void *context); /* called from time to time on the caller's thread; may be NULL */
    void *context;
} Watch;

/* True if the operation shall stop. The watch may be NULL. */
static inline bool watch_is_cancelled(const Watch *watch) {
    return watch != NULL && flag_is_set(watch->cancel);
}

/* The same; if not, calls `tick`. */
static inline bool watch_tick(const Watch *watch) {
    bool is_cancelled = watch_is_cancelled(watch);
    if (!is_cancelled && watch != NULL && watch->tick != NULL) {
        watch->tick(watch->context);
    }
    return is_cancelled;
}

/* The part of the task that thread `index` does. */
typedef void ParallelWork(void *context, int index);

/* Calls work(context, 0) to work(context, threads - 1), each on its own thread (index 0 on the
 * calling thread), and returns when all of them have returned. What they wrote is then visible to
 * the caller. threads >= 1. If the system provides fewer threads, the remaining calls run one after
 * another on the calling thread; therefore no call may wait for another. */
void parallel_run(int threads, ParallelWork *work, void *context);

#endif
