/* root.c: iterative deepening. Each iteration searches all root moves one ply deeper, with a window
 * around the last score that is widened until the new score lies inside (aspiration windows). Start
 * reading at root_search; below a root move the search continues in node.c. */
#include "search/root.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "rules/movegen.h"
#include "rules/repetition.h"
#include "search/gameend.h"
#include "search/node.h"
#include "search/params.h"
#include "search/report.h"
#include "search/worker.h"

/* In a timed game with only one legal move, a deeper search would be useless. */
#define SINGLE_REPLY_DEPTH 6

static bool is_search_move(const GoLimits *limits, Move move) {
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return true;
        }
    }
    return limits->search_move_count == 0;
}

/* Collects the root moves. Non-promotions are included only if an option or searchmoves asks for
 * them; wherever one is legal, the promotion is legal too. */
static int collect_moves(Worker *worker) {
    const Position *pos = &worker->pos;
    const SearchShared *shared = worker->shared;
    bool has_all = shared->options.generate_all_legal_moves || shared->limits.search_move_count > 0;
    Move moves[MAX_MOVES];
    int count;
    if (has_all) {
        count = gen_moves(pos, GEN_LEGAL, moves);
    } else if (pos_in_check(pos)) {
        count = gen_moves(pos, GEN_EVASIONS, moves);
    } else {
        count = gen_moves(pos, GEN_CAPTURES, moves);
        count += gen_moves(pos, GEN_QUIETS, moves + count);
    }
    for (int i = 0; i < count; i++) {
        if (is_search_move(&shared->limits, moves[i])) {
            worker->root_moves[worker->state.root_move_count++] =
                (RootMove){.move = moves[i],
                           .score = -SCORE_INFINITE,
                           .previous_score = -SCORE_INFINITE,
                           .bound = BOUND_EXACT,
                           .pv = {.len = 1, .moves = {moves[i]}}};
        }
    }
    return worker->state.root_move_count;
}

/* The lower of two limits, where 0 means no limit. */
static uint64_t least_limit(uint64_t a, uint64_t b) {
    return a == 0 || (b > 0 && b < a) ? b : a;
}

uint64_t root_node_limit(const SearchShared *shared) {
    uint64_t limit = least_limit(shared->limits.nodes, shared->options.nodes_limit);
    return least_limit(limit, shared->options.skill.nodes);
}

int root_prepare(Worker *worker) {
    pos_copy(&worker->pos, &worker->shared->pos);
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    /* The worker's share of the node limit. There are never more workers than nodes. */
    uint64_t limit = root_node_limit(worker->shared);
    uint64_t workers = (uint64_t)worker->shared->worker_count;
    uint64_t share = limit / workers + ((uint64_t)worker->index < limit % workers);
    worker->state = (SearchState){.node_quota = limit == 0 ? UINT64_MAX : share,
                                  .is_committed = worker->index == 0,
                                  .has_threefold = repetition_has_any(&worker->pos, 3),
                                  .feedback = {.best_share = 0.5}};
    worker_clear_stack(worker);
    worker_stack(worker, 0)->tt_pv = true;
    if (worker->is_new_game) {
        worker_forget(worker);
    }
    memset(worker->history.low_ply, 0, sizeof(worker->history.low_ply));
    return collect_moves(worker);
}

static bool has_more_score(const RootMove *a, const RootMove *b) {
    return a->score > b->score;
}

static bool has_more_nodes(const RootMove *a, const RootMove *b) {
    return a->nodes > b->nodes;
}

/* Sorts the moves from `first` on. Insertion sort is stable, and fast because few moves change
 * places. */
static void sort_moves(Worker *worker, int first,
                       bool (*is_before)(const RootMove *, const RootMove *)) {
    for (int i = first + 1; i < worker->state.root_move_count; i++) {
        if (!is_before(&worker->root_moves[i], &worker->root_moves[i - 1])) {
            continue;
        }
        RootMove moved = worker->root_moves[i];
        int at = i;
        for (; at > first && is_before(&moved, &worker->root_moves[at - 1]); at--) {
            worker->root_moves[at] = worker->root_moves[at - 1];
        }
        worker->root_moves[at] = moved;
    }
}

/* Called when the search is stopped in move `number`. If the first move has just turned out to be
 * lost, the best of the others goes to the front, because they need not be lost: the next one that
 * has not failed against a proven loss. All that is known of its score is that the best of the last
 * iteration was no worse. */
