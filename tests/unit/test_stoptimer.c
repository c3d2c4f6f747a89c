/* The stop flag of a search and the thread that sets it. */
#include "search/stoptimer.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "unit.h"

#define SOON_MS unit_patience_ms(2000)

static const TimePlan endless = {.is_timed = false};
static const TimeOptions usual = {.slow_mover = 100};

static TimePlan plan_of(int64_t ms) {
    return (TimePlan){.is_timed = true, .least_ms = ms, .soft_ms = ms, .hard_ms = ms};
}

/* A simulated clock, so a busy machine does not matter. */
static _Atomic int64_t test_ns = (int64_t)1000000000000;

static int64_t test_clock(void) {
    return atomic_load(&test_ns);
}

static void pass_ms(int64_t ms) {
    atomic_fetch_add(&test_ns, ms * 1000000);
}

/* The number of milliseconds until the flag is set; -1 if it takes more than `most`. */
static int64_t wait_for_flag(const StopTimer *timer, int64_t most) {
    int64_t start = clock_ms();
    while (!stoptimer_is_stopped(timer)) {
        if (clock_ms() - start > most) {
            return -1;
        }
        pass_ms(1);
        clock_sleep_ms(1);
    }
    return clock_ms() - start;
}

static void deadlines(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = plan_of(50);
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    CHECK(!stoptimer_is_stopped(&timer));
    int64_t took = wait_for_flag(&timer, SOON_MS);
    CHECK(took >= 45);
    /* The next search starts with a cleared flag, and time that has passed already counts. */
    stoptimer_begin(&timer, &plan, clock_ns() - 1000000000, false);
    CHECK(wait_for_flag(&timer, SOON_MS) >= 0);
    stoptimer_begin(&timer, &endless, clock_ns(), false);
    CHECK_INT(wait_for_flag(&timer, 100), -1);
    stoptimer_stop(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    stoptimer_free(&timer);
}

static void holding(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = plan_of(30);
    stoptimer_begin(&timer, &plan, clock_ns(), true);
    CHECK_INT(wait_for_flag(&timer, 100), -1);
    CHECK(stoptimer_is_held(&timer));
    /* The times of the ponderhit's plan count from the ponderhit on. */
    plan = plan_of(50);
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(!stoptimer_is_held(&timer));
    stoptimer_await_release(&timer);
    CHECK(wait_for_flag(&timer, SOON_MS) >= 40);
    stoptimer_end(&timer);
    /* a stop also releases a held answer */
    stoptimer_begin(&timer, &plan, clock_ns(), true);
    stoptimer_stop(&timer);
    stoptimer_await_release(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    /* Its plan never took effect, so the answer is not late. */
    CHECK(!stoptimer_is_timed(&timer));
    stoptimer_end(&timer);
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    stoptimer_stop(&timer);
    CHECK(stoptimer_is_timed(&timer));
    stoptimer_free(&timer);
}

/* When a search has finished, all its workers stop, but the answer is still held. */
static void halting(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = plan_of(50);
    stoptimer_begin(&timer, &endless, clock_ns(), true);
    stoptimer_halt(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    CHECK(stoptimer_is_held(&timer));
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(!stoptimer_is_held(&timer));
    CHECK(stoptimer_is_stopped(&timer));
    stoptimer_await_release(&timer);
    stoptimer_begin(&timer, &endless, clock_ns(), true);
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_halt(&timer);
    stoptimer_stop(&timer);
    stoptimer_await_release(&timer);
    CHECK(!stoptimer_is_held(&timer));
    stoptimer_free(&timer);
}

/* A search on the caller's thread checks whether the caller still wants an answer. */
static void cancelling(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    _Atomic bool cancel = false;
    stoptimer_begin(&timer, &endless, clock_ns(), false);
    stoptimer_watch(&timer, &cancel);
    stoptimer_poll(&timer);
    CHECK(!stoptimer_is_stopped(&timer));
    cancel = true;
    stoptimer_poll(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    /* The next search does not check this flag. */
    stoptimer_begin(&timer, &endless, clock_ns(), false);
    stoptimer_poll(&timer);
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_free(&timer);
}

static void long_ponder(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = {.is_timed = true, .soft_ms = 100, .hard_ms = 60000};
    stoptimer_begin(&timer, &plan, clock_ns() - 200000000, true);
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(stoptimer_is_stopped(&timer));
    /* The search uses the time of its own clock that would be lost otherwise, and no more. */
    plan.least_ms = 60;
    stoptimer_begin(&timer, &plan, clock_ns() - 200000000, true);
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(!stoptimer_is_stopped(&timer));
    CHECK(wait_for_flag(&timer, SOON_MS) >= 50);
    /* Short pondering does not change the plan. */
    plan.soft_ms = 1000;
    stoptimer_begin(&timer, &plan, clock_ns() - 200000000, true);
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK_INT(wait_for_flag(&timer, 100), -1);
    stoptimer_free(&timer);
}

/* A ponderhit has the same effect as the end of an iteration without pondering. */
static void settled_while_held(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = {
        .is_timed = true, .may_be_short = true, .least_ms = 500, .soft_ms = 1000, .hard_ms = 60000};
    TimeFeedback stable = {.stable_iterations = 9, .best_share = 1};
    TimeFeedback changing = {.score_drop = 100};
    /* More time would not change the result. */
    stoptimer_begin(&timer, &plan, clock_ns(), true);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &stable, true));
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(stoptimer_is_stopped(&timer));
    /* A requested minimum time is used in any case. */
    TimePlan fixed = plan_of(60000);
    stoptimer_begin(&timer, &fixed, clock_ns(), true);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &stable, true));
    stoptimer_ponderhit(&timer, &fixed, clock_ns());
    CHECK(!stoptimer_is_stopped(&timer));
    /* The search may need less or more time than the soft limit. */
    plan.least_ms = 0;
    stoptimer_begin(&timer, &plan, clock_ns() - 800000000, true);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &changing, false));
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &stable, false));
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(stoptimer_is_stopped(&timer));
    stoptimer_begin(&timer, &plan, clock_ns() - 1200000000, true);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &changing, false));
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(!stoptimer_is_stopped(&timer));
    /* The next search starts without the data of this one. */
    stoptimer_begin(&timer, &plan, clock_ns() - 800000000, true);
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_free(&timer);
}

