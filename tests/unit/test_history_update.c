/* Tests how a node's result updates the histories. */
#include "search/history.h"

#include <stdlib.h>

#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "search/params.h"
#include "search/worker.h"
#include "unit.h"

/* A worker that has played two moves from the root. */
static Worker *after_two(const char *sfen, const char *first, const char *second) {
    const char *const moves[] = {first, second};
    Worker *worker = calloc(1, sizeof(*worker));
    worker->shared = calloc(1, sizeof(*worker->shared));
    tt_init(&worker->shared->tt);
    CHECK(tt_resize(&worker->shared->tt, 1));
    worker_clear_stack(worker);
    pos_init(&worker->pos);
    CHECK_INT(pos_set_sfen(&worker->pos, sv_from(sfen), NULL), KMD_OK);
    for (int ply = 0; ply < 2; ply++) {
        worker_stack(worker, ply)->place = history_locate(&worker->history, &worker->pos);
        worker_stack(worker, ply)->static_eval = SCORE_NONE;
        worker_do(worker, ply, usimove_read(sv_from(moves[ply])));
    }
    worker_stack(worker, 2)->place = history_locate(&worker->history, &worker->pos);
    worker_stack(worker, 2)->static_eval = SCORE_NONE;
    return worker;
}

static void end(Worker *worker) {
    pos_free(&worker->pos);
    tt_free(&worker->shared->tt);
    free(worker->shared);
    free(worker);
}

static bool knows_nothing(const Worker *worker) {
    const unsigned char *bytes = (const unsigned char *)&worker->history;
    for (size_t i = 0; i < offsetof(History, written); i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The move before the node gets a bonus in the histories of the side that made it: by its own
 * squares, and as a reply to the move before it. */
static void fail_low_praises_the_move_before(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b g 1", "6h2h", "G*5b");
    Move drop = worker_stack(worker, 1)->move;
    history_update_fail_low(worker, 2, 10, 0);
    CHECK(*history_quiet(&worker->history, WHITE, drop) > 0);
    CHECK((*worker_stack(worker, 1)->place.pawn_history)[PIECE_TYPE_NB + GOLD][move_to(drop)] > 0);
    CHECK((*worker_stack(worker, 0)->continuation_history)[PIECE_TYPE_NB + GOLD][move_to(drop)] >
          0);
    /* A drop is also recognised before it has been made. */
    worker_undo(worker);
    CHECK_INT(history_mover(&worker->pos, drop), PIECE_TYPE_NB + GOLD);
    end(worker);
    worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b - 1", "6h2h", "5a4b");
    history_update_fail_low(worker, 2, 10, 0);
    CHECK(*history_quiet(&worker->history, WHITE, worker_stack(worker, 1)->move) > 0);
    CHECK((*worker_stack(worker, 0)
                ->continuation_history)[KING][move_to(worker_stack(worker, 1)->move)] > 0);
    end(worker);
}

/* The bonus grows with the depth, with the number of the move, and with the distance of the score
 * below the static evaluation. It is never negative. */
static void fail_low_credits_surprises(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b - 1", "6h2h", "5a4b");
    int16_t *entry = history_quiet(&worker->history, WHITE, worker_stack(worker, 1)->move);
    history_update_fail_low(worker, 2, 1, 0);
    CHECK_INT(*entry, 0);
    history_update_fail_low(worker, 2, 6, 0);
    int plain = *entry;
    CHECK(plain > 0);
    *entry = 0;
    worker_stack(worker, 1)->move_count = 9;
    history_update_fail_low(worker, 2, 6, 0);
    int late = *entry;
    CHECK(late > plain);
    *entry = 0;
    worker_stack(worker, 2)->static_eval = P_PRIOR_MARGIN;
    history_update_fail_low(worker, 2, 6, 0);
    CHECK(*entry > late);
    *entry = 0;
    worker_stack(worker, 1)->stat_score = 100 * P_PRIOR_STAT * 100;
    history_update_fail_low(worker, 2, 6, 0);
    CHECK_INT(*entry, 0);
    end(worker);
}

/* Captures get a bonus in their own history, promotions get none, and a null move is not a move. */
static void fail_low_tells_kinds_of_moves_apart(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/1r7/1B7/4K4 b - 1", "5i5h", "8g8h");
    Move capture = worker_stack(worker, 1)->move;
    history_update_fail_low(worker, 2, 3, 0);
    CHECK_INT(*history_quiet(&worker->history, WHITE, capture), 0);
    worker_undo(worker);
    int16_t *entry = history_capture(&worker->history, &worker->pos, capture);
    CHECK_INT(*entry, P_PRIOR_CAPTURE);
    *entry = 0;
    CHECK(knows_nothing(worker));
    end(worker);
    worker = after_two("4k4/9/9/9/9/9/1r7/9/4K4 b - 1", "5i5h", "8g8i+");
    history_update_fail_low(worker, 2, 3, 0);
    CHECK(knows_nothing(worker));
    worker_undo(worker);
    worker_do_null(worker, 1);
    history_update_fail_low(worker, 2, 3, 0);
    CHECK(knows_nothing(worker));
    worker_undo_null(worker);
    end(worker);
}

/* The best move of a node gets a bonus and the moves tried before it get a malus, each in its own
 * entries. */
static void a_cut_praises_and_blames(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b g 1", "6h2h", "5a4b");
    Move best = usimove_read(SV("2h2c"));
    Tried tried;
    history_tried_clear(&tried);
    history_tried_add(&tried, usimove_read(SV("5i5h")), true);
    history_tried_add(&tried, usimove_read(SV("2h2a+")), false);
    history_update_best(worker, 2, 4, best, false, &tried);
    History *history = &worker->history;
    const Position *pos = &worker->pos;
    CHECK(*history_quiet(history, BLACK, best) > 0);
    CHECK(*history_low_ply(history, 2, best) > 0);
    CHECK((*worker_stack(worker, 1)->continuation_history)[ROOK][move_to(best)] > 0);
    CHECK((*worker_stack(worker, 0)->continuation_history)[ROOK][move_to(best)] > 0);
    CHECK(*history_quiet(history, BLACK, tried.quiets[0]) < 0);
    CHECK((*worker_stack(worker, 1)->continuation_history)[KING][move_to(tried.quiets[0])] < 0);
    CHECK(*history_capture(history, pos, tried.captures[0]) < 0);
    CHECK_INT(worker_stack(worker, 2)->killers[0], best);
    end(worker);
}

/* A move gets a bonus if the static evaluation improved after it, otherwise a malus. */
static void evaluations_judge_the_move_before(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b g 1", "6h2h", "5a4b");
    Move move = worker_stack(worker, 1)->move;
    history_update_eval(worker, 2, 400);
    int good = *history_quiet(&worker->history, WHITE, move);
    CHECK(good > 0);
    *history_quiet(&worker->history, WHITE, move) = 0;
    history_update_eval(worker, 2, -400);
    CHECK(*history_quiet(&worker->history, WHITE, move) < 0);
    end(worker);
}

UNIT_MAIN({"a fail low praises the move before", fail_low_praises_the_move_before},
          {"a cut praises the best move and blames the others", a_cut_praises_and_blames},
          {"evaluations judge the move before", evaluations_judge_the_move_before},
          {"a fail low credits surprises", fail_low_credits_surprises},
          {"and tells kinds of moves apart", fail_low_tells_kinds_of_moves_apart})
