/* Tests which thread's move is played. */
#include "search/vote.h"

#include <stdlib.h>

#include "search/worker.h"
#include "unit.h"

enum { WORKERS = 3 };

static SearchShared shared;
static Worker *workers[WORKERS];

/* Sets the worker's result: it has searched to this depth, with this move and score. */
static void finds(int index, Move move, int depth, Score score) {
    Worker *worker = workers[index];
    worker->shared = &shared;
    worker->state = (SearchState){.root_move_count = 30, .completed_depth = depth};
    worker->root_moves[0] = (RootMove){.move = move, .score = score, .bound = BOUND_EXACT};
}

/* The worker was interrupted in the next iteration, before it had searched its move again. */
static void is_broken_off(int index) {
    RootMove *best = &workers[index]->root_moves[0];
    workers[index]->state.root_depth = workers[index]->state.completed_depth + 1;
    best->previous_score = best->score;
    best->score = -SCORE_INFINITE;
}

/* The worker has found this move in the iteration after its last complete one. */
static void has_gone_on(int index, Move move, Score score) {
    workers[index]->state.root_depth = workers[index]->state.completed_depth + 1;
    workers[index]->root_moves[0] = (RootMove){.move = move, .score = score, .bound = BOUND_EXACT};
}

static int chosen(void) {
    Worker *best = vote_best_worker(&shared);
    for (int i = 0; i < WORKERS; i++) {
        if (workers[i] == best) {
            return i;
        }
    }
    return -1;
}

static void begin(void) {
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = calloc(1, sizeof(Worker));
    }
    shared.workers = workers;
    shared.worker_count = WORKERS;
    shared.options.multi_pv = 1;
}

static void end(void) {
    for (int i = 0; i < WORKERS; i++) {
        free(workers[i]);
    }
}

static void depth_score_and_number(void) {
    begin();
    finds(0, 1, 10, 0);
    finds(1, 2, 14, 0);
    finds(2, 3, 10, 0);
    CHECK_INT(chosen(), 1); /* deeper */
    finds(1, 2, 10, 40);
    CHECK_INT(chosen(), 1); /* better */
    finds(0, 3, 10, 35);
    finds(2, 3, 10, 35);
    CHECK_INT(chosen(), 0); /* two against one */
    finds(2, 3, 10, 36);
    CHECK_INT(chosen(), 2); /* of the two workers, the one with the higher score */
    finds(1, 2, 0, 90);
    finds(0, 3, 10, 0);
    finds(2, 4, 9, -50);
    CHECK_INT(chosen(), 0); /* a worker without a complete iteration does not count */
    finds(1, 2, 20, 90);
    CHECK_INT(chosen(), 1);
    workers[0]->state.is_proved = true;
    CHECK_INT(chosen(), 0);
    workers[0]->state.is_proved = false;
    shared.options.multi_pv = 2;
    CHECK_INT(chosen(), 0); /* with several lines, worker 0 decides */
    shared.options.multi_pv = 1;
    shared.worker_count = 1;
    CHECK_INT(chosen(), 0);
    end();
}

static void refuted_moves_are_not_voted_for(void) {
    begin();
    finds(0, 1, 10, 30);
    finds(1, 1, 10, 30);
    finds(2, 1, 10, 30);
    is_broken_off(0);
    is_broken_off(2);
    has_gone_on(1, 2, -20);
    CHECK_INT(chosen(), 1); /* the score 30 of the others is from the previous iteration */
    is_broken_off(1);
    CHECK_INT(chosen(), 0); /* no worker has searched deeper */
    finds(0, 3, 12, 30);
    is_broken_off(0);
    finds(1, 2, 10, -20);
    CHECK_INT(chosen(), 0); /* deeper, although the result is not final */
    end();
}

/* Three shallower workers agree on another move: they win, unless this depth was asked for. */
static void at_the_depth_limit_worker_0_decides(void) {
    begin();
    finds(0, 1, 8, 0);
    finds(1, 2, 6, 0);
    finds(2, 2, 6, 0);
    CHECK(chosen() != 0);
    shared.limits.depth = 8;
    CHECK_INT(chosen(), 0);
    shared.limits.depth = 9;
    CHECK(chosen() != 0);
    shared.options.depth_limit = 8;
    CHECK_INT(chosen(), 0);
    shared.options.depth_limit = 0;
    shared.limits.depth = 0;
    end();
}

UNIT_MAIN({"depth, score and number count", depth_score_and_number},
          {"refuted moves are not voted for", refuted_moves_are_not_voted_for},
          {"at the depth limit worker 0 decides", at_the_depth_limit_worker_0_decides})
