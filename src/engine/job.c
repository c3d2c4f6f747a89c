/* job.c: starts and joins the thread of one background command. */
#include "engine/job.h"

#include "base/clock.h"

/* Some clients give up after 30 s of silence. */
enum { KEEPALIVE_MS = 5000 };

static void *run(void *arg) {
    Job *job = arg;
    job->work(job->context);
    atomic_store(&job->is_done, true);
    return NULL;
}

void job_start(Job *job, JobWork *work, void *context) {
    job_wait(job);
    atomic_store(&job->cancel, false);
    atomic_store(&job->is_done, false);
    job->work = work;
    job->context = context;
    job->keepalive_ms = clock_ms();
    job->is_started = pthread_create(&job->thread, NULL, run, job) == 0;
    if (!job->is_started) {
        run(job);
    }
}

void job_cancel(Job *job) {
    atomic_store(&job->cancel, true);
}

void job_wait(Job *job) {
    if (job->is_started) {
        pthread_join(job->thread, NULL);
        job->is_started = false;
    }
}

bool job_is_busy(const Job *job) {
    return job->is_started && !atomic_load(&job->is_done);
}

bool job_keepalive_is_due(Job *job) {
    int64_t now = clock_ms();
    bool is_due = now - job->keepalive_ms >= KEEPALIVE_MS;
    if (is_due) {
        job->keepalive_ms = now;
    }
    return is_due;
}
