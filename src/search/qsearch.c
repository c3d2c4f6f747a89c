#include "search/qsearch.h"

#include "search/evaluate.h"
#include "search/movepick.h"
#include "search/worker.h"

/* A capture that does not come this near to alpha is not tried. */
#define DELTA_MARGIN 200

static bool is_hopeless(const Position *pos, Move move, Score stand_pat, Score alpha) {
    return !move_is_promotion(move) && pos_is_capture(pos, move) &&
           stand_pat + capture_value(piece_type(pos_piece(pos, move_to(move)))) + DELTA_MARGIN <=
               alpha;
}

static Score search_tactical(Worker *worker, int ply, Score best, Score alpha, Score beta) {
    Position *pos = &worker->pos;
    bool in_check = pos_in_check(pos);
    Score stand_pat = best;
    MovePicker picker;
    movepick_init_tactical(&picker, pos, &worker->history, MOVE_NONE);
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (!in_check && is_hopeless(pos, move, stand_pat, alpha)) {
            continue;
        }
        pos_do(pos, move);
        Score score = -qsearch(worker, ply + 1, -beta, -alpha);
        pos_undo(pos);
        if (worker_is_stopped(worker)) {
            return SCORE_DRAW;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                worker_update_pv(worker, ply, move);
            }
            if (score >= beta) {
                break;
            }
        }
    }
    return best;
}

Score qsearch(Worker *worker, int ply, Score alpha, Score beta) {
    const Position *pos = &worker->pos;
    worker->frames[ply].pv.len = 0;
    if (!worker_count_node(worker)) {
        return SCORE_DRAW;
    }
    worker->seldepth = int_max(worker->seldepth, ply);
    if (ply >= MAX_PLY) {
        return evaluate(pos);
    }
    Score best = score_mated_in(ply);
    if (!pos_in_check(pos)) {
        best = evaluate(pos);
        if (best >= beta) {
            return best;
        }
        alpha = int_max(alpha, best);
    }
    return search_tactical(worker, ply, best, alpha, beta);
}
