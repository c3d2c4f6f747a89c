/* pool.c: the search threads. Each thread waits on a condition variable for a search, then runs it
 * with its own worker. Worker 0 leads: it waits for the others and sends the answer to the sink.
 * A search goes from pool_start to run_main_worker; root_search (root.h) does the searching. */
#include "search/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/meminfo.h"
#include "base/xmem.h"
#include "eval/handwritten.h"
#include "rules/declare.h"
#include "rules/movegen.h"
#include "search/node.h"
#include "search/params.h"
#include "search/report.h"
#include "search/root.h"
#include "search/worker.h"

/* The deepest tree needs about 2 MB. Some systems give threads less than that by default. */
#define STACK_BYTES ((size_t)8 << 20)

/* In a timed game, worker 0 waits at most this long for the other threads, which may not get a
 * processor in time. */
#define HELPERS_NS 3000000

/* How often a waiting thread checks for cancellation. */
#define CANCEL_LOOK_NS 50000000

/* The deadline of a wait without one. */
#define NEVER INT64_MAX

/* What a thread of the pool does next. */
typedef enum SlotWork {
    SLOT_NOTHING,
    SLOT_PREPARE, /* allocate the worker and load the network */
    SLOT_FORGET,
    SLOT_SEARCH
} SlotWork;

/* Each thread has its own lock. If they shared a lock, hundreds of threads would wake one after
 * another, and each would have to wait for a processor while it holds the lock. */
typedef struct ThreadSlot {
    int index;
    struct Pool *pool;
    pthread_t thread;
    bool lacks_memory;    /* written during SLOT_PREPARE */
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t given;
    SlotWork work;
    bool is_closing;
} ThreadSlot;

struct Pool {
    SearchShared shared;
    int slot_count;
    ThreadSlot *slots[POOL_MAX_THREADS];
    Worker *workers[POOL_MAX_THREADS]; /* each is created by its own thread */
    const struct NnueNet *net;         /* NULL: the hand-written evaluation */
    uint32_t net_features;
    const _Atomic bool *cancel; /* cancels pool_forget */
    uint64_t random;
    _Atomic bool has_answered; /* the last search has answered or is about to answer */

    _Atomic int busy;         /* number of slots at work */
    pthread_mutex_t lock;     /* for waiting until `busy` decreases */
    pthread_cond_t work_done; /* signalled by the slots */
};

/* ---- Giving work to the threads. ---- */

static void give_work(Pool *pool, SlotWork work, int first, int end) {
    atomic_fetch_add(&pool->busy, end - first);
    for (int i = first; i < end; i++) {
        ThreadSlot *slot = pool->slots[i];
        pthread_mutex_lock(&slot->lock);
        slot->work = work;
        pthread_cond_signal(&slot->given);
        pthread_mutex_unlock(&slot->lock);
    }
}

/* Takes the lock only if a thread may be waiting for the new number of busy slots, which is then 0
 * or 1. */
static void finish_work(Pool *pool) {
    if (atomic_fetch_sub(&pool->busy, 1) <= 2) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->work_done);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Waits until at most `most` threads are busy, or until the deadline (NEVER: none). Ends the search
 * early once *cancel (may be NULL) is true. Returns false if the deadline came first. */
static bool wait_until_busy(Pool *pool, int most, int64_t deadline_ns, const _Atomic bool *cancel) {
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->busy) > most && clock_ns() < deadline_ns) {
        if (deadline_ns == NEVER && cancel == NULL) {
            pthread_cond_wait(&pool->work_done, &pool->lock);
        } else {
            clock_wait_until(&pool->work_done, &pool->lock,
                             cancel != NULL ? clock_ns() + CANCEL_LOOK_NS : deadline_ns);
        }
        if (cancel != NULL && atomic_load_explicit(cancel, memory_order_relaxed)) {
            stoptimer_stop(&pool->shared.timer);
        }
    }
    bool is_done = atomic_load(&pool->busy) <= most;
    pthread_mutex_unlock(&pool->lock);
    return is_done;
}

/* ---- Worker 0: the search from start to answer. ---- */

