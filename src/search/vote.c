/* vote.c: the weighted vote of the workers for the move to play. */
#include "search/vote.h"

#include "search/params.h"
#include "search/root.h"
#include "search/worker.h"

/* The data that determine the weights of the votes. */
typedef struct Poll {
    const SearchShared *shared;
    int seen_depth; /* the deepest iteration in which a worker has searched its first move */
    Score least;    /* the lowest score among the workers that vote */
} Poll;

static Score score_of(const Worker *worker) {
    return rootmove_score(&worker->root_moves[0]);
}

static bool has_finished_one(const Worker *worker) {
    return worker->state.root_move_count > 0 && worker->state.completed_depth > 0;
}

/* True if the worker votes. A worker that was interrupted before it searched its first move again
 * does not vote if another worker has searched its own first move at that depth, where the
 * interrupted worker's move may be refuted. */
static bool has_vote(const Poll *poll, const Worker *worker) {
    return has_finished_one(worker) && (rootmove_is_current(&worker->root_moves[0]) ||
                                        worker->state.root_depth > poll->seen_depth);
}

static Poll begin_poll(const SearchShared *shared) {
    Poll poll = {.shared = shared, .seen_depth = 0, .least = SCORE_INFINITE};
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *worker = shared->workers[i];
        if (has_finished_one(worker) && rootmove_is_current(&worker->root_moves[0])) {
            poll.seen_depth = int_max(poll.seen_depth, worker->state.root_depth);
        }
    }
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *worker = shared->workers[i];
        poll.least = has_vote(&poll, worker) ? int_min(poll.least, score_of(worker)) : poll.least;
    }
    return poll;
}

static int64_t weight_of(const Poll *poll, const Worker *worker) {
    return (int64_t)(score_of(worker) - poll->least + P_VOTE_BASE) * worker->state.completed_depth;
}

static int64_t votes_for(const Poll *poll, Move move) {
    int64_t sum = 0;
    for (int i = 0; i < poll->shared->worker_count; i++) {
        const Worker *worker = poll->shared->workers[i];
        if (worker->root_moves[0].move == move && has_vote(poll, worker)) {
            sum += weight_of(poll, worker);
        }
    }
    return sum;
}

Worker *vote_best_worker(SearchShared *shared) {
    Worker *first = shared->workers[0];
    if (shared->worker_count == 1 || worker_line_count(first) > 1 || !has_finished_one(first) ||
        first->state.is_proved || first->state.completed_depth >= root_depth_limit(shared)) {
        return first;
    }
    Poll poll = begin_poll(shared);
    Worker *best = NULL;
    int64_t best_votes = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        Worker *worker = shared->workers[i];
        if (!has_vote(&poll, worker)) {
            continue;
        }
        int64_t votes = votes_for(&poll, worker->root_moves[0].move);
        if (best == NULL || votes > best_votes ||
            (votes == best_votes && score_of(worker) > score_of(best))) {
            best = worker;
            best_votes = votes;
        }
    }
    ASSERT(best != NULL);
    return best;
}
