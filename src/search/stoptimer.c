/* stoptimer.c: computes the soft and hard limits from the clock and the expected number of moves,
 * adjusts them to the course of the search, and runs the timer thread. */
#include "search/stoptimer.h"

#include "base/base.h"
#include "base/clock.h"
#include "search/params.h"

/* ---- How long to think. ---- */

/* MinimumThinkingTime may use at most 1 / MIN_SHARE of the main time. */
#define MIN_SHARE 10

/* However late earlier answers were, at least 1 / LATE_SHARE of the available time is used. */
#define LATE_SHARE 8

/* An answer counts as late by at most this much, or by half of its hard limit; and what is recorded
 * shrinks by one part in OVERRUN_MOVES with each move. */
#define MOST_LATE_MS  1000
#define OVERRUN_MOVES 8

/* Without an increment, each later move is expected to lose LOSS_FACTOR network delays. Time is
 * kept back for that, but at least 1 / USABLE_DIVISOR of the main time stays usable. */
#define LOSS_FACTOR    2
#define USABLE_DIVISOR 3

/* The network delay shortens a fixed move time by at most 1 / DELAY_SHARE of it. */
#define DELAY_SHARE 10

/* The most time that may be used for this move. If an answer was late before, the next one may be
 * even later, and losing on time is worse than moving faster. So half as much again is reserved. */
static int64_t usable_ms(int64_t available, const TimeOptions *options) {
    int64_t reserve = i64_min(options->network_delay2, available / 2);
    int64_t late = options->overrun_ms + options->overrun_ms / 2;
    return i64_max(i64_max(available - reserve - late, available / LATE_SHARE), 1);
}

static TimePlan plan_fixed(int64_t ms) {
    return (TimePlan){.is_timed = true, .least_ms = ms, .soft_ms = ms, .hard_ms = ms};
}

/* The first time after `ms` at which the server would start to count another second, but not later
 * than `most` unless `ms` itself is later. */
static int64_t end_of_second(const TimeOptions *options, int64_t ms, int64_t most) {
    int64_t seconds = (ms + options->network_delay + 999) / 1000;
    return i64_max(ms, i64_min(seconds * 1000 - options->network_delay, most));
}

static TimePlan plan_clock(const GoLimits *limits, const TimeOptions *options, Color us, int ply) {
    int64_t time = i64_max(limits->time_ms[us], 0);
    int64_t inc = i64_max(limits->inc_ms[us], 0);
    int64_t byoyomi = i64_max(limits->byoyomi_ms, 0);
    /* The number of moves for which the main time must last. */
    int moves = int_max(P_TIME_HORIZON - ply / P_TIME_HORIZON_STEP, P_TIME_HORIZON_MIN);
    int to_go = limits->moves_to_go;
    moves = to_go > 0 ? int_min(moves, to_go) : moves;
    /* Each move loses some time on its way to the opponent that the search does not see: in the
     * network, in pipes, and on a busy machine. If no increment gives it back, the losses add up
     * over the rest of the game, and that much is kept for later moves. */
    int64_t loss = (int64_t)options->network_delay * LOSS_FACTOR + options->overrun_ms;
    loss = i64_max(loss - inc - byoyomi, 0);
    int64_t spare = time - i64_min(loss * (moves - 1), time - time / USABLE_DIVISOR);
    /* One move may use P_TIME_MAX per cent of that. Before a time control, it may also use at most
     * P_TIME_HARD_FACTOR times an equal share, and must leave each later move half of its share. */
    int64_t most = to_go > 0 ? spare * int_min(to_go + 1, 2 * P_TIME_HARD_FACTOR) / (2 * to_go)
                             : (spare * P_TIME_MAX + 99) / 100;
    int64_t usable = usable_ms(most + inc + byoyomi, options);
    int64_t share = spare / moves + inc + byoyomi;
    int64_t soft = share * options->slow_mover / 100;
    soft += options->usi_ponder ? soft / P_TIME_PONDER_DIVISOR : 0;
    soft -= i64_min(options->network_delay, soft / 2);
    int64_t spared = usable_ms(time / MIN_SHARE + inc + byoyomi, options);
    int64_t least = i64_min(options->minimum_thinking_time, spared);
    least = byoyomi > 0 ? i64_max(least, usable_ms(byoyomi, options)) : least;
    least = i64_min(least, usable);
    int64_t whole = end_of_second(options, least, INT64_MAX);
    least = options->round_up_to_full_second && whole <= usable ? whole : least;
    soft = i64_clamp(soft, i64_max(least, 1), usable);
    return (TimePlan){.is_timed = true,
                      .may_be_short = true,
                      .least_ms = least,
                      .soft_ms = soft,
                      .hard_ms = i64_min(soft * P_TIME_HARD_FACTOR, usable)};
}