/* Answers that need no search: no legal move, a declaration, or a try. */
static Move answer_by_rule(SearchShared *shared) {
    const Position *pos = &shared->pos;
    if (!gen_has_move(pos)) {
        return MOVE_RESIGN;
    }
    if (shared->limits.search_move_count > 0) {
        return MOVE_NONE;
    }
    if (shared->options.entering_king_rule == KMD_DECLARE_TRY) {
        return declare_try_move(pos);
    }
    return declare_result(pos, shared->options.entering_king_rule) == KMD_DECLARATION_WIN
               ? MOVE_WIN
               : MOVE_NONE;
}

/* ---- The vote of the workers for the move to play. ---- */

/* The score of the worker's move; SCORE_NONE if the worker does not vote. A worker that was
 * interrupted before it searched its first move again does not vote if another worker has searched
 * its own first move at that depth (seen_depth), where the interrupted worker's move may be
 * refuted. */
static Score voting_score(const Worker *worker, int seen_depth) {
    const RootMove *best = &worker->root_moves[0];
    bool votes = worker->state.root_move_count > 0 && worker->state.completed_depth > 0 &&
                 (rootmove_is_current(best) || worker->state.root_depth > seen_depth);
    return votes ? rootmove_score(best) : SCORE_NONE;
}

/* The worker with the most votes for its best move: each votes for its own move with a weight that
 * grows with its depth and score. Worker 0 with MultiPV, after a proved mate, and at the depth
 * limit, because a search to a given depth should return an answer of that depth. Source: the idea
 * of Stockfish's thread vote (Dubois, 2018). */
static Worker *elect_worker(SearchShared *shared) {
    Worker *first = shared->workers[0];
    if (shared->worker_count == 1 || worker_line_count(first) > 1 ||
        first->state.completed_depth == 0 || first->state.is_proved ||
        first->state.completed_depth >= root_depth_limit(shared)) {
        return first;
    }
    int seen_depth = 0; /* the deepest iteration in which a worker has searched its first move */
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *worker = shared->workers[i];
        if (worker->state.root_move_count > 0 && worker->state.completed_depth > 0 &&
            rootmove_is_current(&worker->root_moves[0])) {
            seen_depth = int_max(seen_depth, worker->state.root_depth);
        }
    }
    Score least = SCORE_NONE; /* the lowest score of a voter; SCORE_NONE is above all scores */
    for (int i = 0; i < shared->worker_count; i++) {
        least = int_min(least, voting_score(shared->workers[i], seen_depth));
    }
    Worker *best = first;
    Score best_score = -SCORE_INFINITE;
    int64_t best_votes = -1;
    for (int i = 0; i < shared->worker_count; i++) {
        Worker *worker = shared->workers[i];
        Score score = voting_score(worker, seen_depth);
        int64_t votes = 0;
        for (int k = 0; k < shared->worker_count && score != SCORE_NONE; k++) {
            const Worker *voter = shared->workers[k];
            Score weight = voting_score(voter, seen_depth);
            if (weight != SCORE_NONE && voter->root_moves[0].move == worker->root_moves[0].move) {
                votes += (int64_t)(weight - least + P_VOTE_BASE) * voter->state.completed_depth;
            }
        }
        if (score != SCORE_NONE &&
            (votes > best_votes || (votes == best_votes && score > best_score))) {
            best = worker;
            best_votes = votes;
            best_score = score;
        }
    }
    return best;
}

static SearchResult run_search(Pool *pool) {
    SearchShared *shared = &pool->shared;
    root_mate_begin(&shared->root_mate, &shared->pos, shared->options.entering_king_rule);
    give_work(pool, SLOT_SEARCH, 1, shared->worker_count);
    Worker *leader = pool->workers[0];
    root_search(leader);
    report_end(leader);
    if (leader->state.is_used_up) {
        wait_until_busy(pool, 1, NEVER, NULL); /* the others may also use up their nodes */
    }
    stoptimer_halt(&shared->timer); /* the other workers may stop now */
    stoptimer_await_release(&shared->timer);
    /* In a timed game, a helper that takes too long does not count: its results must not be read.
     */
    bool is_timed = stoptimer_is_timed(&shared->timer);
    bool has_all = wait_until_busy(pool, 1, is_timed ? clock_ns() + HELPERS_NS : NEVER, NULL);
    Worker *best = has_all ? elect_worker(shared) : leader;
    int rank = shared->options.skill.is_limited ? root_choose(best, pool->random) : 0;
    report_final(best, rank);
    /* Whether to resign depends on the best move, even if a limited skill level plays another one.
     * After a lower bound, the true score may be better. After an upper bound, another move may be
     * better, so the last exact score decides. */
    const RootMove *first = &best->root_moves[0];
    bool is_exact = rootmove_bound(first) == BOUND_EXACT;
    bool is_judged = is_exact || (first->bound == BOUND_UPPER && first->exact_depth > 0);
    Score score = is_exact ? rootmove_score(first) : first->exact_score;
    bool resigns = !shared->limits.is_infinite && is_judged && score != -SCORE_INFINITE &&
                   score <= -shared->options.resign_value;
    return (SearchResult){.best = resigns ? MOVE_RESIGN : best->root_moves[rank].move,
                          .ponder = resigns ? MOVE_NONE : root_ponder_move(best, rank),
                          .score = rootmove_score(&best->root_moves[rank]),
                          .depth = best->state.completed_depth};
}

