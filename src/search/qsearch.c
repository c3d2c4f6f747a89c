/* qsearch.c: quiescence search. A node first stands pat on its static evaluation, then tries
 * captures and promotions that lose little or no material by static exchange evaluation. In check
 * it tries the captures among the evasions, and quiet ones until a few moves have been searched and
 * one avoids mate. The end of the game is not tested here: scores of repetitions depend on the path
 * and would fill the table near every leaf (docs/tuning.md). */
#include "search/qsearch.h"

#include <stdlib.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/worker.h"

/* The more a score exceeds beta, the less certain it is, so it is moved half of the way to beta,
 * unless it is decided. */
static Score soften(Score score, Score beta) {
    return score > beta && !score_is_decided(score) ? (score + beta) / 2 : score;
}

Score qsearch(Worker *worker, int ply, int depth, Score alpha, Score beta) {
    /* Step 1. Set up the node. */
    worker->lines[ply].len = 0;
    if (!worker_enter_node(worker, ply)) {
        return SCORE_DRAW;
    }
    if (ply >= MAX_PLY) {
        return worker_evaluate(worker);
    }
    const Position *pos = &worker->pos;
    TransTable *tt = &worker->shared->tt;
    Stack *ss = worker_stack(worker, ply);
    bool in_check = pos_in_check(pos);

    /* Step 2. Transposition table: a score of any depth that lies outside a null window decides
     * the node. */
    TtEntry entry = {.move = MOVE_NONE};
    uint64_t key = pos_key(pos);
    bool tt_hit = tt_probe(tt, key, ply, &entry);
    if (tt_hit && beta - alpha <= 1 && tt_decides(&entry, beta)) {
        return entry.score;
    }
    TtEntry result = {.move = MOVE_NONE,
                      .score = score_mated_in(ply),
                      .eval = SCORE_NONE,
                      .is_pv = tt_hit && entry.is_pv};
    /* Set only after the cutoff by the table: a node of the main search that tries razoring keeps
     * its own evaluation here. */
    ss->static_eval = SCORE_NONE;
    ss->in_check = in_check;

    Score futility_base = 0; /* what a move can reach, without what it captures */
    if (!in_check) {
        /* Step 3. Stand pat on the static evaluation, or on the table's score if that is a better
         * estimate. */
        bool has_eval = tt_hit && entry.eval != SCORE_NONE;
        result.eval = has_eval ? entry.eval : worker_evaluate(worker);
        ss->static_eval = worker_correct(ss, result.eval);
        result.score = tt_hit ? tt_refine(&entry, ss->static_eval) : ss->static_eval;
        if (result.score >= beta) {
            result.score = soften(result.score, beta);
            result.bound = BOUND_LOWER;
            if (!tt_hit) {
                tt_store(tt, key, ply, &result);
            }
            return result.score;
        }

        /* Step 4. Mate in one, stored as exact, because no deeper search can improve on it. A mate
         * in the table is found again, so that a PV node keeps its line. */
        bool has_no_mate = tt_hit && entry.is_mate_tested && entry.score < SCORE_MATE_BOUND;
        Move mate = has_no_mate ? MOVE_NONE : mate1_find(pos);
        result.is_mate_tested = true;
        if (mate != MOVE_NONE) {
            result.move = mate;
            result.score = score_mate_in(ply + 1);
            result.bound = BOUND_EXACT;
            result.depth = MAX_PLY;
            tt_store(tt, key, ply, &result);
            worker->lines[ply + 1].len = 0;
            worker_update_pv(worker, ply, mate);
            return result.score;
        }
        alpha = int_max(alpha, result.score);
        futility_base = result.score + P_QS_FUTILITY;
    }

    /* Step 5. Loop over captures and promotions or, in check, over the evasions. */
    PickContext context; /* without refutations, which this picker does not read, */
    worker_pick_context(worker, ply, &context);
    context.ply = LOW_PLIES; /* and without the histories of the first plies */
    MovePicker picker;
    movepick_init_captures(&picker, pos, &context, entry.move, P_QS_SEE);
    int move_count = 0; /* moves searched so far */
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        /* Step 6. Pruning: nothing is skipped while the best score means being mated. */
        if (result.score > -SCORE_MATE_BOUND) {
            Move last = (ss - 1)->move;
            bool is_recapture = last != MOVE_NULL && move_to(move) == move_to(last);
            if (in_check) {
                /* Late quiet evasions. */
                if (move_count >= P_QS_EVASIONS_MAX && pos_is_quiet(pos, move)) {
                    continue;
                }
            } else {
                /* In a long sequence, only recaptures; after a few moves, only recaptures and
                 * checks. */
                if (!is_recapture && (depth < -P_QS_DEPTH ||
                                      (move_count >= P_QS_MOVES && !pos_gives_check(pos, move)))) {
                    continue;
                }
                /* Futility pruning: the captured material is not enough to reach alpha. */
                Score futility = futility_base + values_move_gain(pos, move);
                if (futility <= alpha && !pos_gives_check(pos, move)) {
                    result.score = int_max(result.score, futility);
                    continue;
                }
            }
        }

        /* Step 7. Search the move. */
        move_count++;
        worker_do(worker, ply, move);
        Score score = -qsearch(worker, ply + 1, depth - 1, -beta, -alpha);
        worker_undo(worker);
        if (worker_is_stopped(worker)) {
            break;
        }

        /* Step 8. New best move. */
        if (score > result.score) {
            result.score = score;
            if (score > alpha) {
                result.move = move;
                alpha = score;
                worker_update_pv(worker, ply, move);
            }
            if (score >= beta) {
                break;
            }
        }
    }

    /* Step 9. Store the result, unless it is incomplete. A side in check without a legal move is
     * mated. */
    result.score = soften(result.score, beta);
    result.bound = result.score >= beta ? BOUND_LOWER : BOUND_UPPER;
    if (!worker_is_stopped(worker)) {
        tt_store(tt, key, ply, &result);
    }
    return result.score;
}