TimePlan stoptimer_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                        uint64_t random) {
    if (limits->is_infinite) {
        return (TimePlan){.is_timed = false};
    }
    if (limits->movetime_ms > 0) {
        int64_t delay = i64_min(options->network_delay, limits->movetime_ms / DELAY_SHARE);
        return plan_fixed(limits->movetime_ms - delay);
    }
    if (limits->rtime_ms > 0) {
        uint64_t range = (uint64_t)limits->rtime_ms * 2 + 1;
        return plan_fixed(limits->rtime_ms + (int64_t)(random % range));
    }
    if (limits->has_clock) {
        return plan_clock(limits, options, us, ply);
    }
    return (TimePlan){.is_timed = false};
}

static double thousandths(int number) {
    return number / 1000.0;
}

int64_t stoptimer_target(const TimePlan *plan, const TimeFeedback *feedback) {
    int stable = int_min(feedback->stable_iterations, P_TIME_STABLE_MAX);
    int drop = int_clamp(feedback->score_drop, -P_TIME_GAIN_MAX, P_TIME_DROP_MAX);
    /* If the best move keeps changing, the search needs more time than if it has been stable for
     * long. */
    double stability = thousandths(P_TIME_STABLE_BASE) - thousandths(P_TIME_STABLE_SLOPE) * stable;
    double panic = 1.0 + thousandths(P_TIME_DROP_SLOPE) * drop;
    double share = thousandths(P_TIME_SHARE_BASE);
    share -= thousandths(P_TIME_SHARE_SLOPE) * feedback->best_share;
    int64_t target = (int64_t)((double)plan->soft_ms * stability * panic * share);
    return i64_clamp(target, i64_max(plan->least_ms, 1), plan->hard_ms);
}

int64_t stoptimer_after_ponderhit(const TimePlan *plan, const TimeFeedback *feedback, bool is_clear,
                                  int64_t search_ms) {
    bool is_adjusted = plan->may_be_short && feedback != NULL;
    if (is_adjusted && is_clear) {
        return 0;
    }
    int64_t enough_ms = is_adjusted ? stoptimer_target(plan, feedback) : plan->soft_ms;
    return search_ms >= enough_ms ? plan->least_ms : plan->hard_ms;
}

int64_t stoptimer_deadline(const TimePlan *plan, const TimeOptions *options,
                           const TimeFeedback *feedback, int64_t search_ms, int64_t clock_ms) {
    if (search_ms < stoptimer_target(plan, feedback)) {
        return plan->hard_ms;
    }
    int64_t end = i64_max(clock_ms, plan->least_ms);
    return options->round_up_to_full_second ? end_of_second(options, end, plan->hard_ms) : end;
}

int64_t stoptimer_overrun(const TimePlan *plan, int64_t overrun_ms, int64_t clock_ms) {
    int64_t late = i64_min(clock_ms - plan->hard_ms, i64_min(MOST_LATE_MS, plan->hard_ms / 2));
    return i64_max(overrun_ms - (overrun_ms + OVERRUN_MOVES - 1) / OVERRUN_MOVES, late);
}

/* ---- The timer. ---- */

#define NEVER INT64_MAX

static int64_t plan_deadline(const TimePlan *plan, int64_t clock_start_ns) {
    return plan->is_timed ? clock_start_ns + plan->hard_ms * NS_PER_MS : NEVER;
}

static void set_deadline(StopTimer *timer, int64_t ns) {
    atomic_store_explicit(&timer->deadline_ns, ns, memory_order_relaxed);
}

static int64_t deadline_of(const StopTimer *timer) {
    return atomic_load_explicit(&timer->deadline_ns, memory_order_relaxed);
}

/* Sets the deadline and wakes the waiting threads. If neither the old nor the new deadline can ever
 * be reached, the timer thread stays asleep, so that searches limited by nodes cause no thread
 * switch. */
static void change_deadline(StopTimer *timer, int64_t ns) {
    bool matters = deadline_of(timer) != NEVER || ns != NEVER;
    set_deadline(timer, ns);
    if (matters) {
        pthread_cond_broadcast(&timer->changed);
    }
}

/* Lets the search that waits in stoptimer_await_release continue. */
static void release(StopTimer *timer) {
    if (timer->is_held) {
        timer->is_held = false;
        pthread_cond_broadcast(&timer->changed);
    }
}

static void set_flag(StopTimer *timer) {
    atomic_store_explicit(&timer->stop, true, memory_order_relaxed);
    change_deadline(timer, NEVER);
}

static void *timer_main(void *arg) {
    StopTimer *timer = arg;
    pthread_mutex_lock(&timer->lock);
    while (!timer->is_closing) {
        int64_t deadline = deadline_of(timer);
        if (deadline == NEVER) {
            pthread_cond_wait(&timer->changed, &timer->lock);
        } else if (clock_ns() >= deadline) {
            set_flag(timer);
        } else {
            clock_wait_until(&timer->changed, &timer->lock, deadline);
        }
    }
    pthread_mutex_unlock(&timer->lock);
    return NULL;
}

void stoptimer_init(StopTimer *timer) {
    *timer = (StopTimer){.deadline_ns = NEVER};
    pthread_mutex_init(&timer->lock, NULL);
    clock_init_cond(&timer->changed);
    timer->has_thread = pthread_create(&timer->thread, NULL, timer_main, timer) == 0;
}

