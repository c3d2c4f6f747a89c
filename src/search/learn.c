#include "search/learn.h"

#include <stdlib.h>

#include "search/movepick.h"
#include "search/params.h"
#include "search/worker.h"

void learn_begin(Tried *tried) {
    tried->quiet_count = 0;
    tried->capture_count = 0;
}

void learn_note(Tried *tried, Move move, bool is_quiet) {
    if (is_quiet) {
        if (tried->quiet_count < TRIED_MOST) {
            tried->quiets[tried->quiet_count++] = move;
        }
    } else if (tried->capture_count < TRIED_MOST) {
        tried->captures[tried->capture_count++] = move;
    }
}

/* `rows`: after the moves before this one of `side`. */
static void reward(Worker *worker, Color side, int mover, Move move,
                   ContinuationRow *const rows[ROW_NB], int bonus) {
    history_add(history_quiet(&worker->history, side, move), bonus);
    for (int i = 0; i < ROW_NB; i++) {
        if (rows[i] != worker_no_row(worker)) {
            history_add(&(*rows[i])[mover][move_to(move)], bonus);
        }
    }
}

static void reward_quiet(Worker *worker, const PickContext *context, Move move, int bonus) {
    const Position *pos = &worker->pos;
    reward(worker, pos->side, history_mover(pos, move), move, context->rows, bonus);
}

static void remember_refutation(Worker *worker, int ply, Move move) {
    Frame *frame = &worker->frames[ply];
    if (frame->killers[0] != move) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = move;
    }
    Move *counter = worker_counter(worker, ply);
    if (counter != NULL) {
        *counter = move;
    }
}

void learn_from_cut(Worker *worker, const PickContext *context, int ply, int depth, Move best,
                    const Tried *tried) {
    const Position *pos = &worker->pos;
    int bonus = int_min(P_BONUS_SLOPE * depth + P_BONUS_BASE, P_BONUS_MOST);
    if (move_is_quiet(pos, best)) {
        remember_refutation(worker, ply, best);
        reward_quiet(worker, context, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++) {
            reward_quiet(worker, context, tried->quiets[i], -bonus);
        }
    } else {
        history_add(history_capture(&worker->history, pos, best), bonus);
    }
    for (int i = 0; i < tried->capture_count; i++) {
        history_add(history_capture(&worker->history, pos, tried->captures[i]), -bonus);
    }
}

void learn_from_fail_low(Worker *worker, int ply, int depth) {
    const Frame *before = &worker->frames[ply - 1];
    Move move = before->move;
    bool is_quiet = before->moved != NO_PIECE && worker->pos.now->captured == NO_PIECE &&
                    !move_is_promotion(move);
    if (!is_quiet) {
        return;
    }
    int mover = history_mover_after(before->moved, move);
    ContinuationRow *rows[ROW_NB];
    worker_rows_before(worker, ply - 1, rows);
    int bonus = int_min(P_BONUS_PRIOR * depth, P_BONUS_MOST);
    reward(worker, color_flip(worker->pos.side), mover, move, rows, bonus);
}

void learn_correction(Worker *worker, int ply, int depth, Move best, Score score, Bound bound) {
    Score eval = worker->frames[ply].eval;
    /* Mates, and wins by a repetition, say nothing about the evaluation. */
    if (eval == SCORE_NONE || abs(score) > SCORE_EVAL_MAX ||
        (best != MOVE_NONE && !move_is_quiet(&worker->pos, best))) {
        return;
    }
    Score difference = score - eval;
    if ((bound == BOUND_LOWER && difference <= 0) || (bound == BOUND_UPPER && difference >= 0)) {
        return;
    }
    history_correct(&worker->frames[ply].corrections, depth, difference);
}
