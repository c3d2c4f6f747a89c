/* stoptimer.h: the stop flag of a search, its clock, and the thread that sets the flag in time.
 *
 * The timer thread sleeps on a condition variable until the deadline; nodes read the flag only.
 * On a busy machine the thread may wake late, or the system may not have provided it at all, so
 * each worker also reads the clock every STOPTIMER_POLL_NODES nodes. Everything here is safe from
 * every thread. Shared data is guarded by `lock`, except the flag and the deadline, which are
 * relaxed atomics (they carry no other data). */
#ifndef KMD_SEARCH_STOPTIMER_H
#define KMD_SEARCH_STOPTIMER_H

#include <pthread.h>
#include <stdatomic.h>

#include "search/timeman.h"

/* A power of two: 1 to 3 ms. */
enum { STOPTIMER_POLL_NODES = 2048 };

typedef struct StopTimer {
    _Atomic bool stop;           /* the search is to end; nodes read it */
    _Atomic int64_t deadline_ns; /* INT64_MAX: none; written with the lock held */
    const _Atomic bool *cancel;  /* see stoptimer_watch; not written while a search runs */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    bool is_closing;
    bool is_held;  /* no answer before stop or ponderhit */
    TimePlan plan; /* in force while not held */
    bool has_note; /* stoptimer_note was called since the search began: the next two count */
    bool is_clear;
    TimeFeedback feedback;
    int64_t start_ns; /* when the search began */
    int64_t clock_ns; /* when its clock began to run: the start, or the ponderhit */
} StopTimer;

/* The questions of a search between iterations. */
typedef struct StopTimerView {
    bool is_held;
    TimePlan plan;
    int64_t search_ms; /* since the search began */
    int64_t clock_ms;  /* since its clock began to run */
} StopTimerView;

void stoptimer_init(StopTimer *timer);
void stoptimer_free(StopTimer *timer);

/* A search begins: clears the flag. While is_held, the plan is not in force and
 * stoptimer_await_leave waits; stoptimer_hit ends that. */
void stoptimer_begin(StopTimer *timer, const TimePlan *plan, int64_t start_ns, bool is_held);

/* Makes stoptimer_poll end the search that has just begun once *cancel is true, too. For the thread
 * that will run the search. */
void stoptimer_watch(StopTimer *timer, const _Atomic bool *cancel);

/* An iteration has ended: the data for a ponderhit during the next one. is_clear: more time
 * would not change the answer. */
void stoptimer_note(StopTimer *timer, const TimeFeedback *feedback, bool is_clear);

/* The ponder move was played: from now_ns on the search runs under `plan`. If by what was noted it
 * has thought enough already, it ends as soon as the plan allows. */
void stoptimer_hit(StopTimer *timer, const TimePlan *plan, int64_t now_ns);

/* Sets the flag and ends the hold. */
void stoptimer_stop(StopTimer *timer);

/* Sets the flag and holds on: searches that still run are to end, for the answer stands, but it may
 * not be given yet. */
void stoptimer_halt(StopTimer *timer);

static inline bool stoptimer_is_stopped(const StopTimer *timer) {
    return atomic_load_explicit(&timer->stop, memory_order_relaxed);
}

/* Sets the flag if the deadline has passed or the search is cancelled. For a thread at work, now
 * and then. */
void stoptimer_poll(StopTimer *timer);

StopTimerView stoptimer_view(StopTimer *timer);

/* Moves the deadline to `ms` after the clock began to run, never beyond the plan's hard limit. */
void stoptimer_limit(StopTimer *timer, int64_t ms);

/* Waits until an answer may be given: returns at once unless the search is held. */
void stoptimer_await_leave(StopTimer *timer);

/* The search has ended: takes the deadline away. */
void stoptimer_end(StopTimer *timer);

#endif
