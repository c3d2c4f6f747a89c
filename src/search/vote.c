#include "search/vote.h"

#include "search/params.h"
#include "search/worker.h"

static Score score_of(const Worker *worker) {
    return rootmove_score(&worker->root[0]);
}

static bool has_finished_one(const Worker *worker) {
    return worker->run.root_count > 0 && worker->run.completed_depth > 0;
}

/* True when the worker was broken off before it had looked at its first move again, and another has
 * got that far in an iteration as deep: the move may have been refuted there. */
static bool is_outdated(const SearchShared *shared, const Worker *worker) {
    if (rootmove_is_current(&worker->root[0])) {
        return false;
    }
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *other = shared->workers[i];
        if (has_finished_one(other) && rootmove_is_current(&other->root[0]) &&
            other->run.root_depth >= worker->run.root_depth) {
            return true;
        }
    }
    return false;
}

static bool has_vote(const SearchShared *shared, const Worker *worker) {
    return has_finished_one(worker) && !is_outdated(shared, worker);
}

static int64_t weight_of(const Worker *worker, Score least) {
    return (int64_t)(score_of(worker) - least + P_VOTE_BASE) * worker->run.completed_depth;
}

static int64_t votes_for(const SearchShared *shared, Move move, Score least) {
    int64_t sum = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *worker = shared->workers[i];
        if (has_vote(shared, worker) && worker->root[0].move == move) {
            sum += weight_of(worker, least);
        }
    }
    return sum;
}

Worker *vote_best_worker(SearchShared *shared) {
    Worker *first = shared->workers[0];
    if (shared->worker_count == 1 || worker_line_count(first) > 1 || !has_finished_one(first) ||
        first->run.is_proved) {
        return first;
    }
    Score least = SCORE_INFINITE;
    for (int i = 0; i < shared->worker_count; i++) {
        if (has_vote(shared, shared->workers[i])) {
            least = int_min(least, score_of(shared->workers[i]));
        }
    }
    Worker *best = NULL;
    int64_t best_votes = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        Worker *worker = shared->workers[i];
        if (!has_vote(shared, worker)) {
            continue;
        }
        int64_t votes = votes_for(shared, worker->root[0].move, least);
        if (best == NULL || votes > best_votes ||
            (votes == best_votes && score_of(worker) > score_of(best))) {
            best = worker;
            best_votes = votes;
        }
    }
    ASSERT(best != NULL);
    return best;
}
