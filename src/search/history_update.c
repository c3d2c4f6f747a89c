/* history_update.c: updates the histories and correction histories after a node has tried its
 * moves. */
#include "search/history.h"

#include <stdlib.h>

#include "search/params.h"
#include "search/worker.h"

void history_tried_clear(Tried *tried) {
    tried->quiet_count = 0;
    tried->capture_count = 0;
}

void history_tried_add(Tried *tried, Move move, bool is_quiet) {
    if (is_quiet) {
        if (tried->quiet_count < TRIED_MAX) {
            tried->quiets[tried->quiet_count++] = move;
        }
    } else if (tried->capture_count < TRIED_MAX) {
        tried->captures[tried->capture_count++] = move;
    }
}

/* The share of a bonus, in 1024ths, that the continuation histories of the moves 1, 2, 3, 4 and 6
 * plies before get. */
static const int continuation_share[CONTINUATION_NB] = {1024, 700, 300, 560, 450};

/* Updates the continuation histories of the earlier moves; in check, only those of the last two. */
static void reward_continuations(Worker *worker, int ply, int mover, Move move, int bonus) {
    PieceToHistory *continuations[CONTINUATION_NB];
    const Stack *ss = worker_stack(worker, ply);
    worker_continuations(ss, continuations);
    int count = ss->in_check ? 2 : CONTINUATION_NB;
    for (int i = 0; i < count; i++) {
        if (continuations[i] != worker_no_continuation(worker)) {
            history_add(&worker->history, &(*continuations[i])[mover][move_to(move)],
                        bonus * continuation_share[i] / 1024, HISTORY_CONTINUATION_MAX);
        }
    }
}

static void reward_quiet(Worker *worker, int ply, Move move, int bonus) {
    const Position *pos = &worker->pos;
    History *history = &worker->history;
    history_add(history, history_quiet(history, pos->side, move), bonus, HISTORY_MAX);
    if (ply < LOW_PLIES) {
        history_add(history, history_low_ply(history, ply, move), bonus, HISTORY_MAX);
    }
    int mover = history_mover(pos, move);
    history_add(history, &(*worker_stack(worker, ply)->place.pawn_history)[mover][move_to(move)],
                bonus, HISTORY_MAX);
    reward_continuations(worker, ply, mover, move, bonus);
}

static void reward_capture(Worker *worker, Move move, int bonus) {
    history_add(&worker->history, history_capture(&worker->history, &worker->pos, move), bonus,
                HISTORY_CAPTURE_MAX);
}

/* Updates the continuation histories of the quiet move that led to the node at `ply`. */
static void reward_before(Worker *worker, int ply, int bonus) {
    const Stack *before = worker_stack(worker, ply) - 1;
    if (before->is_quiet) {
        reward_continuations(worker, ply - 1,
                             history_mover_after(before->moved_piece, before->move), before->move,
                             bonus);
    }
}

static void remember_refutation(Worker *worker, int ply, Move move) {
    Stack *ss = worker_stack(worker, ply);
    if (ss->killers[0] != move) {
        ss->killers[1] = ss->killers[0];
        ss->killers[0] = move;
    }
    const Stack *before = ss - 1;
    if (before->moved_piece != NO_PIECE) {
        history_set_counter(&worker->history, before->moved_piece, move_to(before->move), move);
    }
}

static int bonus_of(int depth) {
    return int_min(P_BONUS_SLOPE * depth + P_BONUS_BASE, P_BONUS_MAX);
}

static int malus_of(int depth) {
    return int_min(P_MALUS_SLOPE * depth + P_MALUS_BASE, P_MALUS_MAX);
}

void history_update_best(Worker *worker, int ply, int depth, Move best, bool is_tt_move,
                         const Tried *tried) {
    int bonus = bonus_of(depth) + P_BONUS_TT_MOVE * is_tt_move;
    int malus = malus_of(depth);
    if (pos_is_quiet(&worker->pos, best)) {
        remember_refutation(worker, ply, best);
        reward_quiet(worker, ply, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++) {
            reward_quiet(worker, ply, tried->quiets[i], -malus);
        }
    } else {
        reward_capture(worker, best, bonus);
    }
    for (int i = 0; i < tried->capture_count; i++) {
        reward_capture(worker, tried->captures[i], -malus);
    }
    if (ply > 1 && worker_stack(worker, ply - 1)->move_count == 1) {
        reward_before(worker, ply, -malus * P_MALUS_BEFORE / 1024);
    }
}

