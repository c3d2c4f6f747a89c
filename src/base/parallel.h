/* parallel.h: runs one task on several threads and waits for its end: perft, clearing a table,
 * generating data.
 *
 * The search has threads of its own, which live longer (search/pool.h). No state: safe from every
 * thread, also within the task. */
#ifndef KMD_BASE_PARALLEL_H
#define KMD_BASE_PARALLEL_H

/* The work of thread `index`. */
typedef void ParallelWork(void *context, int index);

/* Calls work(context, 0) to work(context, threads - 1), each on its own thread (index 0 on the
 * calling one), and returns when all have returned; what they wrote is then visible to the caller.
 * threads >= 1. If the system provides fewer threads, the remaining calls run one after another on
 * the calling thread, so no call may wait for another index. */
void parallel_run(int threads, ParallelWork *work, void *context);

#endif