static void leave_lost_move(Worker *worker, int number) {
    const SearchState *state = &worker->state;
    RootMove *first = &worker->root_moves[0];
    int next = first->bound == BOUND_EXACT ? number : 1;
    if (state->pv_index == 0 && rootmove_is_current(first) && first->score < -SCORE_EVAL_MAX &&
        first->previous_score >= -SCORE_EVAL_MAX && next < state->root_move_count) {
        RootMove *other = &worker->root_moves[next];
        other->score = first->previous_score;
        other->bound = BOUND_UPPER;
        other->exact_depth = 0;
        other->pv = (PvLine){.len = 1, .moves = {other->move}};
    }
}

/* Searches the root moves from pv_index on with one window: the root as a node of the tree. Moves
 * that do not reach alpha keep the score -SCORE_INFINITE, so that the order of the others is
 * preserved. */
static Score search_root(Worker *worker, int depth, Score alpha, Score beta) {
    const Position *pos = &worker->pos;
    SearchState *state = &worker->state;
    Stack *ss = worker_stack(worker, 0);
    Score best_score = -SCORE_INFINITE;
    (ss + 2)->cutoff_count = 0;
    (ss + 2)->killers[0] = (ss + 2)->killers[1] = MOVE_NONE;
    for (int number = 0; state->pv_index + number < state->root_move_count; number++) {
        RootMove *root = &worker->root_moves[state->pv_index + number];
        uint64_t nodes_before = worker_nodes(worker);
        state->seldepth = 0;

        /* Late move reduction of quiet moves, slightly less than in the tree. */
        int reduction = 0;
        if (depth >= P_ROOT_LMR_DEPTH && number >= P_ROOT_LMR_MOVES && !pos_in_check(pos) &&
            pos_is_quiet(pos, root->move) && !pos_gives_check(pos, root->move)) {
            reduction = (node_reduction(depth, number + 1, true) - P_ROOT_LMR_LESS) / 1024;
            reduction = int_clamp(reduction, 0, depth - 2);
        }

        /* Principal variation search: a null window at reduced depth, then at full depth, then the
         * full window. */
        worker_do(worker, 0, root->move);
        Score score = alpha + 1;
        if (reduction > 0) {
            score = -node_search(worker, 1, depth - 1 - reduction, -alpha - 1, -alpha, true);
        }
        if (number > 0 && score > alpha && !worker_is_stopped(worker)) {
            score = -node_search(worker, 1, depth - 1, -alpha - 1, -alpha, true);
        }
        if (number == 0 || (score > alpha && !worker_is_stopped(worker))) {
            score = -node_search(worker, 1, depth - 1, -beta, -alpha, false);
        }
        worker_undo(worker);
        root->nodes += worker_nodes(worker) - nodes_before;
        if (worker_is_stopped(worker)) {
            leave_lost_move(worker, number);
            break;
        }

        /* The result of the move. The line of a score outside the window is incomplete, so it does
         * not replace a recent exact one. */
        bool is_exact = score > alpha && score < beta;
        root->score = -SCORE_INFINITE;
        if (number == 0 || score > alpha) {
            bool has_exact = root->exact_depth > 0 && root->exact_depth >= state->root_depth - 1;
            root->score = score;
            root->bound = is_exact ? BOUND_EXACT : score >= beta ? BOUND_LOWER : BOUND_UPPER;
            root->seldepth = state->seldepth;
            if (is_exact) {
                root->exact_score = score;
            }
            if (is_exact || !has_exact) {
                root->exact_depth = is_exact ? state->root_depth : 0;
                worker_update_pv(worker, 0, root->move);
                root->pv = worker->lines[0];
            }
        }
        if (worker->index == 0) {
            report_root_move(worker, root, depth);
        }
        best_score = int_max(best_score, score);
        alpha = int_max(alpha, score);
        if (alpha >= beta) {
            break;
        }
    }
    return best_score;
}