static void run_main_worker(Pool *pool) {
    SearchShared *shared = &pool->shared;
    Move answer = answer_by_rule(shared);
    int root_moves = root_prepare(pool->workers[0]);
    if (answer == MOVE_NONE && root_moves == 0) {
        answer = MOVE_RESIGN; /* searchmoves contained no legal move */
    }
    bool is_analysis = shared->limits.is_infinite || shared->options.is_analysis;
    bool is_searched = answer == MOVE_NONE || (answer != MOVE_RESIGN && is_analysis);
    SearchResult result = {.best = answer, .ponder = MOVE_NONE};
    if (answer == MOVE_NONE) {
        result = run_search(pool);
    } else if (is_searched) {
        /* In analysis, a win by declaration or try is only reported, and the search shows how the
         * game would go on without it. With the rule, every line would end by a declaration two
         * plies later. A try is a move, whose line must come last. */
        Score score = score_mate_in(1);
        report_verdict(shared, score, answer,
                       answer == MOVE_WIN ? "the side to move can win by declaration"
                                          : "the side to move can win by a try");
        shared->options.entering_king_rule = KMD_DECLARE_NONE;
        result = run_search(pool);
        if (move_is_real(answer)) {
            report_verdict(shared, score, answer, NULL);
        }
        result.best = answer;
        result.ponder = MOVE_NONE;
        result.score = score;
    } else {
        result.score = answer == MOVE_RESIGN ? score_mated_in(0) : score_mate_in(1);
        report_verdict(shared, result.score, answer, NULL);
        stoptimer_await_release(&shared->timer);
    }
    stoptimer_end(&shared->timer);
    result.nodes = worker_total_nodes(shared);
    result.mate_nodes = is_searched ? shared->root_mate.spent : 0;
    result.time_ms = stoptimer_search_ms(&shared->timer);
    atomic_store(&pool->has_answered, true);
    if (!atomic_load(&shared->is_silent) && shared->sink.on_done != NULL) {
        shared->sink.on_done(shared->sink.context, &result);
    }
}

/* ---- The work of each thread. ---- */

static void do_work(ThreadSlot *slot, SlotWork work) {
    Pool *pool = slot->pool;
    Worker **worker = &pool->workers[slot->index];
    if (work == SLOT_PREPARE) {
        *worker = *worker != NULL ? *worker : worker_create(&pool->shared, slot->index);
        slot->lacks_memory =
            *worker == NULL || !worker_use_net(*worker, pool->net, pool->net_features);
    } else if (work == SLOT_FORGET) {
        if (pool->cancel == NULL || !atomic_load_explicit(pool->cancel, memory_order_relaxed)) {
            worker_forget(*worker);
        }
    } else if (slot->index == 0) {
        run_main_worker(pool);
    } else if (root_prepare(*worker) > 0) {
        root_search(*worker);
    }
}

static void *slot_main(void *arg) {
    ThreadSlot *slot = arg;
    Pool *pool = slot->pool;
    for (;;) {
        pthread_mutex_lock(&slot->lock);
        while (slot->work == SLOT_NOTHING && !slot->is_closing) {
            pthread_cond_wait(&slot->given, &slot->lock);
        }
        SlotWork work = slot->work;
        slot->work = SLOT_NOTHING;
        pthread_mutex_unlock(&slot->lock);
        if (work == SLOT_NOTHING) {
            break;
        }
        do_work(slot, work);
        finish_work(pool);
    }
    worker_free(pool->workers[slot->index]);
    pool->workers[slot->index] = NULL;
    return NULL;
}

