#include "search/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/condvar.h"
#include "base/parallel.h"
#include "base/xmem.h"
#include "eval/handwritten.h"
#include "eval/nnue.h"
#include "rules/declare.h"
#include "rules/movegen.h"
#include "search/node.h"
#include "search/report.h"
#include "search/root.h"
#include "search/vote.h"
#include "search/worker.h"

/* The deepest tree needs about 2 MB; systems other than Linux give threads less by themselves. */
#define STACK_BYTES ((size_t)8 << 20)

/* How often pool_await looks whether it is cancelled. */
#define AWAIT_LOOK_NS 50000000

typedef struct Seat {
    Worker *worker;
    struct Pool *pool;
    pthread_t thread;
    bool has_work; /* guarded by the pool's lock, as the next */
    bool is_closing;
} Seat;

struct Pool {
    SearchShared shared;
    int seat_count;
    Seat *seats[POOL_MOST_THREADS];
    Worker *workers[POOL_MOST_THREADS];
    const struct NnueNet *net; /* NULL: the hand-written evaluation */
    uint32_t net_features;
    uint64_t random;
    _Atomic bool has_answered; /* the last search, or it has begun to */

    pthread_mutex_t lock;      /* guards the rest and what is said of it in the seats */
    pthread_cond_t work_given; /* to the workers */
    pthread_cond_t work_done;  /* from the workers */
    int busy;                  /* seats at work */
};

/* ---- Worker 0: the search from start to answer. ---- */

static void give_work(Pool *pool, int first, int end) {
    pthread_mutex_lock(&pool->lock);
    for (int i = first; i < end; i++) {
        pool->seats[i]->has_work = true;
        pool->busy++;
    }
    pthread_cond_broadcast(&pool->work_given);
    pthread_mutex_unlock(&pool->lock);
}

