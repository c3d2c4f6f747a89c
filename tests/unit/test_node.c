/* Searches single nodes: what each step must hold, whatever its numbers. */
#include "search/node.h"

#include "eval/handwritten.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "search/qsearch.h"
#include "search/root.h"
#include "search/worker.h"
#include "unit.h"

/* A worker without other threads, and all that it shares. */
typedef struct Fixture {
    SearchShared shared;
    Worker *worker;
} Fixture;

/* Sets up a search of the position, which comes from `sfen` and these moves. */
static void begin(Fixture *fixture, const char *position) {
    SearchShared *shared = &fixture->shared;
    UsiFault fault;
    *shared = (SearchShared){.options = {.multi_pv = 1, .entering_king_rule = KMD_DECLARE_27},
                             .workers = &fixture->worker,
                             .worker_count = 1};
    handwritten_init();
    node_init();
    tt_init(&shared->tt);
    CHECK(tt_resize(&shared->tt, TT_MIN_MB));
    tt_new_search(&shared->tt);
    stoptimer_init(&shared->timer);
    pthread_mutex_init(&shared->iteration.lock, NULL);
    pos_init(&shared->pos);
    CHECK(usimove_position(sv_from(position), &shared->pos, &fault));
    fixture->worker = worker_create(shared, 0);
    CHECK(root_prepare(fixture->worker) > 0);
    fixture->worker->state.root_depth = 8;
    fixture->worker->state.root_delta = 2 * SCORE_INFINITE;
}

static void end(Fixture *fixture) {
    worker_free(fixture->worker);
    pos_free(&fixture->shared.pos);
    pthread_mutex_destroy(&fixture->shared.iteration.lock);
    stoptimer_free(&fixture->shared.timer);
    tt_free(&fixture->shared.tt);
}

/* The score of the node after one move from the root. */
static Score search_after(Fixture *fixture, const char *move, int depth, Score alpha, Score beta) {
    Worker *worker = fixture->worker;
    uint64_t key = pos_key(&worker->pos);
    worker_do(worker, 0, usimove_read(sv_from(move)));
    Score score = node_search(worker, 1, depth, alpha, beta, false);
    worker_undo(worker);
    CHECK(pos_key(&worker->pos) == key);
    return score;
}

/* Later and deeper moves are reduced more, and those of a node that is not improving. */
static void reductions_grow(void) {
    node_init();
    for (int number = 2; number < 200; number++) {
        CHECK(node_reduction(8, number, true) >= node_reduction(8, number - 1, true));
        CHECK(node_reduction(number, 8, true) >= node_reduction(number - 1, 8, true));
        CHECK(node_reduction(8, number, false) > node_reduction(8, number, true));
    }
    CHECK(node_reduction(1000, 1000, true) == node_reduction(127, 127, true));
}

