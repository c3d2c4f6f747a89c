#include "base/condvar.h"

#include <time.h>

#include "base/base.h"
#include "base/clock.h"

#define NS_PER_S ((int64_t)1000000000)

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
    struct timespec left = timespec_of(i64_max(deadline_ns - clock_ns(), 0));
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
    pthread_cond_timedwait(cond, lock, &until);
}

#endif
