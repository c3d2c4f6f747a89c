/* parallel.c: runs each part on its own thread, the first one on the caller's thread. If a thread
 * cannot be started, its part also runs on the caller's thread. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/xmem.h"

/* Enough stack for a deep search. musl and macOS give threads far less by default. */
#define STACK_BYTES ((size_t)8 << 20)

typedef struct ParallelTask {
    ParallelWork *work;
    void *context;
    int index;
    pthread_t thread;
    bool is_running;
} ParallelTask;

static void *run_task(void *arg) {
    ParallelTask *task = arg;
    task->work(task->context, task->index);
    return NULL;
}

void parallel_run(int threads, ParallelWork *work, void *context) {
    ASSERT(threads >= 1);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    ParallelTask *tasks = xmem_calloc((size_t)threads, sizeof(ParallelTask));
    for (int i = 1; i < threads; i++) {
        ParallelTask *task = &tasks[i];
        *task = (ParallelTask){.work = work, .context = context, .index = i};
        task->is_running = pthread_create(&task->thread, &attr, run_task, task) == 0;
    }
    pthread_attr_destroy(&attr);
    work(context, 0);
    for (int i = 1; i < threads; i++) {
        if (tasks[i].is_running) {
            pthread_join(tasks[i].thread, NULL);
        } else {
            work(context, i);
        }
    }
    free(tasks);
}
