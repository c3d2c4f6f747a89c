/* stoptimer.c: the timer thread and its deadline. */
#include "search/stoptimer.h"

#include "base/base.h"
#include "base/clock.h"

#define NS_PER_MS ((int64_t)1000000)
#define NEVER     INT64_MAX

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

void stoptimer_note(StopTimer *timer, const TimeFeedback *feedback, bool is_clear) {
    pthread_mutex_lock(&timer->lock);
    timer->has_note = true;
    timer->feedback = *feedback;
    timer->is_clear = is_clear;
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_ponderhit(StopTimer *timer, const TimePlan *plan, int64_t now_ns) {
    pthread_mutex_lock(&timer->lock);
    if (timer->is_held) {
        release(timer);
        timer->plan = *plan;
        timer->clock_ns = now_ns;
        const TimeFeedback *feedback = timer->has_note ? &timer->feedback : NULL;
        int64_t ms = timeman_ponderhit(plan, feedback, timer->is_clear,
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

StopTimerView stoptimer_view(StopTimer *timer) {
    int64_t now = clock_ns();
    pthread_mutex_lock(&timer->lock);
    StopTimerView view = {.is_held = timer->is_held,
                          .plan = timer->plan,
                          .search_ms = i64_max(now - timer->start_ns, 0) / NS_PER_MS,
                          .clock_ms = i64_max(now - timer->clock_ns, 0) / NS_PER_MS};
    pthread_mutex_unlock(&timer->lock);
    return view;
}

void stoptimer_limit(StopTimer *timer, int64_t ms) {
    pthread_mutex_lock(&timer->lock);
    if (!timer->is_held && timer->plan.is_timed) {
        int64_t wanted = timer->clock_ns + ms * NS_PER_MS;
        change_deadline(timer, i64_min(wanted, plan_deadline(&timer->plan, timer->clock_ns)));
    }
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_await_release(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    while (timer->is_held) {
        pthread_cond_wait(&timer->changed, &timer->lock);
    }
    pthread_mutex_unlock(&timer->lock);
}

void stoptimer_end(StopTimer *timer) {
    pthread_mutex_lock(&timer->lock);
    set_deadline(timer, NEVER);
    pthread_mutex_unlock(&timer->lock);
}
