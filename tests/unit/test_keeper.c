/* The stop flag of a search and the thread that sets it in time. */
#include "search/keeper.h"

#include "base/clock.h"
#include "unit.h"

#define SOON_MS 2000 /* a busy machine may be late; a hang is later */

static const TimePlan endless = {.is_timed = false};

static TimePlan plan_of(int64_t ms) {
    return (TimePlan){.is_timed = true, .least_ms = ms, .soft_ms = ms, .hard_ms = ms};
}

/* Milliseconds until the flag is set; -1 when it is not within `most`. */
static int64_t wait_for_flag(const Keeper *keeper, int64_t most) {
    int64_t start = clock_ms();
    while (!keeper_is_stopped(keeper)) {
        if (clock_ms() - start > most) {
            return -1;
        }
        clock_sleep_ms(1);
    }
    return clock_ms() - start;
}

static void deadlines(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = plan_of(50);
    keeper_begin(&keeper, &plan, clock_ns(), false);
    CHECK(!keeper_is_stopped(&keeper));
    int64_t took = wait_for_flag(&keeper, SOON_MS);
    CHECK(took >= 45);
    /* The next search starts with a cleared flag, and time that has passed already counts. */
    keeper_begin(&keeper, &plan, clock_ns() - 1000000000, false);
    CHECK(wait_for_flag(&keeper, SOON_MS) >= 0);
    keeper_begin(&keeper, &endless, clock_ns(), false);
    CHECK_INT(wait_for_flag(&keeper, 100), -1);
    keeper_stop(&keeper);
    CHECK(keeper_is_stopped(&keeper));
    keeper_free(&keeper);
}

static void holding(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = plan_of(30);
    keeper_begin(&keeper, &plan, clock_ns(), true);
    CHECK_INT(wait_for_flag(&keeper, 100), -1);
    CHECK(keeper_view(&keeper).is_held);
    /* The plan of the hit counts from the hit on. */
    plan = plan_of(50);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(!keeper_view(&keeper).is_held);
    keeper_await_leave(&keeper);
    CHECK(wait_for_flag(&keeper, SOON_MS) >= 40);
    keeper_end(&keeper);
    /* stop lets go as well */
    keeper_begin(&keeper, &plan, clock_ns(), true);
    keeper_stop(&keeper);
    keeper_await_leave(&keeper);
    CHECK(keeper_is_stopped(&keeper));
    keeper_free(&keeper);
}

/* A search that has come to its end stops all who search, and is answered no sooner for that. */
static void halting(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = plan_of(50);
    keeper_begin(&keeper, &endless, clock_ns(), true);
    keeper_halt(&keeper);
    CHECK(keeper_is_stopped(&keeper));
    CHECK(keeper_view(&keeper).is_held);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(!keeper_view(&keeper).is_held);
    CHECK(keeper_is_stopped(&keeper));
    keeper_await_leave(&keeper);
    keeper_begin(&keeper, &endless, clock_ns(), true);
    CHECK(!keeper_is_stopped(&keeper));
    keeper_halt(&keeper);
    keeper_stop(&keeper);
    keeper_await_leave(&keeper);
    CHECK(!keeper_view(&keeper).is_held);
    keeper_free(&keeper);
}

static void long_ponder(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = {.is_timed = true, .soft_ms = 100, .hard_ms = 60000};
    keeper_begin(&keeper, &plan, clock_ns() - 200000000, true);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(keeper_is_stopped(&keeper));
    /* What would be lost of the own time is used all the same, and no more. */
    plan.least_ms = 60;
    keeper_begin(&keeper, &plan, clock_ns() - 200000000, true);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(!keeper_is_stopped(&keeper));
    CHECK(wait_for_flag(&keeper, SOON_MS) >= 50);
    /* Too short a ponder leaves the plan as it is. */
    plan.soft_ms = 1000;
    keeper_begin(&keeper, &plan, clock_ns() - 200000000, true);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK_INT(wait_for_flag(&keeper, 100), -1);
    keeper_free(&keeper);
}