/* After an iteration the search ends when its time is used or the move is clear. */
static void ends_of_iterations(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = {.is_timed = true, .may_be_short = true, .soft_ms = 1000, .hard_ms = 60000};
    TimeFeedback stable = {.stable_iterations = 9, .best_share = 1};
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &stable, false));
    CHECK(!stoptimer_is_stopped(&timer));
    pass_ms(1000);
    CHECK(stoptimer_ends_iteration(&timer, &usual, &stable, false));
    CHECK(wait_for_flag(&timer, SOON_MS) >= 0); /* the other workers stop, too */
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    CHECK(stoptimer_ends_iteration(&timer, &usual, &stable, true));
    /* A fixed time is used up. */
    plan = plan_of(60000);
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    CHECK(!stoptimer_ends_iteration(&timer, &usual, &stable, true));
    stoptimer_free(&timer);
}

/* Late answers are remembered for the rest of the game. */
static void overruns(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    TimePlan plan = plan_of(1000);
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    pass_ms(1100);
    stoptimer_end(&timer);
    CHECK_INT(stoptimer_overrun_ms(&timer), 100);
    stoptimer_begin(&timer, &endless, clock_ns(), false);
    stoptimer_end(&timer);
    CHECK_INT(stoptimer_overrun_ms(&timer), 100);
    stoptimer_new_game(&timer);
    CHECK_INT(stoptimer_overrun_ms(&timer), 0);
    stoptimer_free(&timer);
}

/* Without a timer thread, polling has the same effect. */
static void without_a_thread(void) {
    StopTimer timer;
    stoptimer_init(&timer);
    pthread_mutex_lock(&timer.lock);
    timer.is_closing = true;
    pthread_cond_broadcast(&timer.changed);
    pthread_mutex_unlock(&timer.lock);
    pthread_join(timer.thread, NULL);
    timer.has_thread = false;
    TimePlan plan = plan_of(30);
    stoptimer_begin(&timer, &plan, clock_ns(), false);
    stoptimer_poll(&timer);
    CHECK(!stoptimer_is_stopped(&timer));
    pass_ms(60);
    clock_sleep_ms(5);
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_poll(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    /* Nothing is due while the search is held; then the time of the ponderhit counts. */
    stoptimer_begin(&timer, &plan, clock_ns() - 1000000000, true);
    stoptimer_poll(&timer);
    CHECK(!stoptimer_is_stopped(&timer));
    stoptimer_ponderhit(&timer, &plan, clock_ns());
    pass_ms(40);
    stoptimer_poll(&timer);
    CHECK(stoptimer_is_stopped(&timer));
    stoptimer_free(&timer);
}

int main(int argc, char **argv) {
    static const UnitTest tests[] = {{"deadlines", deadlines},
                                     {"holding until stop or ponderhit", holding},
                                     {"halting", halting},
                                     {"cancelling", cancelling},
                                     {"a ponder that was long enough", long_ponder},
                                     {"settled while held", settled_while_held},
                                     {"ends of iterations", ends_of_iterations},
                                     {"overruns", overruns},
                                     {"without a thread", without_a_thread}};
    clock_replace(test_clock);
    return unit_run(tests, (int)COUNTOF(tests), argc, argv);
}
