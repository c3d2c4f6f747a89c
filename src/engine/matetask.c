/* matetask.c: runs the solver on its own thread, with a timer, and passes its results to the
 * sink. */
#include "engine/matetask.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/meminfo.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "rules/position.h"
#include "search/stoptimer.h"

/* Deep mates need a deep stack. Some systems give threads less than this by default. */
#define STACK_BYTES   ((size_t)16 << 20)

#define INFO_EVERY_MS 1000

/* How often a waiting thread checks whether the search should end early. */
#define LOOK_NS 5000000

/* The size of the table if the system can spare less than a megabyte. */
#define MIN_BYTES ((size_t)1 << 16)

struct MateTask {
    StopTimer timer;
    MateSolver *solver;
    int hash_mb; /* the solver was created with this table size and with `threads` */
    int threads;
    int table_mb; /* actual size of the table */
    MateRequest request;
    Position pos;
    MateAnswer answer;
    HisshiAnswer brink;
    MateChecker *proof;
    bool has_table; /* the solver's table is that of the previous search */
    int64_t last_info_ms;
    pthread_t thread;
    bool is_started; /* the thread has been started and not yet joined */
    _Atomic bool is_done;
    pthread_mutex_t lock; /* guards has_ended */
    pthread_cond_t end;
    bool has_ended; /* on_done has returned */
};

MateTask *matetask_create(void) {
    MateTask *task = xmem_calloc(1, sizeof(*task));
    stoptimer_init(&task->timer);
    pos_init(&task->pos);
    pthread_mutex_init(&task->lock, NULL);
    clock_init_cond(&task->end);
    task->has_ended = true;
    return task;
}

void matetask_free(MateTask *task) {
    if (task == NULL) {
        return;
    }
    matetask_stop(task);
    matetask_wait(task);
    matesolver_free(task->solver);
    stoptimer_free(&task->timer);
    pos_free(&task->pos);
    pthread_cond_destroy(&task->end);
    pthread_mutex_destroy(&task->lock);
    free(task);
}

static int64_t time_since_start(const MateTask *task) {
    return (clock_ns() - task->request.start_ns) / NS_PER_MS;
}

/* True if the side to move in the problem defends. */
static bool is_defence(const MateTask *task) {
    const MateRequest *request = &task->request;
    return request->brink_moves == 0 && matetask_is_defence(&task->pos, &request->options);
}

static void on_progress(void *context, const MateProgress *progress) {
    MateTask *task = context;
    const MateSink *sink = &task->request.sink;
    int64_t now_ms = time_since_start(task);
    stoptimer_poll(&task->timer);
    if (sink->on_info != NULL && now_ms >= task->last_info_ms + INFO_EVERY_MS) {
        task->last_info_ms = now_ms;
        sink->on_info(sink->context, &(MateInfo){.depth = progress->depth,
                                                 .hash_permille = progress->hash_permille,
                                                 .nodes = progress->nodes,
                                                 .pn = progress->pn,
                                                 .dn = progress->dn,
                                                 .time_ms = now_ms,
                                                 .line = progress->line,
                                                 .line_len = progress->depth});
    }
}

static void on_mate(void *context, const MateAnswer *answer) {
    MateTask *task = context;
    const MateSink *sink = &task->request.sink;
    task->last_info_ms = time_since_start(task);
    if (sink->on_info != NULL) {
        sink->on_info(sink->context,
                      &(MateInfo){.depth = answer->len,
                                  .nodes = answer->nodes,
                                  .time_ms = task->last_info_ms,
                                  .mate = is_defence(task) ? -answer->len : answer->len,
                                  .rank = task->request.options.lines > 1 ? answer->rank : 0,
                                  .line = answer->line,
                                  .line_len = answer->line_len});
    }
}

static void note_other_mate(void *context, int place, Move check) {
    const MateSink *sink = &((MateTask *)context)->request.sink;
    if (sink->on_other != NULL) {
        sink->on_other(sink->context, place, check);
    }
}

static void look_for_mate(MateTask *task, MateDone *done, UniqueResult *unique) {
    const MateRequest *request = &task->request;
    MateSolverOptions options = {.is_defence = is_defence(task),
                                 .nodes = request->effort.nodes,
                                 .stop = &task->timer.stop,
                                 .options = request->options,
                                 .keeps_table = request->keeps_table && task->has_table,
                                 .lines_are_exact = request->lines_are_exact,
                                 .tell = on_mate,
                                 .tell_context = task,
                                 .proof = request->wants_proof ? &task->proof : NULL};
    matesolver_solve(task->solver, &task->pos, &options, &task->answer);
    task->has_table = true;
    done->proof = task->proof;
    if (request->options.checks_unique) {
        UniqueOptions judge = {.stop = &task->timer.stop,
                               .is_patient =
                                   request->effort.time_ms > 0 || request->effort.cpu_ms > 0,
                               .tell = note_other_mate,
                               .tell_context = task};
        *unique = matesolver_judge_unique(task->solver, &task->pos, &task->answer, &judge);
        done->unique = unique->fault != UNIQUE_NO_MATE ? unique : NULL;
    }
}