/* ---- Functions for the owner. ---- */

static void init_tables(void) {
    handwritten_init();
    node_init();
}

Pool *pool_create(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_tables);
    Pool *pool = xmem_calloc(1, sizeof(Pool));
    tt_init(&pool->shared.tt);
    stoptimer_init(&pool->shared.timer);
    pthread_mutex_init(&pool->shared.iteration.lock, NULL);
    root_mate_init(&pool->shared.root_mate);
    pos_init(&pool->shared.pos);
    pool->shared.workers = pool->workers;
    pthread_mutex_init(&pool->lock, NULL);
    clock_init_cond(&pool->work_done);
    return pool;
}

static void free_slot(ThreadSlot *slot) {
    pthread_cond_destroy(&slot->given);
    pthread_mutex_destroy(&slot->lock);
    free(slot);
}

/* The new thread starts by preparing its worker. */
static bool add_slot(Pool *pool) {
    ThreadSlot *slot = xmem_calloc(1, sizeof(ThreadSlot));
    *slot = (ThreadSlot){.index = pool->slot_count, .pool = pool};
    pthread_mutex_init(&slot->lock, NULL);
    pthread_cond_init(&slot->given, NULL);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    bool is_started = pthread_create(&slot->thread, &attr, slot_main, slot) == 0;
    pthread_attr_destroy(&attr);
    if (!is_started) {
        free_slot(slot);
        return false;
    }
    pool->slots[pool->slot_count++] = slot;
    give_work(pool, SLOT_PREPARE, slot->index, pool->slot_count);
    return true;
}

/* Keeps the first `keep` slots (at most slot_count) and their histories. */
static void remove_slots(Pool *pool, int keep) {
    for (int i = keep; i < pool->slot_count; i++) {
        ThreadSlot *slot = pool->slots[i];
        pthread_mutex_lock(&slot->lock);
        slot->is_closing = true;
        pthread_cond_signal(&slot->given);
        pthread_mutex_unlock(&slot->lock);
    }
    for (int i = keep; i < pool->slot_count; i++) {
        pthread_join(pool->slots[i]->thread, NULL);
        free_slot(pool->slots[i]);
    }
    pool->slot_count = keep;
}

