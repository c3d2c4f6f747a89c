/* Tests how long a mate search continues after it was stopped. The time is measured as processor
 * time of the searching thread, including page faults, so other programs do not matter. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/xmem.h"
#include "mate/matesolver.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

typedef struct Job {
    MateSolver *solver;
    Position pos;
    atomic_bool stop;
    atomic_bool is_running;
    int64_t end_cpu_ns;
    MateAnswer answer;
} Job;

/* The processor time of a thread; INT64_MAX if the thread has ended. */
static int64_t cpu_ns(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) {
        return INT64_MAX;
    }
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Finds the clock of a thread. Returns false if the system has no such clock. */
static bool find_clock(pthread_t thread, clockid_t *clock) {
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return pthread_getcpuclockid(thread, clock) == 0;
}

static void *solve(void *arg) {
    Job *job = arg;
    MateSolverOptions options = {.stop = &job->stop};
    atomic_store(&job->is_running, true);
    matesolver_solve(job->solver, &job->pos, &options, &job->answer);
    job->end_cpu_ns = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

/* Stops a search that has run for `cpu_us` of processor time. Returns the time it then needed. */
static int64_t stop_after(Job *job, int cpu_us) {
    atomic_store(&job->stop, false);
    atomic_store(&job->is_running, false);
    pthread_t thread;
    clockid_t clock;
    if (!CHECK_INT(pthread_create(&thread, NULL, solve, job), 0)) {
        return 0;
    }
    while (!atomic_load(&job->is_running)) {
        clock_sleep_ms(0);
    }
    CHECK(find_clock(thread, &clock));
    while (cpu_ns(clock) < (int64_t)cpu_us * 1000) {
        clock_sleep_ms(0);
    }
    atomic_store(&job->stop, true);
    int64_t spent_ns = cpu_ns(clock);
    pthread_join(thread, NULL);
    CHECK_INT(job->answer.verdict, MATE_UNKNOWN);
    return job->end_cpu_ns > spent_ns ? job->end_cpu_ns - spent_ns : 0;
}

static void test_stop(void) {
    clockid_t clock;
    if (!find_clock(pthread_self(), &clock)) {
        unit_skip("the system does not tell the processor time of another thread");
        return;
    }
    const char *mode = getenv("KOMADORI_MODE");
    bool is_slow = mode != NULL && strcmp(mode, "release") != 0;
    size_t bytes = (size_t)(unit_wants_all() ? 1024 : 128) << 20;
    int rounds = unit_wants_all() ? 1000 : 60;
    Job *job = xmem_calloc(1, sizeof(*job));
    pos_init(&job->pos);
    CHECK_INT(pos_set_sfen(&job->pos, SV("4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"), NULL),
              KMD_OK);
    int64_t worst_ns = 0;
    int64_t sum_ns = 0;
    for (int i = 0; i < rounds; i++) {
        /* Use a new table from time to time, because the first accesses to a table are the
         * slowest. */
        if (i % 20 == 0) {
            matesolver_free(job->solver);
            job->solver = matesolver_new(bytes, 1);
        }
        int64_t after_ns = stop_after(job, i * 7919 % 20000);
        worst_ns = after_ns > worst_ns ? after_ns : worst_ns;
        sum_ns += after_ns;
    }
    printf("    %d stops: %.2f ms on average, %.2f ms at worst\n", rounds,
           (double)sum_ns / rounds / 1e6, (double)worst_ns / 1e6);
    CHECK_TIMELY(worst_ns < (is_slow ? 100 : 10) * (int64_t)1000000);
    matesolver_free(job->solver);
    pos_free(&job->pos);
    free(job);
}

UNIT_MAIN({"a stopped search ends within 10 ms of its own time", test_stop})
