/* clock.h: the monotonic clock. Never runs backwards, not tied to the time of day; safe from
 * every thread. */
#ifndef KMD_BASE_CLOCK_H
#define KMD_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds since an arbitrary start that is fixed for the process. */
int64_t clock_ns(void);

/* For tests: replaces the clock by `now_ns`, which any thread may call; NULL restores the system's
 * clock. With a replaced clock, timed waits check the time once a millisecond. */
typedef int64_t ClockSource(void);
void clock_replace(ClockSource *now_ns);
bool clock_is_replaced(void);

/* Milliseconds on the same scale, rounded down. */
int64_t clock_ms(void);

/* Nanoseconds of processor time used by the whole process so far. */
int64_t clock_cpu_ns(void);

/* Sleeps at least `ms` milliseconds; 0 or less returns at once. */
void clock_sleep_ms(int64_t ms);

#endif