void pool_free(Pool *pool) {
    pool_stop(pool);
    pool_wait(pool, NULL);
    remove_slots(pool, 0);
    tt_free(&pool->shared.tt);
    stoptimer_free(&pool->shared.timer);
    pthread_mutex_destroy(&pool->shared.iteration.lock);
    root_mate_free(&pool->shared.root_mate);
    pos_free(&pool->shared.pos);
    pthread_cond_destroy(&pool->work_done);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

TransTable *pool_table(Pool *pool) {
    return &pool->shared.tt;
}

/* Waits until all slots are prepared, then removes the first slot that lacks memory and all slots
 * after it. */
static void drop_unprepared(Pool *pool) {
    pool_wait(pool, NULL);
    int good = 0;
    while (good < pool->slot_count && !pool->slots[good]->lacks_memory) {
        good++;
    }
    if (good == 0 && pool->slot_count > 0) {
        xmem_fail(1, sizeof(Worker));
    }
    remove_slots(pool, good);
    pool->shared.worker_count = good;
}

int pool_set_threads(Pool *pool, int threads) {
    ASSERT(threads >= 1 && threads <= POOL_MAX_THREADS);
    pool_wait(pool, NULL);
    if (threads < pool->slot_count) {
        remove_slots(pool, threads);
    }
    /* No more threads than there is memory for: the system may promise more than it has, and the
     * workers will fill theirs with histories. */
    if (threads > pool->slot_count) {
        size_t room = meminfo_available() / sizeof(Worker);
        int most = room < POOL_MAX_THREADS ? (int)room : POOL_MAX_THREADS;
        threads = int_min(threads, pool->slot_count + int_max(most, 1));
    }
    while (pool->slot_count < threads && add_slot(pool)) {
    }
    if (pool->slot_count == 0) {
        xmem_fail(1, STACK_BYTES);
    }
    drop_unprepared(pool);
    return pool->slot_count;
}

void pool_set_net(Pool *pool, const struct NnueNet *net, uint32_t features) {
    pool_wait(pool, NULL);
    pool->net = net;
    pool->net_features = features;
    give_work(pool, SLOT_PREPARE, 0, pool->slot_count);
    drop_unprepared(pool);
}

/* Makes each worker clear its histories before its next search, unless they are already clear. */
static void mark_new_game(Pool *pool) {
    pool_wait(pool, NULL);
    for (int i = 0; i < pool->slot_count; i++) {
        pool->workers[i]->is_new_game = true;
    }
    root_mate_free(&pool->shared.root_mate);
}

void pool_forget(Pool *pool, const _Atomic bool *cancel) {
    mark_new_game(pool);
    pool->cancel = cancel;
    give_work(pool, SLOT_FORGET, 0, pool->slot_count);
    pool_wait(pool, NULL);
}

void pool_new_game(Pool *pool) {
    mark_new_game(pool);
    stoptimer_new_game(&pool->shared.timer);
}

static TimePlan plan_of(Pool *pool, const GoLimits *limits) {
    const Position *pos = &pool->shared.pos;
    TimeOptions options = pool->shared.options.time;
    options.overrun_ms = stoptimer_overrun_ms(&pool->shared.timer);
    return stoptimer_plan(limits, &options, pos->side, pos->ply, pool->random);
}

/* Sets up the search without starting it. */
static void begin_search(Pool *pool, const SearchRequest *request) {
    ASSERT(pool->slot_count > 0);
    pool_wait(pool, NULL);
    SearchShared *shared = &pool->shared;
    pos_copy(&shared->pos, request->pos);
    shared->limits = *request->limits;
    shared->options = *request->options;
    shared->sink = request->sink;
    shared->hooks = request->hooks;
    if (request->limits->is_infinite) {
        shared->options.skill =
            (Skill){.is_limited = false}; /* analysis always runs at full strength */
    }
    /* Not more workers than nodes, and one for a limited skill level, because its limits are meant
     * for one. */
    uint64_t nodes = root_node_limit(shared);
    shared->worker_count =
        nodes > 0 && nodes < (uint64_t)pool->slot_count ? (int)nodes : pool->slot_count;
    if (shared->options.skill.is_limited) {
        shared->worker_count = 1;
    }
    pool->random = request->random;
    for (int i = 0; i < pool->slot_count; i++) {
        atomic_store_explicit(&pool->workers[i]->nodes, 0, memory_order_relaxed);
    }
    tt_new_search(&shared->tt);
    atomic_store_explicit(&shared->iteration.depth, 0, memory_order_relaxed);
    report_begin(shared);
    atomic_store(&shared->is_silent, false);
    atomic_store(&pool->has_answered, false);
    TimePlan plan = plan_of(pool, request->limits);
    bool is_held = request->limits->is_infinite || request->limits->is_ponder;
    stoptimer_begin(&shared->timer, &plan, request->start_ns, is_held);
}

void pool_start(Pool *pool, const SearchRequest *request) {
    begin_search(pool, request);
    give_work(pool, SLOT_SEARCH, 0, 1);
}

void pool_run(Pool *pool, const SearchRequest *request, const _Atomic bool *cancel) {
    begin_search(pool, request);
    stoptimer_watch(&pool->shared.timer, cancel);
    atomic_fetch_add(&pool->busy, 1);
    run_main_worker(pool);
    finish_work(pool);
}

void pool_stop(Pool *pool) {
    if (pool_is_busy(pool)) {
        stoptimer_stop(&pool->shared.timer);
    }
}

void pool_ponderhit(Pool *pool, const GoLimits *clocks, int64_t now_ns) {
    TimePlan plan = plan_of(pool, clocks != NULL ? clocks : &pool->shared.limits);
    stoptimer_ponderhit(&pool->shared.timer, &plan, now_ns);
}

void pool_abort(Pool *pool) {
    atomic_store(&pool->shared.is_silent, true);
    pool_stop(pool);
    pool_wait(pool, NULL);
}

void pool_wait(Pool *pool, const _Atomic bool *cancel) {
    wait_until_busy(pool, 0, NEVER, cancel);
}

bool pool_is_busy(Pool *pool) {
    return atomic_load(&pool->busy) > 0 && !atomic_load(&pool->has_answered);
}
