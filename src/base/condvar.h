/* condvar.h: condition variables with a deadline on the clock of clock_ns. Pthreads alone do not
 * offer this on every system.
 *
 * The type is pthread_cond_t and its rules apply: any number of threads may wait, and each must
 * hold the lock when it begins to wait. */
#ifndef KMD_BASE_CONDVAR_H
#define KMD_BASE_CONDVAR_H

#include <pthread.h>
#include <stdint.h>

/* Initialises a condition variable for condvar_wait_until. Destroy it with pthread_cond_destroy. */
void condvar_init(pthread_cond_t *cond);

/* Waits until signalled or until clock_ns() reaches deadline_ns; may also wake spuriously. The
 * caller must hold `lock`. */
void condvar_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns);

#endif
