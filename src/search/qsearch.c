/* qsearch.c: quiescence search. A node first stands pat on its static evaluation, then tries
 * captures and promotions that lose little or no material by static exchange evaluation. In check
 * it tries the captures among the evasions and a few others. Start reading at search_quiescent, at
 * the end of the file. */
#include "search/qsearch.h"

#include <stdlib.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "rules/see.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/worker.h"

typedef struct QNode {
    int ply;
    int depth; /* 0 on the first ply, negative on later plies */
    Score alpha;
    Score beta;
    bool in_check;
    bool tt_hit;
    TtEntry tt_entry;
    Score raw_eval;
    Score best_score;
    Move best_move;
    Score futility_base; /* the best possible score of a move, not counting the captured piece */
} QNode;

static Score search_quiescent(Worker *worker, int ply, int depth, Score alpha, Score beta);

static bool is_tt_cut(const QNode *node) {
    const TtEntry *entry = &node->tt_entry;
    if (!node->tt_hit || node->beta - node->alpha > 1) {
        return false;
    }
    return tt_decides(entry, node->beta);
}

/* Stores the node in the hash table. Only a mate in one is stored as exact, because no deeper
 * search can improve on it. */
static void store(Worker *worker, const QNode *node, Bound bound) {
    TtEntry entry = {.move = node->best_move,
                     .score = node->best_score,
                     .eval = node->raw_eval,
                     .depth = bound == BOUND_EXACT ? MAX_PLY : 0,
                     .bound = bound,
                     .is_pv = node->tt_hit && node->tt_entry.is_pv};
    tt_store(&worker->shared->tt, pos_key(&worker->pos), node->ply, &entry);
}

/* True if the position is known to have no mate in one. A mate in the hash table is ignored here,
 * so that a PV node finds the mate again and keeps its line. */
static bool has_no_mate(const QNode *node) {
    const TtEntry *entry = &node->tt_entry;
    return node->tt_hit && tt_is_mate_tested(entry) && entry->score < SCORE_MATE_BOUND;
}

/* The more a score exceeds beta, the less certain it is, so it is moved half of the way to beta.
 * Mate and repetition scores are certain and stay unchanged. */
static Score soften(Score score, Score beta) {
    return score > beta && abs(score) < SCORE_EVAL_MAX ? (score + beta) / 2 : score;
}

/* Stand pat: sets the score to the static evaluation. True if that decides the node. */
static bool stands_pat(Worker *worker, QNode *node) {
    const Position *pos = &worker->pos;
    bool has_eval = node->tt_hit && node->tt_entry.eval != SCORE_NONE;
    node->raw_eval = has_eval ? node->tt_entry.eval : worker_evaluate(worker);
    node->best_score = worker_correct(worker, node->ply, node->raw_eval);
    worker->stack[node->ply].static_eval = node->best_score;
    if (node->tt_hit) {
        node->best_score = tt_refine(&node->tt_entry, node->best_score);
    }
    if (node->best_score >= node->beta) {
        node->best_score = soften(node->best_score, node->beta);
        if (!node->tt_hit) {
            store(worker, node, BOUND_LOWER);
        }
        return true;
    }
    Move mate = has_no_mate(node) ? MOVE_NONE : mate1_find(pos);
    if (mate != MOVE_NONE) {
        node->best_score = score_mate_in(node->ply + 1);
        node->best_move = mate;
        worker->lines[node->ply + 1].len = 0;
        worker_update_pv(worker, node->ply, mate);
        store(worker, node, BOUND_EXACT);
        return true;
    }
    node->alpha = int_max(node->alpha, node->best_score);
    node->futility_base = node->best_score + P_QS_FUTILITY;
    return false;
}

/* True if the move is not worth searching: it comes late, goes to another square than the last move
 * in a long sequence, loses material, or cannot raise the score to alpha (futility pruning). In the
 * last case the node's score is raised to the best score that the move could have reached. `number`
 * moves have been searched before. Nothing is skipped while the best score means being mated. */