void stoptimer_free(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    timer->is_closing = true;
    pthread_cond_broadcast(&timer->changed);
    pthread_mutex_unlock(&timer->lock);
    if (timer->has_thread) {
        pthread_join(timer->thread, NULL);
    }
    pthread_cond_destroy(&timer->changed);
    pthread_mutex_destroy(&timer->lock);
}

void stoptimer_begin(StopTimer *timer, const TimePlan *plan, int64_t start_ns, bool is_held) {
    pthread_mutex_lock(&timer->lock);
    atomic_store_explicit(&timer->stop, false, memory_order_relaxed);
    timer->is_held = is_held;
    timer->plan = *plan;
    timer->has_note = false;
    timer->start_ns = start_ns;
    timer->clock_ns = start_ns;
    timer->cancel = NULL;
    change_deadline(timer, is_held ? NEVER : plan_deadline(plan, start_ns));
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_watch(StopTimer *timer, const _Atomic bool *cancel) {
    timer->cancel = cancel;
}

bool stoptimer_ends_iteration(StopTimer *timer, const TimeOptions *options,
                              const TimeFeedback *feedback, bool is_clear) {
    int64_t now = clock_ns();
    bool is_over = false;
    pthread_mutex_lock(&timer->lock);
    timer->has_note = true;
    timer->feedback = *feedback;
    timer->is_clear = is_clear;
    if (!timer->is_held && timer->plan.is_timed && timer->plan.may_be_short) {
        int64_t search_ms = i64_max(now - timer->start_ns, 0) / NS_PER_MS;
        int64_t clock_ms = i64_max(now - timer->clock_ns, 0) / NS_PER_MS;
        int64_t end_ms = stoptimer_deadline(&timer->plan, options, feedback, search_ms, clock_ms);
        change_deadline(timer, i64_min(timer->clock_ns + end_ms * NS_PER_MS,
                                       plan_deadline(&timer->plan, timer->clock_ns)));
        is_over = is_clear || end_ms <= clock_ms;
    }
    pthread_mutex_unlock(&timer->lock);
    return is_over;
}

void stoptimer_ponderhit(StopTimer *timer, const TimePlan *plan, int64_t now_ns) {
    pthread_mutex_lock(&timer->lock);
    if (timer->is_held) {
        release(timer);
        timer->plan = *plan;
        timer->clock_ns = now_ns;
        const TimeFeedback *feedback = timer->has_note ? &timer->feedback : NULL;
        int64_t ms = stoptimer_after_ponderhit(plan, feedback, timer->is_clear,
                                               (now_ns - timer->start_ns) / NS_PER_MS);
        change_deadline(timer, plan->is_timed ? now_ns + ms * NS_PER_MS : NEVER);
        if (deadline_of(timer) <= now_ns) {
            set_flag(timer);
        }
    }
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_stop(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    timer->plan.is_timed = timer->plan.is_timed && !timer->is_held;
    release(timer);
    set_flag(timer);
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_halt(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    set_flag(timer);
    pthread_mutex_unlock(&timer->lock);
}

/* Takes the lock, because a ponderhit or a new limit may change the deadline at the same time. */
void stoptimer_poll(StopTimer *timer) {
    if (timer->cancel != NULL && atomic_load_explicit(timer->cancel, memory_order_relaxed)) {
        stoptimer_stop(timer);
        return;
    }
    int64_t now = clock_ns();
    if (now < deadline_of(timer)) {
        return;
    }
    pthread_mutex_lock(&timer->lock);
    if (now >= deadline_of(timer)) {
        set_flag(timer);
    }
    pthread_mutex_unlock(&timer->lock);
}

int64_t stoptimer_search_ms(StopTimer *timer) {
    int64_t now = clock_ns();
    pthread_mutex_lock(&timer->lock);
    int64_t start = timer->start_ns;
    pthread_mutex_unlock(&timer->lock);
    return i64_max(now - start, 0) / NS_PER_MS;
}

bool stoptimer_is_held(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    bool is_held = timer->is_held;
    pthread_mutex_unlock(&timer->lock);
    return is_held;
}

bool stoptimer_is_timed(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    bool is_timed = timer->plan.is_timed;
    pthread_mutex_unlock(&timer->lock);
    return is_timed;
}

void stoptimer_await_release(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    while (timer->is_held) {
        pthread_cond_wait(&timer->changed, &timer->lock);
    }
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_end(StopTimer *timer) {
    int64_t now = clock_ns();
    pthread_mutex_lock(&timer->lock);
    set_deadline(timer, NEVER);
    if (timer->plan.is_timed) {
        int64_t clock_ms = i64_max(now - timer->clock_ns, 0) / NS_PER_MS;
        timer->overrun_ms = stoptimer_overrun(&timer->plan, timer->overrun_ms, clock_ms);
    }
    pthread_mutex_unlock(&timer->lock);
}

int64_t stoptimer_overrun_ms(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    int64_t ms = timer->overrun_ms;
    pthread_mutex_unlock(&timer->lock);
    return ms;
}

void stoptimer_new_game(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    timer->overrun_ms = 0;
    pthread_mutex_unlock(&timer->lock);
}