/* A hit is met as the end of an iteration would be without a ponder. */
static void settled_while_held(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = {
        .is_timed = true, .may_be_short = true, .least_ms = 500, .soft_ms = 1000, .hard_ms = 60000};
    TimeFeedback stable = {.stable_iterations = 9, .best_share = 1};
    TimeFeedback changing = {.score_drop = 100};
    /* More time would change nothing. */
    keeper_begin(&keeper, &plan, clock_ns(), true);
    keeper_note(&keeper, &stable, true);
    CHECK(!keeper_is_stopped(&keeper));
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(keeper_is_stopped(&keeper));
    /* But a time that was asked for is used. */
    TimePlan fixed = plan_of(60000);
    keeper_begin(&keeper, &fixed, clock_ns(), true);
    keeper_note(&keeper, &stable, true);
    keeper_hit(&keeper, &fixed, clock_ns());
    CHECK(!keeper_is_stopped(&keeper));
    /* Less than the soft limit was enough, or more is wanted. */
    plan.least_ms = 0;
    keeper_begin(&keeper, &plan, clock_ns() - 800000000, true);
    keeper_note(&keeper, &changing, false);
    keeper_note(&keeper, &stable, false);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(keeper_is_stopped(&keeper));
    keeper_begin(&keeper, &plan, clock_ns() - 1200000000, true);
    keeper_note(&keeper, &changing, false);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(!keeper_is_stopped(&keeper));
    /* The next search knows nothing of it. */
    keeper_begin(&keeper, &plan, clock_ns() - 800000000, true);
    keeper_hit(&keeper, &plan, clock_ns());
    CHECK(!keeper_is_stopped(&keeper));
    keeper_free(&keeper);
}

static void limits(void) {
    Keeper keeper;
    keeper_init(&keeper);
    TimePlan plan = plan_of(60000);
    keeper_begin(&keeper, &plan, clock_ns(), false);
    keeper_limit(&keeper, 40);
    CHECK(wait_for_flag(&keeper, SOON_MS) >= 30);
    plan = plan_of(60);
    keeper_begin(&keeper, &plan, clock_ns(), false);
    keeper_limit(&keeper, 100000); /* never beyond the plan */
    CHECK(wait_for_flag(&keeper, SOON_MS) >= 40);
    keeper_free(&keeper);
}

/* Without its thread the keeper is as good as those who poll it. */
static void without_a_thread(void) {
    Keeper keeper;
    keeper_init(&keeper);
    pthread_mutex_lock(&keeper.lock);
    keeper.is_closing = true;
    pthread_cond_broadcast(&keeper.changed);
    pthread_mutex_unlock(&keeper.lock);
    pthread_join(keeper.thread, NULL);
    keeper.has_thread = false;
    TimePlan plan = plan_of(30);
    keeper_begin(&keeper, &plan, clock_ns(), false);
    keeper_poll(&keeper);
    CHECK(!keeper_is_stopped(&keeper));
    CHECK_INT(wait_for_flag(&keeper, 60), -1);
    keeper_poll(&keeper);
    CHECK(keeper_is_stopped(&keeper));
    /* Nothing is due while held, and the time of the hit counts. */
    keeper_begin(&keeper, &plan, clock_ns() - 1000000000, true);
    keeper_poll(&keeper);
    CHECK(!keeper_is_stopped(&keeper));
    keeper_hit(&keeper, &plan, clock_ns());
    clock_sleep_ms(40);
    keeper_poll(&keeper);
    CHECK(keeper_is_stopped(&keeper));
    keeper_free(&keeper);
}

UNIT_MAIN({"deadlines", deadlines}, {"holding until stop or ponderhit", holding},
          {"halting", halting}, {"a ponder that was long enough", long_ponder},
          {"settled while held", settled_while_held}, {"limits within the plan", limits},
          {"without a thread", without_a_thread})