/* Step 5: a mate in one needs no search, at any depth. The line has the move. */
static void mate_in_one(void) {
    for (int depth = 0; depth <= 3; depth++) {
        Fixture fixture;
        begin(&fixture, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 w Gp 1");
        CHECK_INT(search_after(&fixture, "P*9h", depth, -SCORE_INFINITE, SCORE_INFINITE),
                  score_mate_in(2));
        CHECK_INT((int64_t)worker_nodes(fixture.worker), 1);
        CHECK_INT(fixture.worker->lines[1].len, 1);
        CHECK_INT(fixture.worker->lines[1].moves[0], usimove_read(SV("G*5b")));
        end(&fixture);
    }
}

/* Step 3: if a shorter mate is known, the node is cut without a search. */
static void mate_distance(void) {
    Fixture fixture;
    begin(&fixture, "startpos");
    Score known = score_mate_in(2);
    uint64_t nodes = worker_nodes(fixture.worker);
    CHECK_INT(search_after(&fixture, "7g7f", 6, known, known + 1), known);
    CHECK_INT((int64_t)(worker_nodes(fixture.worker) - nodes), 1);
    end(&fixture);
}

/* Sets up a search of `sfen` and plays these moves in the tree. Returns the number of moves. */
static int begin_after(Fixture *fixture, const char *sfen, const char *const *moves) {
    begin(fixture, sfen);
    Worker *worker = fixture->worker;
    worker_stack(worker, 0)->place = history_locate(&worker->history, &worker->pos);
    int ply = 0;
    for (; moves[ply] != NULL; ply++) {
        worker_do(worker, ply, usimove_read(sv_from(moves[ply])));
    }
    return ply;
}

static void end_after(Fixture *fixture, int plies) {
    for (int ply = 0; ply < plies; ply++) {
        worker_undo(fixture->worker);
    }
    end(fixture);
}

/* Step 2: a return to a position of the line is a draw. */
static void repetition(void) {
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a", NULL};
    Fixture fixture;
    int ply = begin_after(&fixture, "startpos", moves);
    fixture.shared.options.draw_value[BLACK] = -30;
    CHECK_INT(node_search(fixture.worker, ply, 4, -SCORE_INFINITE, SCORE_INFINITE, false), -30);
    end_after(&fixture, ply);
}

/* Step 2: perpetual check in the line loses, but it is no mate. After one check more, it is the
 * checked side's turn. */
static void perpetual_check(void) {
    static const char *const moves[] = {"9i8i", "8a9a", "8i9i", "9a8a", "9i8i", NULL};
    Fixture fixture;
    int ply = begin_after(&fixture, "sfen 1k7/9/9/9/9/9/9/9/R7K b - 1", moves);
    CHECK_INT(node_search(fixture.worker, ply, 4, -SCORE_INFINITE, SCORE_INFINITE, false),
              SCORE_SUPERIOR);
    worker_undo(fixture.worker);
    CHECK_INT(node_search(fixture.worker, ply - 1, 4, -SCORE_INFINITE, SCORE_INFINITE, false),
              -SCORE_SUPERIOR);
    end_after(&fixture, ply - 1);
}

/* Step 22: a win by repetition (the same board with a better hand) is certain, so it is not moved
 * towards beta. After these moves, the rook's return makes the board that of the root, and black
 * has won a pawn. */
static void superior_position(void) {
    static const char *const moves[] = {"1a1b", "6i6h", "P*6d", "6h6d", "1b1a", NULL};
    for (int depth = 3; depth <= 5; depth++) {
        Fixture fixture;
        int ply = begin_after(&fixture, "sfen 8k/9/9/9/9/9/9/9/K2R5 w rp 1", moves);
        Worker *worker = fixture.worker;
        worker_stack(worker, ply)->killers[0] = usimove_read(SV("6d6i"));
        Score alpha = worker_evaluate(worker) + 100; /* neither side's pruning applies */
        CHECK_INT(node_search(worker, ply, depth, alpha, alpha + 1, true), SCORE_SUPERIOR);
        end_after(&fixture, ply);
    }
}

/* Step 12: a win by repetition is not moved towards beta either. Capturing the silver makes the
 * board that of the root with a better hand for black. */
static void superior_by_capture(void) {
    static const char *const moves[] = {"1a1b", "6i6h", "S*6i", "6h6g", "1b1a", NULL};
    Fixture fixture;
    int ply = begin_after(&fixture, "sfen 8k/9/9/9/9/9/9/9/K2R5 w rs 1", moves);
    Score alpha = worker_evaluate(fixture.worker) + 100;
    CHECK_INT(node_search(fixture.worker, ply, 6, alpha, alpha + 1, true), SCORE_SUPERIOR);
    end_after(&fixture, ply);
}

/* Step 14: a singular search leaves out the excluded move, and stores nothing. */
static void excluded_move(void) {
    Fixture fixture;
    begin(&fixture, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 w Gp 1");
    Worker *worker = fixture.worker;
    worker_do(worker, 0, usimove_read(SV("P*9h")));
    worker_stack(worker, 1)->excluded_move = usimove_read(SV("G*5b"));
    Score without = node_search(worker, 1, 3, -SCORE_INFINITE, SCORE_INFINITE, false);
    TtEntry entry;
    CHECK(without < SCORE_MATE_BOUND);
    CHECK(!tt_probe(&fixture.shared.tt, pos_key(&worker->pos), 1, &entry));
    worker_undo(worker);
    end(&fixture);
}

/* Step 21: a side without a legal move loses, also if it is not in check. */
static void no_legal_move(void) {
    Fixture fixture;
    begin(&fixture, "sfen k8/2G6/1G7/9/9/9/9/9/K8 b P 1");
    CHECK_INT(search_after(&fixture, "P*9h", 4, -100, 100), score_mated_in(1));
    end(&fixture);
}

/* Once the quota is used up, the search returns at once and counts no further node. */
static void quota(void) {
    Fixture fixture;
    begin(&fixture, "startpos");
    fixture.worker->state.is_committed = false;
    fixture.worker->state.node_quota = 500;
    search_after(&fixture, "7g7f", 20, -SCORE_INFINITE, SCORE_INFINITE);
    CHECK(worker_is_stopped(fixture.worker));
    CHECK_INT((int64_t)worker_nodes(fixture.worker), 500);
    end(&fixture);
}

/* Quiescence search takes an undefended piece, and stands pat rather than lose one. */
static void quiescence(void) {
    Fixture fixture;
    begin(&fixture, "sfen 4k4/9/9/9/4r4/9/9/4L4/4K4 w - 1");
    Worker *worker = fixture.worker;
    worker_do(worker, 0, usimove_read(SV("5a4a")));
    CHECK(qsearch(worker, 1, 0, -SCORE_INFINITE, SCORE_INFINITE) > worker_evaluate(worker) + 500);
    worker_undo(worker);
    end(&fixture);
    begin(&fixture, "sfen 4k4/9/4s4/4p4/9/9/9/4L4/4K4 w - 1");
    worker = fixture.worker;
    worker_do(worker, 0, usimove_read(SV("5a4a")));
    CHECK_INT(qsearch(worker, 1, 0, -SCORE_INFINITE, SCORE_INFINITE), worker_evaluate(worker));
    worker_undo(worker);
    end(&fixture);
}

UNIT_MAIN({"reductions grow", reductions_grow}, {"mate in one", mate_in_one},
          {"mate distance", mate_distance}, {"repetition", repetition},
          {"perpetual check", perpetual_check}, {"superior position", superior_position},
          {"superior by capture", superior_by_capture}, {"excluded move", excluded_move},
          {"no legal move", no_legal_move}, {"quota", quota}, {"quiescence", quiescence})
