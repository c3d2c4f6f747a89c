/* stoptimer.h: how long a search may think, and the thread that sets its stop flag at the deadline.
 *
 * The functions of the first part compute times in milliseconds from clocks and options. The timer
 * thread sleeps on a condition variable until the deadline; nodes only read the flag. Because the
 * thread may wake late on a busy machine, or may not exist if the system refused to create it, each
 * worker also reads the clock every STOPTIMER_POLL_NODES nodes. All functions are thread-safe.
 * `lock` guards all shared data except the flag and the deadline, which are relaxed atomics and
 * publish no other data. */
#ifndef KMD_SEARCH_STOPTIMER_H
#define KMD_SEARCH_STOPTIMER_H

#include <pthread.h>
#include <stdatomic.h>

#include "search/search.h"

/* ---- How long to think: pure functions. ---- */

/* The time limits of one search, counted from the start of its clock. */
typedef struct TimePlan {
    bool is_timed;     /* false: no time limit; all other members are 0 */
    bool may_be_short; /* may answer early if the move is clear, because the saved time is kept or
                          has no other use */
    int64_t least_ms;  /* minimum time on the clock, even after long pondering */
    int64_t soft_ms;   /* start no new iteration after this; stoptimer_target adjusts it */
    int64_t hard_ms;   /* stop the search here; least <= soft <= hard */
} TimePlan;

/* The plan for a search by `us` at game ply `ply`. With byoyomi it uses at least the byoyomi minus
 * the reserve, even while main time remains, because unused byoyomi is lost. The receiver of the
 * answer measures a fixed move time, so the plan subtracts the usual delay. `random` selects the
 * time for GoLimits.rtime_ms. */
TimePlan stoptimer_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                        uint64_t random);

/* What the search knows about its best move. */
typedef struct TimeFeedback {
    int stable_iterations; /* number of consecutive finished iterations with this best move */
    int score_drop; /* drop of the score since the last iteration, in centipawns; negative: rise */
    double best_share; /* share of the nodes spent on the best move, 0 .. 1 */
} TimeFeedback;

/* Returns the soft limit, changed by how the search is going, but within least_ms .. hard_ms.
 * Sources: the use of node shares is Koivisto's (2021); stability and falling scores are common to
 * most engines. */
int64_t stoptimer_target(const TimePlan *plan, const TimeFeedback *feedback);

/* How long to go on searching after a ponderhit, in milliseconds; used only if the plan is timed.
 * The search has thought for search_ms already: a clear answer is given at once, and if the clock
 * would have allowed less, only the minimum time on the clock is used. `feedback` is NULL if no
 * iteration has ended yet. */
int64_t stoptimer_after_ponderhit(const TimePlan *plan, const TimeFeedback *feedback, bool is_clear,
                                  int64_t search_ms);

/* When to end the search, given search_ms since it started and clock_ms since its clock started. If
 * the search has not used its target time, the result is hard_ms. Otherwise it is the current time
 * or, if whole seconds are used, the end of the current second. The result is at least least_ms,
 * and at most hard_ms unless clock_ms is already greater. */
int64_t stoptimer_deadline(const TimePlan *plan, const TimeOptions *options,
                           const TimeFeedback *feedback, int64_t search_ms, int64_t clock_ms);

/* The next value of TimeOptions.overrun_ms after an answer at clock_ms. A late answer counts at
 * once, but for no more than a second or half of its hard limit, because a single long pause, in
 * which the machine slept, says little about the next moves. With each answer the value shrinks by
 * an eighth. */
int64_t stoptimer_overrun(const TimePlan *plan, int64_t overrun_ms, int64_t clock_ms);

/* ---- The timer. ---- */

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
    bool has_note; /* an iteration has ended in this search: the next two members are valid */
    bool is_clear;
    TimeFeedback feedback;
    int64_t start_ns; /* time at which the search began */
    int64_t clock_ns; /* start of the search's clock: its own start, or the ponderhit */
    int64_t overrun_ms;
} StopTimer;

void stoptimer_init(StopTimer *timer);
void stoptimer_free(StopTimer *timer);

/* Starts a search: clears the flag. If is_held, the plan has no effect and stoptimer_await_release
 * waits until stoptimer_ponderhit or stoptimer_stop is called. */
void stoptimer_begin(StopTimer *timer, const TimePlan *plan, int64_t start_ns, bool is_held);

/* Makes stoptimer_poll end this search also once *cancel is true. Call it before the search runs,
 * on the thread that will run it. */
void stoptimer_watch(StopTimer *timer, const _Atomic bool *cancel);

/* Call it when an iteration has ended. Returns true if the search should end: more time would not
 * change the answer (is_clear), or the time is used. Otherwise moves the deadline. Time spent
 * pondering counts as used time, but not as minimum thinking time. While the answer is held, it
 * returns false and remembers the feedback in case a ponderhit follows during the next iteration.
 */
bool stoptimer_ends_iteration(StopTimer *timer, const TimeOptions *options,
                              const TimeFeedback *feedback, bool is_clear);

/* Call it when the ponder move was played: from now_ns on the search follows `plan`, for as long as
 * stoptimer_after_ponderhit allows after the last iteration. */
void stoptimer_ponderhit(StopTimer *timer, const TimePlan *plan, int64_t now_ns);

/* Sets the flag and lets a held answer be sent. If the answer was held, the plan never took effect,
 * so the search is not timed. */
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

/* The time since the search started, in milliseconds. */
int64_t stoptimer_search_ms(StopTimer *timer);

/* True if the answer is held. */
bool stoptimer_is_held(StopTimer *timer);

/* True if the search has a time limit that has taken effect. */
bool stoptimer_is_timed(StopTimer *timer);

/* Waits until the answer may be sent. Returns at once unless the answer is held. */
void stoptimer_await_release(StopTimer *timer);

/* Call it when the search has ended. Removes the deadline, and notes how late the answer is. */
void stoptimer_end(StopTimer *timer);

/* How late the answers of this game were, for TimeOptions; stoptimer_new_game forgets it. */
int64_t stoptimer_overrun_ms(StopTimer *timer);
void stoptimer_new_game(StopTimer *timer);

#endif
