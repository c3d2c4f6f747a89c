/* clock.h: the monotonic clock, and waiting until a time. The clock never runs backwards and is not
 * tied to the time of day. Safe from every thread. */
#ifndef KMD_BASE_CLOCK_H
#define KMD_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS ((int64_t)1000000)

/* Nanoseconds since an arbitrary point in time that stays fixed while the process runs. */
int64_t clock_ns(void);

/* For tests: replaces the clock by the function `now_ns`, which must be callable from any thread.
 * NULL restores the system's clock. With a replaced clock, timed waits check the time every
 * millisecond. */
typedef int64_t ClockSource(void);
void clock_replace(ClockSource *now_ns);
bool clock_is_replaced(void);

/* The time of clock_ns in milliseconds, rounded down. */
int64_t clock_ms(void);

/* Nanoseconds of processor time used by the whole process so far. */
int64_t clock_cpu_ns(void);

/* Sleeps for at least `ms` milliseconds. Returns at once if `ms` is 0 or less. */
void clock_sleep_ms(int64_t ms);

/* Condition variables with a deadline on this clock, which pthreads alone do not offer on every
 * system. clock_init_cond initialises one; destroy it with pthread_cond_destroy. clock_wait_until
 * waits until signalled or until clock_ns() reaches deadline_ns; it may also wake spuriously. The
 * caller must hold `lock`. */
void clock_init_cond(pthread_cond_t *cond);
void clock_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns);

#endif
