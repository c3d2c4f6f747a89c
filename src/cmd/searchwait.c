#include "cmd/searchwait.h"

#include "base/clock.h"
#include "base/condvar.h"

#define LOOK_NS 50000000

void searchwait_init(SearchWait *wait) {
    *wait = (SearchWait){.is_done = false};
    pthread_mutex_init(&wait->lock, NULL);
    condvar_init(&wait->done);
}

void searchwait_free(SearchWait *wait) {
    pthread_cond_destroy(&wait->done);
    pthread_mutex_destroy(&wait->lock);
}

void searchwait_begin(SearchWait *wait) {
    wait->is_done = false;
}

void searchwait_note(void *context, const SearchResult *result) {
    SearchWait *wait = context;
    pthread_mutex_lock(&wait->lock);
    wait->result = *result;
    wait->is_done = true;
    pthread_cond_signal(&wait->done);
    pthread_mutex_unlock(&wait->lock);
}

bool searchwait_look(SearchWait *wait) {
    int64_t deadline_ns = clock_ns() + LOOK_NS;
    pthread_mutex_lock(&wait->lock);
    while (!wait->is_done && clock_ns() < deadline_ns) {
        condvar_wait_until(&wait->done, &wait->lock, deadline_ns);
    }
    bool is_done = wait->is_done;
    pthread_mutex_unlock(&wait->lock);
    return is_done;
}
