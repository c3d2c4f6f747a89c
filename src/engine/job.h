/* job.h: runs long work in the background of a session, one piece at a time, so that the session
 * can still execute lines.
 *
 * Only the thread that executes lines may call these functions, except job_keepalive_is_due; only
 * `cancel` and `is_done` are shared with the work. */
#ifndef KMD_ENGINE_JOB_H
#define KMD_ENGINE_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void JobWork(void *context);

typedef struct Job {
    _Atomic bool cancel;  /* the work must end early */
    _Atomic bool is_done; /* the work has ended */
    bool is_started;      /* started and not yet joined */
    int64_t keepalive_ms; /* time of the last keep-alive, or of the start; only the work uses it */
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

/* The work calls this function from time to time. If it returns true, the work must send the client
 * a sign that the engine is alive, and the next one is due KEEPALIVE_MS (job.c) later. */
bool job_keepalive_is_due(Job *job);

#endif