static void look_for_brinkmate(MateTask *task, MateDone *done) {
    const MateRequest *request = &task->request;
    HisshiAnswer *brink = &task->brink;
    HisshiOptions options = {.nodes = request->effort.nodes,
                             .stop = &task->timer.stop,
                             .moves = request->brink_moves,
                             .checks_unique = request->options.checks_unique,
                             .report = on_progress,
                             .report_context = task};
    hisshi_solve(matesolver_table(task->solver), &task->pos, &options, brink);
    task->has_table = false;
    MateAnswer *answer = &task->answer;
    answer->verdict = brink->verdict;
    answer->is_too_large = false;
    answer->is_exact = brink->is_exact;
    answer->has_players_len = false;
    answer->nodes = brink->nodes;
    answer->len = answer->line_len = brink->line_len;
    memcpy(answer->line, brink->line, sizeof(brink->line));
    done->brink = brink;
    done->proof = brink->proof;
}

static void *run_mate_task(void *arg) {
    MateTask *task = arg;
    const MateSink *sink = &task->request.sink;
    UniqueResult unique;
    MateDone done = {.answer = &task->answer, .is_defence = is_defence(task)};
    if (task->solver == NULL) {
        memset(&task->answer, 0, sizeof(task->answer));
        task->answer.verdict = MATE_UNKNOWN;
        done.lacks_memory = true;
    } else if (task->request.brink_moves > 0) {
        look_for_brinkmate(task, &done);
    } else {
        look_for_mate(task, &done, &unique);
    }
    stoptimer_end(&task->timer);
    atomic_store(&task->is_done, true);
    done.time_ms = time_since_start(task);
    sink->on_done(sink->context, &done);
    hisshi_clear(&task->brink);
    matecheck_free(task->proof);
    task->proof = NULL;
    pthread_mutex_lock(&task->lock);
    task->has_ended = true;
    pthread_cond_signal(&task->end);
    pthread_mutex_unlock(&task->lock);
    return NULL;
}

/* Creates the solver. If not even the smallest table fits, there is no solver. */
static void make_solver(MateTask *task, int hash_mb, int threads) {
    if (task->solver != NULL && task->hash_mb == hash_mb && task->threads == threads) {
        return;
    }
    matesolver_free(task->solver);
    task->solver = NULL;
    task->has_table = false;
    task->table_mb = hash_mb;
    while (task->table_mb > 0 && task->solver == NULL) {
        size_t bytes = (size_t)task->table_mb << 20;
        /* Check the available memory, because the solver will fill its table and the system may
         * promise more than it has. */
        task->solver = bytes <= meminfo_available() ? matesolver_new(bytes, threads) : NULL;
        task->table_mb /= task->solver != NULL ? 1 : 2;
    }
    if (task->solver == NULL) {
        task->solver = matesolver_new(MIN_BYTES, threads);
    }
    task->hash_mb = hash_mb;
    task->threads = threads;
    if (task->solver != NULL) {
        matesolver_on_progress(task->solver, on_progress, task);
    }
}

bool matetask_is_defence(const Position *pos, const MateOptions *options) {
    return matesolver_can_only_defend(pos) || (options->defends && pos_in_check(pos));
}

const char *matetask_refusal(const Position *pos, bool may_defend) {
    if (pos->king[color_flip(pos->side)] != SQ_NONE) {
        return NULL;
    }
    return !may_defend                       ? "the side not to move has no king"
           : matesolver_can_only_defend(pos) ? NULL
                                             : "the side not to move has no king, and the side to "
                                               "move is not in check";
}

int matetask_start(MateTask *task, const MateRequest *request) {
    matetask_wait(task);
    make_solver(task, request->effort.hash_mb, request->effort.threads);
    task->request = *request;
    task->last_info_ms = 0;
    pos_copy(&task->pos, request->pos);
    TimePlan plan = {.is_timed = request->effort.time_ms > 0,
                     .soft_ms = request->effort.time_ms,
                     .hard_ms = request->effort.time_ms};
    stoptimer_begin(&task->timer, &plan, request->start_ns, false);
    atomic_store(&task->is_done, false);
    task->has_ended = false;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    task->is_started = pthread_create(&task->thread, &attr, run_mate_task, task) == 0;
    pthread_attr_destroy(&attr);
    if (!task->is_started) {
        run_mate_task(task);
    }
    return task->table_mb;
}

void matetask_stop(MateTask *task) {
    stoptimer_stop(&task->timer);
}

/* True if the CPU time is used up or the caller has cancelled. */
static bool is_mate_task_over(const MateRequest *request) {
    bool is_spent = request->effort.cpu_ms > 0 &&
                    clock_cpu_ns() - request->start_cpu_ns >= request->effort.cpu_ms * NS_PER_MS;
    return is_spent || flag_is_set(request->cancel);
}

void matetask_wait(MateTask *task) {
    const MateRequest *request = &task->request;
    bool has_look = request->effort.cpu_ms > 0 || request->cancel != NULL;
    pthread_mutex_lock(&task->lock);
    while (has_look && !task->has_ended) {
        if (is_mate_task_over(request)) {
            matetask_stop(task);
        }
        clock_wait_until(&task->end, &task->lock, clock_ns() + LOOK_NS);
    }
    pthread_mutex_unlock(&task->lock);
    if (task->is_started) {
        pthread_join(task->thread, NULL);
        task->is_started = false;
    }
}

bool matetask_is_busy(const MateTask *task) {
    return task->is_started && !atomic_load(&task->is_done);
}
