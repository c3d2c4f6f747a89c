/* The background thread of a session, and the empty lines during a long isready, with a simulated
 * clock. */
#include "engine/job.h"

#include "base/clock.h"
#include "unit.h"

static _Atomic int64_t now_ms;

static int64_t made_up(void) {
    return now_ms * 1000000;
}

static void do_nothing(void *context) {
    (void)context;
}

/* Starts work at this time. */
static void begin(Job *job, int64_t ms) {
    now_ms = ms;
    job_start(job, do_nothing, NULL);
    job_wait(job);
}

static bool is_due_at(Job *job, int64_t ms) {
    now_ms = ms;
    return job_keepalive_is_due(job);
}

/* The job is asked in each millisecond of a minute. */
static void every_five_seconds(void) {
    Job job = {.is_started = false};
    const int64_t start = 123456;
    int count = 0;
    clock_replace(made_up);
    begin(&job, start);
    for (int64_t ms = 0; ms <= 60000; ms++) {
        if (is_due_at(&job, start + ms)) {
            count++;
            CHECK_INT(ms, 5000 * count);
        }
    }
    CHECK_INT(count, 12);
    clock_replace(NULL);
}

/* After a long silence one line is enough, and the next is due five seconds later. */
static void none_is_made_up_for(void) {
    Job job = {.is_started = false};
    clock_replace(made_up);
    begin(&job, 0);
    CHECK(is_due_at(&job, 21000));
    CHECK(!is_due_at(&job, 21001));
    CHECK(!is_due_at(&job, 25999));
    CHECK(is_due_at(&job, 26000));
    /* Another isready starts a new interval. */
    begin(&job, 28000);
    CHECK(!is_due_at(&job, 32999));
    CHECK(is_due_at(&job, 33000));
    clock_replace(NULL);
}

static void wait_for_cancel(void *context) {
    const Job *job = context;
    while (!job->cancel) {
        clock_sleep_ms(1);
    }
}

static void ends_early(void) {
    Job job = {.is_started = false};
    job_start(&job, wait_for_cancel, &job);
    CHECK(job_is_busy(&job));
    job_cancel(&job);
    job_wait(&job);
    CHECK(!job_is_busy(&job) && job.is_done);
}

UNIT_MAIN({"every five seconds", every_five_seconds}, {"none is made up for", none_is_made_up_for},
          {"work ends early when cancelled", ends_early})
