#include "search/vote.h"

#include "search/params.h"
#include "search/worker.h"

static Score score_of(const Worker *worker) {
    return rootmove_score(&worker->root[0]);
}

static bool has_vote(const Worker *worker) {
    return worker->run.root_count > 0 && worker->run.completed_depth > 0;
}

static int64_t weight_of(const Worker *worker, Score least) {
    return (int64_t)(score_of(worker) - least + P_VOTE_BASE) * worker->run.completed_depth;
}

static int64_t votes_for(const SearchShared *shared, Move move, Score least) {
    int64_t sum = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        const Worker *worker = shared->workers[i];
        if (has_vote(worker) && worker->root[0].move == move) {
            sum += weight_of(worker, least);
        }
    }
    return sum;
}

Worker *vote_best_worker(SearchShared *shared) {
    Worker *best = shared->workers[0];
    if (shared->worker_count == 1 || worker_line_count(best) > 1 || !has_vote(best) ||
        best->run.is_proved) {
        return best;
    }
    Score least = SCORE_INFINITE;
    for (int i = 0; i < shared->worker_count; i++) {
        if (has_vote(shared->workers[i])) {
            least = int_min(least, score_of(shared->workers[i]));
        }
    }
    int64_t best_votes = votes_for(shared, best->root[0].move, least);
    for (int i = 1; i < shared->worker_count; i++) {
        Worker *worker = shared->workers[i];
        if (!has_vote(worker)) {
            continue;
        }
        int64_t votes = votes_for(shared, worker->root[0].move, least);
        if (votes > best_votes || (votes == best_votes && score_of(worker) > score_of(best))) {
            best = worker;
            best_votes = votes;
        }
    }
    return best;
}