void history_update_tt_cut(Worker *worker, int ply, int depth, Move move) {
    if (move != MOVE_NONE && pos_is_quiet(&worker->pos, move)) {
        reward_quiet(worker, ply, move, int_min(bonus_of(depth), P_BONUS_TT_CUT_MAX));
    }
    if (ply > 1 && worker_stack(worker, ply - 1)->move_count <= 3) {
        reward_before(worker, ply, -P_MALUS_TT_CUT);
    }
}

/* The bonus, as a factor in 128ths, for a quiet move after which the node failed low. The bonus is
 * larger after a deep search, if the move came late or had a poor history, and if the score is well
 * below the static evaluation of the node or of its parent. */
static int surprise_of(const Stack *ss, int depth, Score best) {
    const Stack *before = ss - 1;
    Score eval = ss->static_eval;
    Score eval_before = before->static_eval;
    int scale = P_PRIOR_SCALE - before->stat_score / P_PRIOR_STAT +
                int_min(P_PRIOR_DEEP * depth, P_PRIOR_DEEP_MAX) +
                P_PRIOR_LATE * (before->move_count > 8);
    scale += P_PRIOR_SURPRISE * (eval != SCORE_NONE && best <= eval - P_PRIOR_MARGIN);
    scale += P_PRIOR_SURPRISE_BEFORE *
             (eval_before != SCORE_NONE && best <= -eval_before - P_PRIOR_MARGIN_BEFORE);
    return int_max(scale, 0);
}

/* Updates the histories of the quiet move that led to the node at `ply`; the bonus is in 128ths.
 * Pawn moves do not update the pawn history, because they change the pawn structure that indexes
 * it. */
static void reward_quiet_before(Worker *worker, int ply, int bonus) {
    const Stack *before = worker_stack(worker, ply) - 1;
    int mover = history_mover_after(before->moved_piece, before->move);
    History *history = &worker->history;
    reward_continuations(worker, ply - 1, mover, before->move,
                         bonus / 128 * P_PRIOR_CONTINUATION / 100);
    history_add(history, history_quiet(history, color_flip(worker->pos.side), before->move),
                bonus / 128 * P_PRIOR_QUIET / 100, HISTORY_MAX);
    if (piece_type(before->moved_piece) != PAWN) {
        history_add(history, &(*before->place.pawn_history)[mover][move_to(before->move)],
                    bonus / 128 * P_PRIOR_PAWN / 100, HISTORY_MAX);
    }
}

void history_update_fail_low(Worker *worker, int ply, int depth, Score best) {
    const Stack *before = worker_stack(worker, ply) - 1;
    Piece taken = worker->pos.now->captured;
    if (before->is_quiet) {
        int bonus = int_min(P_PRIOR_SLOPE * depth + P_PRIOR_BASE, P_PRIOR_MAX);
        reward_quiet_before(worker, ply,
                            bonus * surprise_of(worker_stack(worker, ply), depth, best));
    } else if (taken != NO_PIECE) {
        history_add(
            &worker->history,
            history_capture_after(&worker->history, before->move, before->moved_piece, taken),
            P_PRIOR_CAPTURE, HISTORY_CAPTURE_MAX);
    }
}

void history_update_eval(Worker *worker, int ply, Score gain) {
    const Stack *before = worker_stack(worker, ply) - 1;
    if (before->is_quiet) {
        int bonus =
            int_clamp(P_EVAL_BONUS * gain, -P_EVAL_BONUS_MAX, P_EVAL_BONUS_MAX) + P_EVAL_BONUS_BASE;
        history_add(&worker->history,
                    history_quiet(&worker->history, color_flip(worker->pos.side), before->move),
                    bonus, HISTORY_MAX);
    }
}

void history_update_reduced(Worker *worker, int ply) {
    reward_before(worker, ply + 1, P_BONUS_REDUCED);
}

void history_update_correction(Worker *worker, int ply, int depth, Move best, Score score,
                               Bound bound) {
    Score eval = worker_stack(worker, ply)->static_eval;
    if (eval == SCORE_NONE || score_is_decided(score) ||
        (best != MOVE_NONE && !pos_is_quiet(&worker->pos, best))) {
        return;
    }
    Score difference = score - eval;
    if ((bound == BOUND_LOWER && difference <= 0) || (bound == BOUND_UPPER && difference >= 0)) {
        return;
    }
    history_learn_error(&worker->history, &worker_stack(worker, ply)->place, depth, difference);
}
