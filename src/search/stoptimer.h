/* stoptimer.h: the stop flag of a search, its clock, and the thread that sets the flag at the
 * deadline.
 *
 * The timer thread sleeps on a condition variable until the deadline; nodes only read the flag.
 * Because the thread may wake late on a busy machine, or may not exist if the system refused to
 * create it, each worker also reads the clock every STOPTIMER_POLL_NODES nodes. All functions are
 * thread-safe. `lock` guards all shared data except the flag and the deadline, which are relaxed
 * atomics and publish no other data. */
#ifndef KMD_SEARCH_STOPTIMER_H
#define KMD_SEARCH_STOPTIMER_H

#include <pthread.h>
#include <stdatomic.h>

#include "search/timeman.h"

/* The number of nodes between two clock checks, a power of two. That many nodes take 1 to 3 ms. */
enum { STOPTIMER_POLL_NODES = 2048 };

typedef struct StopTimer {
    _Atomic bool stop;           /* the search must end; nodes read it */
    _Atomic int64_t deadline_ns; /* INT64_MAX: none; written with `lock` held */
    const _Atomic bool *cancel;  /* see stoptimer_watch; not written during a search */

    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    bool is_closing;
    bool is_held;  /* hold back the answer until a stop or ponderhit */
    TimePlan plan; /* time limits, in effect unless the answer is held back */
    bool has_note; /* stoptimer_note was called in this search: the next two members are valid */
    bool is_clear;
    TimeFeedback feedback;
    int64_t start_ns; /* time at which the search began */
    int64_t clock_ns; /* start of the search's clock: its own start, or the ponderhit */
} StopTimer;

/* The state of the timer, for decisions between iterations. */
typedef struct StopTimerView {
    bool is_held;
    TimePlan plan;
    int64_t search_ms; /* time since the search started */
    int64_t clock_ms;  /* time since the clock of the search started */
} StopTimerView;

void stoptimer_init(StopTimer *timer);
void stoptimer_free(StopTimer *timer);

/* Starts a search: clears the flag. If is_held, the plan has no effect and stoptimer_await_release
 * waits until stoptimer_ponderhit or stoptimer_stop is called. */
void stoptimer_begin(StopTimer *timer, const TimePlan *plan, int64_t start_ns, bool is_held);

/* Makes stoptimer_poll end this search also once *cancel is true. Call it before the search runs,
 * on the thread that will run it. */
void stoptimer_watch(StopTimer *timer, const _Atomic bool *cancel);

/* Call it when an iteration has ended. Stores its data in case a ponderhit follows during the next
 * iteration. is_clear is true if more time would not change the answer. */
void stoptimer_note(StopTimer *timer, const TimeFeedback *feedback, bool is_clear);

/* Call it when the ponder move was played: from now_ns on the search follows `plan`, for as long as
 * timeman_ponderhit allows after the last stoptimer_note. */
void stoptimer_ponderhit(StopTimer *timer, const TimePlan *plan, int64_t now_ns);

/* Sets the flag and lets a held answer be sent. If the answer was held, the plan never took effect,
 * so the view shows a plan without limits. */
void stoptimer_stop(StopTimer *timer);

/* Sets the flag but keeps the answer held: the result is known, so the workers should stop, but the
 * answer must not be sent yet. */
void stoptimer_halt(StopTimer *timer);

static inline bool stoptimer_is_stopped(const StopTimer *timer) {
    return atomic_load_explicit(&timer->stop, memory_order_relaxed);
}

/* Sets the flag if the deadline has passed or the search is cancelled. Workers call it from time to
 * time. */
void stoptimer_poll(StopTimer *timer);

StopTimerView stoptimer_view(StopTimer *timer);

/* Moves the deadline to `ms` after the clock started, but not beyond the plan's hard limit. */
void stoptimer_limit(StopTimer *timer, int64_t ms);

/* Waits until the answer may be sent. Returns at once unless the answer is held. */
void stoptimer_await_release(StopTimer *timer);

/* Call it when the search has ended. Removes the deadline. */
void stoptimer_end(StopTimer *timer);

#endif