/* Searches the reported lines one ply deeper than before. On a stop, it returns early. */
static void search_iteration(Worker *worker, int depth) {
    SearchState *state = &worker->state;
    RootMove *roots = worker->root_moves;
    int lines = worker_line_count(worker);
    state->root_depth = depth;
    for (int i = 0; i < state->root_move_count; i++) {
        roots[i].previous_score = rootmove_score(&roots[i]);
        roots[i].score = -SCORE_INFINITE;
    }
    /* The moves after the reported lines are ordered by their nodes, so that the moves that were
     * hardest to refute come first. */
    sort_moves(worker, lines, has_more_nodes);
    for (state->pv_index = 0; state->pv_index < lines; state->pv_index++) {
        /* Aspiration window: around the last score, widened until the new score lies inside. */
        Score previous = roots[state->pv_index].previous_score;
        bool is_narrow = depth >= P_ASPIRATION_DEPTH && previous != -SCORE_INFINITE;
        int width = P_ASPIRATION_DELTA;
        Score alpha = is_narrow ? int_max(previous - width, -SCORE_INFINITE) : -SCORE_INFINITE;
        Score beta = is_narrow ? int_min(previous + width, SCORE_INFINITE) : SCORE_INFINITE;
        for (;;) {
            state->root_delta = beta - alpha;
            Score score = search_root(worker, depth, alpha, beta);
            sort_moves(worker, state->pv_index, has_more_score);
            if (worker_is_stopped(worker) || (score > alpha && score < beta)) {
                break;
            }
            if (worker->index == 0) {
                report_fail(worker, depth);
            }
            width += width * P_ASPIRATION_GROWTH / 100;
            bool is_widest = width > P_ASPIRATION_WIDEST;
            if (score <= alpha) {
                beta = (alpha + beta) / 2;
                alpha = is_widest ? -SCORE_INFINITE : int_max(score - width, -SCORE_INFINITE);
            } else {
                beta = is_widest ? SCORE_INFINITE : int_min(score + width, SCORE_INFINITE);
            }
        }
        state->is_committed = false;
        sort_moves(worker, 0, has_more_score);
        if (worker_is_stopped(worker)) {
            return;
        }
    }
    state->completed_depth = depth;
    if (lines == 1) {
        /* Share the line, unless another worker was faster. */
        SharedIteration *iteration = &worker->shared->iteration;
        pthread_mutex_lock(&iteration->lock);
        if (!worker_iteration_has_passed(worker->shared, depth)) {
            iteration->best = roots[0];
            atomic_store_explicit(&iteration->depth, depth, memory_order_relaxed);
        }
        pthread_mutex_unlock(&iteration->lock);
    }
}

/* Adopts the line and the depth of the worker that finished the iteration first. */
static int take_over(Worker *worker) {
    SearchState *state = &worker->state;
    SharedIteration *iteration = &worker->shared->iteration;
    pthread_mutex_lock(&iteration->lock);
    RootMove line = iteration->best;
    int depth = atomic_load_explicit(&iteration->depth, memory_order_relaxed);
    pthread_mutex_unlock(&iteration->lock);
    int at = 0;
    for (int i = 0; i < state->root_move_count; i++) {
        worker->root_moves[i].score = -SCORE_INFINITE;
        at = worker->root_moves[i].move == line.move ? i : at;
    }
    ASSERT(worker->root_moves[at].move == line.move);
    line.nodes = worker->root_moves[at].nodes;
    memmove(&worker->root_moves[1], &worker->root_moves[0], (size_t)at * sizeof(RootMove));
    worker->root_moves[0] = line;
    state->root_depth = depth;
    state->completed_depth = depth;
    state->is_overtaken = false;
    return depth;
}

/* Called by worker 0 after an iteration; true if the search should end by its time. */
static bool is_time_over(Worker *worker, int depth, Move last_best, Score last_score) {
    SearchShared *shared = worker->shared;
    TimeFeedback *feedback = &worker->state.feedback;
    const RootMove *best = &worker->root_moves[0];
    uint64_t nodes = worker_nodes(worker);
    feedback->stable_iterations = best->move == last_best ? feedback->stable_iterations + 1 : 0;
    feedback->score_drop = last_score == -SCORE_INFINITE ? 0 : last_score - best->score;
    feedback->best_share = nodes > 0 ? (double)best->nodes / (double)nodes : 0.5;
    /* Clear: there is only one move, or a mate that is much shorter than the depth searched. */
    bool is_only_move = worker->state.root_move_count == 1 && shared->limits.search_move_count == 0;
    bool is_clear = (is_only_move && depth >= SINGLE_REPLY_DEPTH) ||
                    (score_is_mate(best->score) && depth > 2 * abs(score_mate_plies(best->score)));
    return stoptimer_ends_iteration(&shared->timer, &shared->options.time, feedback, is_clear);
}

