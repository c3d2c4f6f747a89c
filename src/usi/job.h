/* job.h: runs long work in the background of a session, one piece at a time, so that the session
 * can still execute lines.
 *
 * Only the thread that executes lines may call these functions, except job_owes_sign; only `cancel`
 * and `is_done` are shared with the work. */
#ifndef KMD_USI_JOB_H
#define KMD_USI_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void JobWork(void *context);

typedef struct Job {
    _Atomic bool cancel;  /* the work must end early */
    _Atomic bool is_done; /* the work has ended */
    bool is_started;      /* started and not yet joined */
    int64_t sign_ms;      /* when the client last heard from the engine; only the work uses it */
    pthread_t thread;
    JobWork *work;
    void *context;
} Job;

/* Waits for the previous work, then starts this work on a thread or, if the system provides none,
 * runs it directly. `context` must remain valid until job_wait. */
void job_start(Job *job, JobWork *work, void *context);

/* Asks the work to end early. */
void job_cancel(Job *job);

/* Waits for the end of the work. */
void job_wait(Job *job);

/* True while the work continues. */
bool job_is_busy(const Job *job);

/* The work calls this function from time to time. The result is true if a waiting client needs a
 * sign that the engine is alive; the work must then send one. */
bool job_owes_sign(Job *job);

#endif
