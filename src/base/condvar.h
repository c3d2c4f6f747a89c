/* condvar.h: condition variables that wait until a time of clock_ns, which pthreads alone cannot do
 * on every system.
 *
 * They are pthread_cond_t and follow its rules: any number of threads may wait, each holding the
 * lock. */
#ifndef KMD_BASE_CONDVAR_H
#define KMD_BASE_CONDVAR_H

#include <pthread.h>
#include <stdint.h>

/* For use with condvar_wait_until; pthread_cond_destroy ends it. */
void condvar_init(pthread_cond_t *cond);

/* Waits, with `lock` held, until signalled or until clock_ns() reaches deadline_ns; may also wake
 * for no reason. */
void condvar_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns);

#endif