/* ---- The mate solver at the root. ---- */

/* The size of its table, enough for a few hundred thousand nodes. If there are more, the solver
 * discards the results of small trees first. */
#define MATE_TABLE_BYTES ((size_t)8 << 20)

void root_mate_init(RootMate *mate) {
    mate->solver = NULL;
    mate->needed = 0;
}

void root_mate_free(RootMate *mate) {
    matesolver_free(mate->solver);
    root_mate_init(mate);
}

void root_mate_begin(RootMate *mate, const Position *root, KmdDeclareRule rule) {
    mate->promised = 2 * mate->needed;
    mate->needed = 0;
    mate->spent = 0;
    /* Under the try rule the checked king may win by reaching its goal, a rule that the solver does
     * not know. The other rules allow no declaration in check. */
    mate->is_over = P_ROOT_MATE_SHARE == 0 || root->king[color_flip(root->side)] == SQ_NONE ||
                    rule == KMD_DECLARE_TRY;
}

bool root_mate_slice(RootMate *mate, const Position *root, uint64_t searched, int longest_mate,
                     const atomic_bool *stop) {
    /* The nodes earned by the search so far, less those spent. */
    uint64_t early = P_ROOT_MATE_EARLY;
    uint64_t early_nodes = early * P_ROOT_MATE_EARLY_SHARE; /* they earn the early ones */
    uint64_t earned = searched / P_ROOT_MATE_EARLY_SHARE;
    if (earned > early) {
        earned = early + (searched - early_nodes) / P_ROOT_MATE_SHARE;
    }
    uint64_t length = earned > mate->spent ? earned - mate->spent : 0;
    if (mate->spent == 0 && length < mate->promised) {
        length = mate->promised;
    }
    if (mate->is_over || length < (uint64_t)P_ROOT_MATE_MIN || length == 0) {
        return false;
    }
    if (mate->spent == 0) {
        /* The solver does not know the moves before the root: if a position has already occurred
         * three times, its mate might repeat that position by checks alone, which loses. Tested
         * before the first slice rather than at the start of the search, because many searches end
         * earlier and testing a long game takes time. */
        bool is_usable = !repetition_has_any(root, 3);
        if (is_usable && mate->solver == NULL) {
            mate->solver = matesolver_new(MATE_TABLE_BYTES, 1);
        }
        if (!is_usable || mate->solver == NULL) {
            mate->is_over = true;
            return false;
        }
    }
    MateSolverOptions options = {
        .nodes = length, .stop = stop, .believes_none = true, .keeps_table = true};
    matesolver_solve(mate->solver, root, &options, &mate->answer);
    mate->spent += mate->answer.nodes;
    bool is_found = mate->answer.verdict == MATE_FOUND && mate->answer.len <= longest_mate;
    mate->needed = is_found ? mate->answer.nodes : 0;
    mate->is_over = mate->answer.verdict != MATE_UNKNOWN;
    return is_found;
}

/* Makes the solver's mate the first line. The first move of that mate need not be among the root
 * moves searched. If the solver ran out of memory, the line may be longer than the mate; it is then
 * cut to the length of the mate. */
static void note_mate(Worker *worker, const MateAnswer *mate) {
    RootMove *best = &worker->root_moves[0];
    int line_len = int_min(mate->line_len, mate->len);
    ASSERT(mate->len <= MAX_PLY);
    *best = (RootMove){.move = mate->line[0],
                       .score = score_mate_in(mate->len),
                       .previous_score = score_mate_in(mate->len),
                       .bound = BOUND_EXACT,
                       .exact_score = score_mate_in(mate->len),
                       .exact_depth = worker->state.root_depth,
                       .seldepth = mate->len,
                       .pv = {.len = line_len}};
    memcpy(best->pv.moves, mate->line, (size_t)line_len * sizeof(Move));
    worker->state.is_proved = true;
}

/* Called by worker 0 between iterations; true if the solver has found a mate, which ends the
 * search. Not used with MultiPV or searchmoves. */
