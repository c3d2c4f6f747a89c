#include "search/node.h"

#include "rules/declare.h"
#include "rules/repetition.h"
#include "search/evaluate.h"
#include "search/movepick.h"
#include "search/qsearch.h"
#include "search/worker.h"

/* Occurrences before the root count as repetition when they are not longer ago than this. */
#define REPETITION_WINDOW 32

#define NULL_MOVE_DEPTH   3 /* pass only at this depth and above */
#define LATE_MOVES        4 /* moves after these are reduced */
#define LATE_DEPTH        3
#define TRIED_MOST        64

/* What a node works with while it tries its moves. */
typedef struct NodeState {
    int ply;
    int depth;
    Score alpha;
    Score beta;
    bool is_pv;
    bool in_check;
    Score best;
    Move best_move;
    int tried_count; /* quiet moves that failed to refute */
    Move tried[TRIED_MOST];
} NodeState;

/* Wins and losses by hands count only inside the tree: before the root they were no mistake that
 * the search could force again. */
static bool is_repeated(const Worker *worker, int ply, Score *score) {
    const Position *pos = &worker->pos;
    Repetition repetition = rep_search(pos, int_max(ply, REPETITION_WINDOW));
    if (repetition == REP_SUPERIOR || repetition == REP_INFERIOR) {
        repetition = rep_search(pos, ply);
    }
    switch (repetition) {
    case REP_DRAW:
        *score = worker_draw_score(worker);
        return true;
    case REP_WIN:
        *score = score_mate_in(ply);
        return true;
    case REP_LOSS:
        *score = score_mated_in(ply);
        return true;
    case REP_SUPERIOR:
        *score = SCORE_SUPERIOR;
        return true;
    case REP_INFERIOR:
        *score = -SCORE_SUPERIOR;
        return true;
    default:
        return false;
    }
}

static bool can_declare(const Worker *worker) {
    const Position *pos = &worker->pos;
    DeclareRule rule = worker->shared->options.declare;
    Square king = pos->king[pos->side];
    if (rule == DECLARE_NONE || king == SQ_NONE || !sq_in_zone(pos->side, king)) {
        return rule == DECLARE_TRY && declare_try_move(pos) != MOVE_NONE;
    }
    return declare_result(pos, rule) == DECLARE_WIN ||
           (rule == DECLARE_TRY && declare_try_move(pos) != MOVE_NONE);
}

/* The rules that end the game here, mate apart. */
static bool is_decided(const Worker *worker, int ply, Score *score) {
    int max_plies = worker->shared->options.max_plies;
    if (is_repeated(worker, ply, score)) {
        return true;
    }
    if (can_declare(worker)) {
        *score = score_mate_in(ply + 1);
        return true;
    }
    if (max_plies > 0 && worker->pos.ply > max_plies && !pos_in_check(&worker->pos)) {
        *score = worker_draw_score(worker);
        return true;
    }
    return false;
}

static bool is_table_cut(const TtEntry *entry, const NodeState *node) {
    if (node->is_pv || entry->depth < node->depth || entry->score == SCORE_NONE) {
        return false;
    }
    return entry->bound == BOUND_EXACT ||
           entry->bound == (entry->score >= node->beta ? BOUND_LOWER : BOUND_UPPER);
}

/* A side that may even pass and still stands above beta will do so by a real move. */
static bool is_null_cut(Worker *worker, const NodeState *node, Score eval) {
    const Frame *before = &worker->frames[node->ply - 1];
    if (node->is_pv || node->in_check || node->depth < NULL_MOVE_DEPTH || eval < node->beta ||
        before->move == MOVE_NULL || score_is_mate(node->beta)) {
        return false;
    }
    int reduction = 3 + node->depth / 4;
    worker->frames[node->ply].move = MOVE_NULL;
    pos_do_null(&worker->pos);
    Score score =
        -node_search(worker, node->ply + 1, node->depth - reduction, -node->beta, -node->beta + 1);
    pos_undo_null(&worker->pos);
    return score >= node->beta && !worker_is_stopped(worker);
}

static int reduction_of(const NodeState *node, int number, bool is_quiet) {
    if (node->depth < LATE_DEPTH || number <= LATE_MOVES || !is_quiet || node->in_check) {
        return 0;
    }
    return int_min(1 + (number > 12) + (number > 30) + node->depth / 8, node->depth - 2);
}

/* Principal variation search of one move: a null window first, reduced for late moves; the full
 * window only for what may be better. */