static void wait_until_busy_is(Pool *pool, int busy) {
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > busy) {
        pthread_cond_wait(&pool->work_done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* The answers that need no search: no legal move, a declaration, the try. */
static Move answer_by_rule(SearchShared *shared) {
    const Position *pos = &shared->pos;
    if (!has_legal_move(pos)) {
        return MOVE_RESIGN;
    }
    if (shared->limits.search_move_count > 0) {
        return MOVE_NONE;
    }
    if (shared->options.declare == KMD_DECLARE_TRY) {
        return declare_try_move(pos);
    }
    return declare_result(pos, shared->options.declare) == KMD_DECLARATION_WIN ? MOVE_WIN
                                                                               : MOVE_NONE;
}

static SearchResult verdict(Pool *pool, Move answer) {
    SearchShared *shared = &pool->shared;
    Score score = answer == MOVE_RESIGN ? score_mated_in(0) : score_mate_in(1);
    report_verdict(shared, score, &answer, move_is_real(answer) ? 1 : 0);
    keeper_await_leave(&shared->keeper);
    return (SearchResult){.best = answer, .ponder = MOVE_NONE, .score = score};
}

/* The best move decides, whatever a weak level plays; it may be better than its lower bound. */
static bool is_to_resign(const SearchShared *shared, const RootMove *best) {
    Score score = rootmove_score(best);
    return !shared->limits.is_infinite && score != -SCORE_INFINITE &&
           rootmove_bound(best) != BOUND_LOWER && score <= -shared->options.resign_value;
}

static SearchResult search(Pool *pool) {
    SearchShared *shared = &pool->shared;
    matehunt_begin(&shared->hunt, &shared->pos, shared->options.declare);
    give_work(pool, 1, shared->worker_count);
    Worker *leader = pool->workers[0];
    root_search(leader);
    report_end(leader);
    if (leader->run.is_used_up) {
        wait_until_busy_is(pool, 1); /* the others may use their parts of the nodes up, too */
    }
    keeper_halt(&shared->keeper); /* what the others would still find is not asked for */
    keeper_await_leave(&shared->keeper);
    wait_until_busy_is(pool, 1);
    Worker *best = vote_best_worker(shared);
    int rank = shared->options.skill.is_limited ? root_choose(best, pool->random) : 0;
    report_final(best, rank);
    bool resigns = is_to_resign(shared, &best->root[0]);
    return (SearchResult){.best = resigns ? MOVE_RESIGN : best->root[rank].move,
                          .ponder = resigns ? MOVE_NONE : root_ponder_move(best, rank),
                          .score = rootmove_score(&best->root[rank]),
                          .depth = best->run.completed_depth};
}

static void lead(Pool *pool) {
    SearchShared *shared = &pool->shared;
    Move answer = answer_by_rule(shared);
    int root_moves = root_prepare(pool->workers[0]);
    if (answer == MOVE_NONE && root_moves == 0) {
        answer = MOVE_RESIGN; /* searchmoves left nothing */
    }
    SearchResult result = answer != MOVE_NONE ? verdict(pool, answer) : search(pool);
    keeper_end(&shared->keeper);
    result.nodes = report_nodes(shared);
    result.time_ms = keeper_view(&shared->keeper).search_ms;
    atomic_store(&pool->has_answered, true);
    if (!atomic_load(&shared->is_silent) && shared->sink.on_done != NULL) {
        shared->sink.on_done(shared->sink.context, &result);
    }
}

static void *seat_main(void *arg) {
    Seat *seat = arg;
    Pool *pool = seat->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!seat->has_work && !seat->is_closing) {
            pthread_cond_wait(&pool->work_given, &pool->lock);
        }
        if (!seat->has_work) {
            break;
        }
        pthread_mutex_unlock(&pool->lock);
        if (seat->worker->index == 0) {
            lead(pool);
        } else if (root_prepare(seat->worker) > 0) {
            root_search(seat->worker);
        }
        pthread_mutex_lock(&pool->lock);
        seat->has_work = false;
        pool->busy--;
        pthread_cond_broadcast(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- The owner's side. ---- */

static void init_tables(void) {
    evaluate_init();
    node_init();
}

Pool *pool_create(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_tables);
    Pool *pool = xmem_calloc(1, sizeof(Pool));
    tt_init(&pool->shared.tt);
    keeper_init(&pool->shared.keeper);
    relay_init(&pool->shared.relay);
    matehunt_init(&pool->shared.hunt);
    pos_init(&pool->shared.pos);
    pool->shared.workers = pool->workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_given, NULL);
    condvar_init(&pool->work_done);
    return pool;
}

static Worker *worker_create(Pool *pool, int index) {
    Worker *worker = xmem_alloc_aligned(1, sizeof(Worker), 64);
    worker->index = index;
    worker->shared = &pool->shared;
    worker->evaluator = pool->net != NULL ? nnue_create(pool->net, pool->net_features) : NULL;
    pos_init(&worker->pos);
    return worker;
}

static void worker_free(Worker *worker) {
    nnue_free(worker->evaluator);
    pos_free(&worker->pos);
    xmem_free_aligned(worker);
}

static bool add_seat(Pool *pool) {
    Seat *seat = xmem_calloc(1, sizeof(Seat));
    *seat = (Seat){.worker = worker_create(pool, pool->seat_count), .pool = pool};
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    bool is_started = pthread_create(&seat->thread, &attr, seat_main, seat) == 0;
    pthread_attr_destroy(&attr);
    if (!is_started) {
        worker_free(seat->worker);
        free(seat);
        return false;
    }
    pool->workers[pool->seat_count] = seat->worker;
    pool->seats[pool->seat_count++] = seat;
    return true;
}

/* Leaves the first `keep` seats, which is no more than there are, and what they have learned. */
static void remove_seats(Pool *pool, int keep) {
    pthread_mutex_lock(&pool->lock);
    for (int i = keep; i < pool->seat_count; i++) {
        pool->seats[i]->is_closing = true;
    }
    pthread_cond_broadcast(&pool->work_given);
    pthread_mutex_unlock(&pool->lock);
    for (int i = keep; i < pool->seat_count; i++) {
        pthread_join(pool->seats[i]->thread, NULL);
        worker_free(pool->seats[i]->worker);
        free(pool->seats[i]);
    }
    pool->seat_count = keep;
}

void pool_free(Pool *pool) {
    pool_stop(pool);
    pool_wait(pool);
    remove_seats(pool, 0);
    tt_free(&pool->shared.tt);
    keeper_free(&pool->shared.keeper);
    relay_free(&pool->shared.relay);
    matehunt_free(&pool->shared.hunt);
    pos_free(&pool->shared.pos);
    pthread_cond_destroy(&pool->work_given);
    pthread_cond_destroy(&pool->work_done);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

TransTable *pool_table(Pool *pool) {
    return &pool->shared.tt;
}

int pool_set_threads(Pool *pool, int threads) {
    ASSERT(threads >= 1 && threads <= POOL_MOST_THREADS);
    pool_wait(pool);
    if (threads < pool->seat_count) {
        remove_seats(pool, threads);
    }
    while (pool->seat_count < threads && add_seat(pool)) {
    }
    if (pool->seat_count == 0) {
        xmem_fail(1, STACK_BYTES);
    }
    pool->shared.worker_count = pool->seat_count;
    return pool->seat_count;
}

void pool_set_net(Pool *pool, const struct NnueNet *net, uint32_t features) {
    pool_wait(pool);
    pool->net = net;
    pool->net_features = features;
    for (int i = 0; i < pool->seat_count; i++) {
        Worker *worker = pool->workers[i];
        nnue_free(worker->evaluator);
        worker->evaluator = net != NULL ? nnue_create(net, features) : NULL;
    }
}

static void forget(void *context, int index) {
    Pool *pool = context;
    worker_forget(pool->workers[index]);
}

void pool_forget(Pool *pool) {
    pool_wait(pool);
    if (pool->seat_count > 0) {
        parallel_run(pool->seat_count, forget, pool);
    }
    matehunt_forget(&pool->shared.hunt);
}

void pool_new_game(Pool *pool) {
    pool_wait(pool);
    for (int i = 0; i < pool->seat_count; i++) {
        pool->workers[i]->is_new_game = true;
    }
    matehunt_forget(&pool->shared.hunt);
}

static TimePlan plan_of(const Pool *pool, const GoLimits *limits) {
    const Position *pos = &pool->shared.pos;
    return timeman_plan(limits, &pool->shared.options.time, pos->side, pos->ply, pool->random);
}

/* A weak level is one worker's: with more its limits would mean something else. */
static int workers_wanted(const Pool *pool) {
    const SearchShared *shared = &pool->shared;
    uint64_t nodes = root_node_limit(shared);
    int most = nodes > 0 && nodes < (uint64_t)pool->seat_count ? (int)nodes : pool->seat_count;
    return shared->options.skill.is_limited ? 1 : most;
}

void pool_start(Pool *pool, const SearchRequest *request) {
    ASSERT(pool->seat_count > 0);
    pool_wait(pool);
    SearchShared *shared = &pool->shared;
    pos_copy(&shared->pos, request->pos);
    shared->limits = *request->limits;
    shared->options = *request->options;
    shared->sink = request->sink;
    if (request->limits->is_infinite) {
        shared->options.skill =
            (Skill){.is_limited = false}; /* analysis is always at full strength */
    }
    shared->worker_count = workers_wanted(pool);
    pool->random = request->random;
    for (int i = 0; i < pool->seat_count; i++) {
        atomic_store_explicit(&pool->workers[i]->nodes, 0, memory_order_relaxed);
    }
    tt_new_search(&shared->tt);
    relay_begin(&shared->relay);
    report_begin(shared);
    atomic_store(&shared->is_silent, false);
    atomic_store(&pool->has_answered, false);
    TimePlan plan = plan_of(pool, request->limits);
    bool is_held = request->limits->is_infinite || request->limits->is_ponder;
    keeper_begin(&shared->keeper, &plan, request->start_ns, is_held);
    give_work(pool, 0, 1);
}

void pool_stop(Pool *pool) {
    if (pool_is_busy(pool)) {
        keeper_stop(&pool->shared.keeper);
    }
}

void pool_ponderhit(Pool *pool, const GoLimits *clocks, int64_t now_ns) {
    TimePlan plan = plan_of(pool, clocks != NULL ? clocks : &pool->shared.limits);
    keeper_hit(&pool->shared.keeper, &plan, now_ns);
}

void pool_abort(Pool *pool) {
    atomic_store(&pool->shared.is_silent, true);
    pool_stop(pool);
    pool_wait(pool);
}

void pool_wait(Pool *pool) {
    wait_until_busy_is(pool, 0);
}

void pool_await(Pool *pool, const _Atomic bool *cancel) {
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        condvar_wait_until(&pool->work_done, &pool->lock, clock_ns() + AWAIT_LOOK_NS);
        if (pool->busy > 0 && atomic_load_explicit(cancel, memory_order_relaxed)) {
            keeper_stop(&pool->shared.keeper);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

bool pool_is_busy(Pool *pool) {
    pthread_mutex_lock(&pool->lock);
    bool is_busy = pool->busy > 0 && !atomic_load(&pool->has_answered);
    pthread_mutex_unlock(&pool->lock);
    return is_busy;
}

const SearchStats *pool_stats(const Pool *pool) {
    return &pool->workers[0]->stats;
}