static bool search_root_mate(Worker *worker) {
    SearchShared *shared = worker->shared;
    if (worker_line_count(worker) > 1 || shared->limits.search_move_count > 0 ||
        shared->options.skill.is_limited || score_is_mate(rootmove_score(&worker->root_moves[0]))) {
        return false;
    }
    RootMate *mate = &shared->root_mate;
    int max_plies = shared->options.max_moves_to_draw;
    int mate_len_max = max_plies > 0 ? int_min(max_plies - shared->pos.ply + 1, MAX_PLY) : MAX_PLY;
    bool is_found = root_mate_slice(mate, &worker->pos, worker_nodes(worker), mate_len_max,
                                    &shared->timer.stop);
    if (is_found) {
        note_mate(worker, &mate->answer);
        report_at_once(worker, worker->state.root_depth);
    }
    return is_found;
}

int root_depth_limit(const SearchShared *shared) {
    const SearchOptions *options = &shared->options;
    uint64_t limit = least_limit(MAX_PLY / 2, (uint64_t)shared->limits.depth);
    limit = least_limit(limit, (uint64_t)options->depth_limit);
    return (int)least_limit(limit, (uint64_t)options->skill.depth);
}

void root_search(Worker *worker) {
    SearchShared *shared = worker->shared;
    SearchState *state = &worker->state;
    Stack *ss = worker_stack(worker, 0);

    /* Evaluate the root, because the nodes two plies below compare their evaluation with it. If the
     * node limit is too low for even one move, the first move is played with this score. */
    Score eval = worker_evaluate(worker);
    worker->root_moves[0].previous_score = eval;
    ss->place = history_locate(&worker->history, &worker->pos);
    ss->in_check = pos_in_check(&worker->pos);
    ss->static_eval = ss->in_check ? SCORE_NONE : worker_correct(ss, eval);

    int last_depth = root_depth_limit(shared);
    for (int depth = 1; depth <= last_depth; depth++) {
        Move last_best = worker->root_moves[0].move;
        Score last_score = worker->root_moves[0].score;
        search_iteration(worker, depth);
        /* Another worker may have finished the iteration, even if this one is stopped before it
         * notices. */
        if (state->completed_depth < depth && worker_iteration_has_passed(shared, depth)) {
            depth = take_over(worker);
        }
        if (worker_is_stopped(worker)) {
            return;
        }
        if (worker->index != 0) {
            continue;
        }

        /* Worker 0 reports, and ends the search if the time is used, the move is clear, the mate
         * solver has found a mate, or self-play says so. */
        const SearchHooks *hooks = &shared->hooks;
        report_iteration(worker, depth);
        if (is_time_over(worker, depth, last_best, last_score) || search_root_mate(worker) ||
            (hooks->ends_after_iteration != NULL &&
             hooks->ends_after_iteration(hooks->context, worker_nodes(worker)))) {
            return;
        }
    }
}

Move root_ponder_move(Worker *worker, int rank) {
    const RootMove *best = &worker->root_moves[rank];
    int max_plies = worker->shared->options.max_moves_to_draw;
    Move reply = MOVE_NONE;
    pos_do(&worker->pos, best->move);
    /* No reply if the game is over by a fourth occurrence, a try or the move limit. */
    if (repetition_in_game(&worker->pos) == REP_NONE && !gameend_is_tried(worker) &&
        (max_plies == 0 || worker->pos.ply <= max_plies)) {
        reply = best->pv.len > 1 ? best->pv.moves[1] : worker_tt_move(worker);
    }
    pos_undo(&worker->pos);
    return reply;
}

int root_choose(const Worker *worker, uint64_t random) {
    /* A score of more centipawns than this means that the game is decided. Noise may hide the
     * difference between two wins or between two losses, but not the difference between a win and
     * an even game. */
    enum { DECIDED = 1300 };
    const Skill *skill = &worker->shared->options.skill;
    Rng rng = rng_init(random);
    int best = 0;
    int best_value = INT32_MIN;
    for (int rank = 0; rank < int_min(worker_line_count(worker), skill->lines); rank++) {
        Score score = rootmove_score(&worker->root_moves[rank]);
        if (score == -SCORE_INFINITE) {
            break;
        }
        /* Adding two random numbers makes small errors more frequent than large ones. */
        double error = rng_unit(&rng) + rng_unit(&rng) - 1.0;
        int value = int_clamp(score, -DECIDED, DECIDED) + (int)(error * skill->noise);
        if (value > best_value) {
            best = rank;
            best_value = value;
        }
    }
    return best;
}