static Score search_move(Worker *worker, const NodeState *node, Move move, int number) {
    Position *pos = &worker->pos;
    bool is_quiet = !pos_is_capture(pos, move) && !move_is_promotion(move);
    worker->frames[node->ply].move = move;
    pos_do(pos, move);
    int depth = node->depth - 1 + pos_in_check(pos);
    int reduction = pos_in_check(pos) ? 0 : reduction_of(node, number, is_quiet);
    int ply = node->ply + 1;
    Score score = node->alpha + 1;
    if (!node->is_pv || number > 1) {
        score = -node_search(worker, ply, depth - reduction, -node->alpha - 1, -node->alpha);
        if (score > node->alpha && reduction > 0) {
            score = -node_search(worker, ply, depth, -node->alpha - 1, -node->alpha);
        }
    }
    if (node->is_pv && (number == 1 || (score > node->alpha && score < node->beta))) {
        score = -node_search(worker, ply, depth, -node->beta, -node->alpha);
    }
    pos_undo(pos);
    return score;
}

static void remember_refutation(Worker *worker, const NodeState *node, Move move) {
    Frame *frame = &worker->frames[node->ply];
    if (frame->killers[0] != move) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = move;
    }
    Color us = worker->pos.side;
    history_reward(&worker->history, us, move, node->depth);
    history_punish(&worker->history, us, node->tried, node->tried_count, node->depth);
}

static void search_moves(Worker *worker, NodeState *node, Move table_move) {
    const Position *pos = &worker->pos;
    MovePicker picker;
    movepick_init(&picker, pos, &worker->history, table_move, worker->frames[node->ply].killers);
    picker.has_all_moves = worker->shared->options.has_all_moves;
    int number = 0;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        bool is_quiet = !pos_is_capture(pos, move) && !move_is_promotion(move);
        Score score = search_move(worker, node, move, ++number);
        if (worker_is_stopped(worker)) {
            return;
        }
        if (score > node->best) {
            node->best = score;
            if (score > node->alpha) {
                node->alpha = score;
                node->best_move = move;
                worker_update_pv(worker, node->ply, move);
            }
            if (score >= node->beta) {
                if (is_quiet) {
                    remember_refutation(worker, node, move);
                }
                return;
            }
        }
        if (is_quiet && node->tried_count < TRIED_MOST) {
            node->tried[node->tried_count++] = move;
        }
    }
}

static void store(Worker *worker, const NodeState *node, Score alpha, Score eval) {
    Bound bound = node->best >= node->beta ? BOUND_LOWER
                  : node->best > alpha     ? BOUND_EXACT
                                           : BOUND_UPPER;
    TtEntry entry = {.move = node->best_move,
                     .score = node->best,
                     .eval = eval,
                     .depth = node->depth,
                     .bound = bound,
                     .is_pv = node->is_pv};
    tt_store(&worker->shared->tt, pos_key(&worker->pos), node->ply, &entry);
}

/* True when the node is answered without trying a move. */
static bool is_answered_early(const Worker *worker, int ply, Score *alpha, Score *beta,
                              Score *score) {
    if (is_decided(worker, ply, score)) {
        return true;
    }
    if (ply >= MAX_PLY) {
        *score = evaluate(&worker->pos);
        return true;
    }
    /* No line through here can be better than a mate found nearer to the root. */
    *alpha = int_max(*alpha, score_mated_in(ply));
    *beta = int_min(*beta, score_mate_in(ply + 1));
    *score = *alpha;
    return *alpha >= *beta;
}

Score node_search(Worker *worker, int ply, int depth, Score alpha, Score beta) {
    if (depth <= 0) {
        return qsearch(worker, ply, alpha, beta);
    }
    Frame *frame = &worker->frames[ply];
    frame->pv.len = 0;
    if (!worker_count_node(worker)) {
        return SCORE_DRAW;
    }
    worker->seldepth = int_max(worker->seldepth, ply);
    Score score;
    if (is_answered_early(worker, ply, &alpha, &beta, &score)) {
        return score;
    }
    NodeState node = {.ply = ply,
                      .depth = depth,
                      .alpha = alpha,
                      .beta = beta,
                      .is_pv = beta - alpha > 1,
                      .in_check = pos_in_check(&worker->pos),
                      .best = score_mated_in(ply)};
    TtEntry entry = {.move = MOVE_NONE, .eval = SCORE_NONE};
    bool is_known = tt_probe(&worker->shared->tt, pos_key(&worker->pos), ply, &entry);
    if (is_known && is_table_cut(&entry, &node)) {
        return entry.score;
    }
    Score eval = node.in_check              ? SCORE_NONE
                 : entry.eval != SCORE_NONE ? entry.eval
                                            : evaluate(&worker->pos);
    frame->eval = eval;
    worker->frames[ply + 1].killers[0] = MOVE_NONE;
    worker->frames[ply + 1].killers[1] = MOVE_NONE;
    if (is_null_cut(worker, &node, eval)) {
        return beta;
    }
    search_moves(worker, &node, entry.move);
    if (!worker_is_stopped(worker)) {
        store(worker, &node, alpha, eval);
    }
    return node.best;
}
