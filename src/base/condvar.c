/* condvar.c: waits with the functions of system.h. With a replaced clock, each wait is a
 * millisecond long, because that clock may reach the deadline at any moment. */
#include "base/condvar.h"

#include "base/base.h"
#include "base/clock.h"
#include "base/system.h"

/* The length of a wait with a replaced clock, which may reach the deadline at any moment. */
#define LOOK_NS 1000000

void condvar_init(pthread_cond_t *cond) {
    system_cond_init(cond);
}

void condvar_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t deadline_ns) {
    system_cond_wait(cond, lock,
                     clock_is_replaced() ? LOOK_NS : i64_max(deadline_ns - clock_ns(), 0));
}