static bool is_skipped(const Worker *worker, QNode *node, Move move, int number) {
    const Position *pos = &worker->pos;
    if (node->best_score <= -SCORE_MATE_BOUND) {
        return false;
    }
    bool is_quiet = pos_is_quiet(pos, move);
    if (node->in_check) {
        return is_quiet && number >= P_QS_EVASIONS_MOST;
    }
    Move last = worker->stack[node->ply - 1].move;
    bool is_recapture = last != MOVE_NULL && move_to(move) == move_to(last);
    if (node->depth < -P_QS_DEPTH && !is_recapture) {
        return true;
    }
    if (!is_quiet && number >= P_QS_MOVES && !is_recapture && !pos_gives_check(pos, move)) {
        return true;
    }
    if (is_quiet) {
        return number >= P_QS_CHECK_MOST || !see_reaches(pos, move, 0, values_capture());
    }
    Score gain = values_move_gain(pos, move);
    if (node->futility_base + gain <= node->alpha && !pos_gives_check(pos, move)) {
        node->best_score = int_max(node->best_score, node->futility_base + gain);
        return true;
    }
    return false;
}

static void begin_context(Worker *worker, const QNode *node, PickContext *context) {
    *context =
        (PickContext){.history = &worker->history, .tt = &worker->shared->tt, .ply = LOW_PLIES};
    context->pawn_history = worker->stack[node->ply].corrections.pawn_history;
    worker_continuations(worker, node->ply, context->continuations);
}

static void search_moves(Worker *worker, QNode *node) {
    PickContext context;
    begin_context(worker, node, &context);
    MovePicker picker;
    movepick_init_tactical(&picker, &worker->pos, &context, node->tt_entry.move, P_QS_SEE);
    picker.has_checks = node->depth == 0 && P_QS_CHECK_MOST > 0;
    int number = 0;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (is_skipped(worker, node, move, number)) {
            continue;
        }
        number++;
        worker_do(worker, node->ply, move);
        Score score =
            -search_quiescent(worker, node->ply + 1, node->depth - 1, -node->beta, -node->alpha);
        worker_undo(worker);
        if (worker_is_stopped(worker)) {
            return;
        }
        if (score > node->best_score) {
            node->best_score = score;
            if (score > node->alpha) {
                node->best_move = move;
                node->alpha = score;
                worker_update_pv(worker, node->ply, move);
            }
            if (score >= node->beta) {
                return;
            }
        }
    }
}

static Score search_quiescent(Worker *worker, int ply, int depth, Score alpha, Score beta) {
    const Position *pos = &worker->pos;
    worker->lines[ply].len = 0;
    if (!worker_enter_node(worker, ply)) {
        return SCORE_DRAW;
    }
    if (ply >= MAX_PLY) {
        return worker_evaluate(worker);
    }
    QNode node = {.ply = ply,
                  .depth = depth,
                  .alpha = alpha,
                  .beta = beta,
                  .in_check = pos_in_check(pos),
                  .raw_eval = SCORE_NONE,
                  .best_score = score_mated_in(ply)};
    node.tt_hit = worker_probe(worker, ply, &node.tt_entry);
    if (is_tt_cut(&node)) {
        return node.tt_entry.score;
    }
    /* Set only now, because a main search node that tries razoring keeps its own evaluation
     * here. */
    worker->stack[ply].static_eval = SCORE_NONE;
    worker->stack[ply].in_check = node.in_check;
    if (!node.in_check && stands_pat(worker, &node)) {
        return node.best_score;
    }
    search_moves(worker, &node);
    node.best_score = soften(node.best_score, beta);
    if (!worker_is_stopped(worker)) {
        store(worker, &node, node.best_score >= beta ? BOUND_LOWER : BOUND_UPPER);
    }
    return node.best_score;
}

Score qsearch(Worker *worker, int ply, Score alpha, Score beta) {
    return search_quiescent(worker, ply, 0, alpha, beta);
}
