#include "base/condvar.h"

#include <time.h>

#include "base/base.h"
#include "base/clock.h"

#define NS_PER_S ((int64_t)1000000000)

/* A replaced clock may have come to the deadline at any moment. */
#define LOOK_NS 1000000

static struct timespec timespec_of(int64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

#if defined(_WIN32) || defined(__APPLE__)

/* The libraries of mingw-w64 and macOS know the wall clock only here, which may be set back, but
 * can wait for a length of time. */
void condvar_init(pthread_cond_t *cond) {
    pthread_cond_init(cond, NULL);
}

void condvar_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns) {
    int64_t left_ns = clock_is_replaced() ? LOOK_NS : i64_max(deadline_ns - clock_ns(), 0);
    struct timespec left = timespec_of(left_ns);
    pthread_cond_timedwait_relative_np(cond, lock, &left);
}

#else

void condvar_init(pthread_cond_t *cond) {
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void condvar_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns) {
    struct timespec until = timespec_of(deadline_ns);
    if (clock_is_replaced()) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until = timespec_of(until.tv_sec * NS_PER_S + until.tv_nsec + LOOK_NS);
    }
    pthread_cond_timedwait(cond, lock, &until);
}

#endif
