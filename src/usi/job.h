/* job.h: long work in the background of a session, one piece at a time, so that the session can
 * still execute lines.
 *
 * All functions are for the thread that executes lines; only `cancel` and `is_done` are shared with
 * the work. */
#ifndef KMD_USI_JOB_H
#define KMD_USI_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef void JobWork(void *context);

typedef struct Job {
    _Atomic bool cancel;  /* the work is to end early */
    _Atomic bool is_done; /* it has ended */
    bool is_started;      /* and not yet joined */
    pthread_t thread;
    JobWork *work;
    void *context;
} Job;

/* Starts the work after waiting for the one before; where the system gives no thread, does it
 * here. context must stay until job_wait. */
void job_start(Job *job, JobWork *work, void *context);

/* Asks the work to end early. */
void job_cancel(Job *job);

/* Waits for the end of the work. */
void job_wait(Job *job);

/* True while the work continues. */
bool job_is_busy(const Job *job);

#endif
