#include "search/keeper.h"

#include "base/base.h"
#include "base/clock.h"
#include "base/condvar.h"

#define NS_PER_MS ((int64_t)1000000)
#define NEVER     INT64_MAX

static int64_t plan_deadline(const TimePlan *plan, int64_t clock_start_ns) {
    return plan->is_timed ? clock_start_ns + plan->hard_ms * NS_PER_MS : NEVER;
}

static void set_deadline(Keeper *keeper, int64_t ns) {
    atomic_store_explicit(&keeper->deadline_ns, ns, memory_order_relaxed);
}

static int64_t deadline_of(const Keeper *keeper) {
    return atomic_load_explicit(&keeper->deadline_ns, memory_order_relaxed);
}

static void set_flag(Keeper *keeper) {
    atomic_store_explicit(&keeper->stop, true, memory_order_relaxed);
    set_deadline(keeper, NEVER);
    pthread_cond_broadcast(&keeper->changed);
}

static void *keep(void *arg) {
    Keeper *keeper = arg;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->is_closing) {
        int64_t deadline = deadline_of(keeper);
        if (deadline == NEVER) {
            pthread_cond_wait(&keeper->changed, &keeper->lock);
        } else if (clock_ns() >= deadline) {
            set_flag(keeper);
        } else {
            condvar_wait_until(&keeper->changed, &keeper->lock, deadline);
        }
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

void keeper_init(Keeper *keeper) {
    *keeper = (Keeper){.deadline_ns = NEVER};
    pthread_mutex_init(&keeper->lock, NULL);
    condvar_init(&keeper->changed);
    keeper->has_thread = pthread_create(&keeper->thread, NULL, keep, keeper) == 0;
}

void keeper_free(Keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    keeper->is_closing = true;
    pthread_cond_broadcast(&keeper->changed);
    pthread_mutex_unlock(&keeper->lock);
    if (keeper->has_thread) {
        pthread_join(keeper->thread, NULL);
    }
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->lock);
}

void keeper_begin(Keeper *keeper, const TimePlan *plan, int64_t start_ns, bool is_held) {
    pthread_mutex_lock(&keeper->lock);
    atomic_store_explicit(&keeper->stop, false, memory_order_relaxed);
    keeper->is_held = is_held;
    keeper->plan = *plan;
    keeper->has_note = false;
    keeper->start_ns = start_ns;
    keeper->clock_ns = start_ns;
    set_deadline(keeper, is_held ? NEVER : plan_deadline(plan, start_ns));
    pthread_cond_broadcast(&keeper->changed);
    pthread_mutex_unlock(&keeper->lock);
}

void keeper_note(Keeper *keeper, const TimeFeedback *feedback, bool is_clear) {
    pthread_mutex_lock(&keeper->lock);
    keeper->has_note = true;
    keeper->feedback = *feedback;
    keeper->is_clear = is_clear;
    pthread_mutex_unlock(&keeper->lock);
}

/* Where the time of the opponent was longer than what the own clock would have allowed, only what
 * must be used of the own one is. */
static int64_t hit_deadline(const Keeper *keeper, const TimePlan *plan, int64_t now_ns) {
    if (plan->may_be_short && keeper->has_note && keeper->is_clear) {
        return now_ns;
    }
    bool is_adjusted = plan->may_be_short && keeper->has_note;
    int64_t enough_ms = is_adjusted ? timeman_target(plan, &keeper->feedback) : plan->soft_ms;
    bool has_thought_enough = plan->is_timed && now_ns - keeper->start_ns >= enough_ms * NS_PER_MS;
    return has_thought_enough ? now_ns + plan->least_ms * NS_PER_MS : plan_deadline(plan, now_ns);
}

void keeper_hit(Keeper *keeper, const TimePlan *plan, int64_t now_ns) {
    pthread_mutex_lock(&keeper->lock);
    if (keeper->is_held) {
        keeper->is_held = false;
        keeper->plan = *plan;
        keeper->clock_ns = now_ns;
        set_deadline(keeper, hit_deadline(keeper, plan, now_ns));
        if (deadline_of(keeper) <= now_ns) {
            set_flag(keeper);
        }
        pthread_cond_broadcast(&keeper->changed);
    }
    pthread_mutex_unlock(&keeper->lock);
}

void keeper_stop(Keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    keeper->is_held = false;
    set_flag(keeper);
    pthread_mutex_unlock(&keeper->lock);
}

void keeper_halt(Keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    set_flag(keeper);
    pthread_mutex_unlock(&keeper->lock);
}

/* The deadline may be moved by a ponderhit or a new limit meanwhile: the lock decides. */
void keeper_poll(Keeper *keeper) {
    int64_t now = clock_ns();
    if (now < deadline_of(keeper)) {
        return;
    }
    pthread_mutex_lock(&keeper->lock);
    if (now >= deadline_of(keeper)) {
        set_flag(keeper);
    }
    pthread_mutex_unlock(&keeper->lock);
}

KeeperView keeper_view(Keeper *keeper) {
    int64_t now = clock_ns();
    pthread_mutex_lock(&keeper->lock);
    KeeperView view = {.is_held = keeper->is_held,
                       .plan = keeper->plan,
                       .search_ms = i64_max(now - keeper->start_ns, 0) / NS_PER_MS,
                       .clock_ms = i64_max(now - keeper->clock_ns, 0) / NS_PER_MS};
    pthread_mutex_unlock(&keeper->lock);
    return view;
}

void keeper_limit(Keeper *keeper, int64_t ms) {
    pthread_mutex_lock(&keeper->lock);
    if (!keeper->is_held && keeper->plan.is_timed) {
        int64_t wanted = keeper->clock_ns + ms * NS_PER_MS;
        set_deadline(keeper, i64_min(wanted, plan_deadline(&keeper->plan, keeper->clock_ns)));
        pthread_cond_broadcast(&keeper->changed);
    }
    pthread_mutex_unlock(&keeper->lock);
}

void keeper_await_leave(Keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    while (keeper->is_held) {
        pthread_cond_wait(&keeper->changed, &keeper->lock);
    }
    pthread_mutex_unlock(&keeper->lock);
}

void keeper_end(Keeper *keeper) {
    pthread_mutex_lock(&keeper->lock);
    set_deadline(keeper, NEVER);
    pthread_mutex_unlock(&keeper->lock);
}
