/* parallel.h: runs one task on several threads and waits for all of them. Used for perft, for
 * clearing tables and for generating data.
 *
 * The search uses its own long-lived threads instead (search/pool.h). No state: safe from every
 * thread, even from within such a task. */
#ifndef KMD_BASE_PARALLEL_H
#define KMD_BASE_PARALLEL_H

/* The part of the task that thread `index` does. */
typedef void ParallelWork(void *context, int index);

/* Calls work(context, 0) to work(context, threads - 1), each on its own thread (index 0 on the
 * calling thread), and returns when all of them have returned. What they wrote is then visible to
 * the caller. threads >= 1. If the system provides fewer threads, the remaining calls run one after
 * another on the calling thread; therefore no call may wait for another. */
void parallel_run(int threads, ParallelWork *work, void *context);

#endif
