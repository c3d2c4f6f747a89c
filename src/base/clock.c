/* clock.c: reads the system's clocks, or the replacement that a test has installed. */
#include "base/clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "base/base.h"
#include "base/system.h"

#define NS_PER_S ((int64_t)1000000000)

static int64_t read_clock(clockid_t id) {
    struct timespec now = {0, 0};
    clock_gettime(id, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* The source of time; NULL: the system. Only tests set it. */
static _Atomic(ClockSource *) source;

void clock_replace(ClockSource *now_ns) {
    atomic_store_explicit(&source, now_ns, memory_order_release);
}

bool clock_is_replaced(void) {
    return atomic_load_explicit(&source, memory_order_relaxed) != NULL;
}

int64_t clock_ns(void) {
    ClockSource *now_ns = atomic_load_explicit(&source, memory_order_acquire);
    return now_ns != NULL ? now_ns() : read_clock(CLOCK_MONOTONIC);
}

int64_t clock_ms(void) {
    return clock_ns() / NS_PER_MS;
}

int64_t clock_cpu_ns(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_sleep_ms(int64_t ms) {
    if (ms <= 0) {
        return;
    }
    struct timespec left = {.tv_sec = (time_t)(ms / 1000),
                            .tv_nsec = (long)(ms % 1000 * NS_PER_MS)};
    /* A signal handler ends the sleep early; `left` is then the remaining time. */
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

void clock_init_cond(pthread_cond_t *cond) {
    system_cond_init(cond);
}

/* With a replaced clock, each wait is a millisecond long, because that clock may reach the deadline
 * at any moment. */
void clock_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns) {
    system_cond_wait(cond, lock,
                     clock_is_replaced() ? NS_PER_MS : i64_max(deadline_ns - clock_ns(), 0));
}
