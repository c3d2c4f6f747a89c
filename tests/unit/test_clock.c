#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "unit.h"

static void test_never_runs_backwards(void) {
    int64_t before = clock_ns();
    int backward_steps = 0;
    for (int i = 0; i < 10000; i++) {
        int64_t now = clock_ns();
        backward_steps += now < before;
        before = now;
    }
    CHECK_INT(backward_steps, 0);
}

static void test_units_agree(void) {
    int64_t ns = clock_ns();
    int64_t ms = clock_ms();
    CHECK(ms >= ns / 1000000);
    CHECK(ms <= clock_ns() / 1000000);
}

static void test_sleep_is_at_least_as_long(void) {
    int64_t start = clock_ns();
    clock_sleep_ms(20);
    CHECK(clock_ns() - start >= 20 * (int64_t)1000000);
    start = clock_ns();
    clock_sleep_ms(0);
    clock_sleep_ms(-5);
    CHECK_TIMELY(clock_ns() - start < (int64_t)5000000000);
}

static void test_cpu_time_counts_work(void) {
    /* On some systems the CPU time advances in steps of a hundredth of a second or more. */
    int64_t start = clock_cpu_ns();
    int64_t end_ns = clock_ns() + (int64_t)100 * 1000000;
    while (clock_ns() < end_ns) {
    }
    CHECK(clock_cpu_ns() > start);
}

static int64_t noon(void) {
    return (int64_t)12 * 3600 * 1000000000;
}

static void test_can_be_replaced(void) {
    clock_replace(noon);
    CHECK(clock_is_replaced());
    CHECK_INT(clock_ms(), 12 * 3600 * 1000);
    clock_replace(NULL);
    CHECK(!clock_is_replaced());
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

#define MS ((int64_t)1000000)

typedef struct Bell {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    bool is_rung;
} Bell;

static void bell_init(Bell *bell) {
    *bell = (Bell){.is_rung = false};
    pthread_mutex_init(&bell->lock, NULL);
    clock_init_cond(&bell->rung);
}

static void bell_free(Bell *bell) {
    pthread_cond_destroy(&bell->rung);
    pthread_mutex_destroy(&bell->lock);
}

/* Waits, and returns the nanoseconds until the signal or the deadline. */
static int64_t wait_for_bell(Bell *bell, int64_t most_ns) {
    int64_t start = clock_ns();
    pthread_mutex_lock(&bell->lock);
    while (!bell->is_rung && clock_ns() < start + most_ns) {
        clock_wait_until(&bell->rung, &bell->lock, start + most_ns);
    }
    pthread_mutex_unlock(&bell->lock);
    return clock_ns() - start;
}

static void test_time(void) {
    Bell bell;
    bell_init(&bell);
    int64_t took = wait_for_bell(&bell, 50 * MS);
    CHECK(took >= 50 * MS);
    CHECK_TIMELY(took < 2000 * MS);
    CHECK_TIMELY(wait_for_bell(&bell, -5 * MS) < 1000 * MS);
    bell_free(&bell);
}

/* Waiting uses no processor time. If the deadline were on the wrong clock, the wait would be a busy
 * loop. */
static void test_idle(void) {
    Bell bell;
    bell_init(&bell);
    int64_t before = clock_cpu_ns();
    wait_for_bell(&bell, 200 * MS);
    CHECK(clock_cpu_ns() - before < 50 * MS);
    bell_free(&bell);
}

static void *ring(void *arg) {
    Bell *bell = arg;
    clock_sleep_ms(20);
    pthread_mutex_lock(&bell->lock);
    bell->is_rung = true;
    pthread_cond_signal(&bell->rung);
    pthread_mutex_unlock(&bell->lock);
    return NULL;
}

static void test_signal(void) {
    Bell bell;
    pthread_t thread;
    bell_init(&bell);
    CHECK_INT(pthread_create(&thread, NULL, ring, &bell), 0);
    CHECK(wait_for_bell(&bell, 600000 * MS) < 300000 * MS);
    pthread_join(thread, NULL);
    bell_free(&bell);
}

UNIT_MAIN({"a test can put its own in its place", test_can_be_replaced},
          {"the clock never runs backwards", test_never_runs_backwards},
          {"milliseconds and nanoseconds agree", test_units_agree},
          {"sleeping takes at least as long as asked", test_sleep_is_at_least_as_long},
          {"processor time grows with work", test_cpu_time_counts_work},
          {"a wait ends at its deadline", test_time}, {"a wait takes no processor time", test_idle},
          {"a signal ends a wait", test_signal})
