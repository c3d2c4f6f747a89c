/* Tests waiting on the clock: a wait must not end too early or much too late, and a signal must end
 * it. */

#include <stdbool.h>

#include "base/base.h"
#include "base/clock.h"
#include "unit.h"

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

UNIT_MAIN({"time", test_time}, {"idle", test_idle}, {"signal", test_signal})
