/* What a node leaves behind for the order of moves. */
#include "search/learn.h"

#include <stdlib.h>

#include "rules/rules.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "search/params.h"
#include "search/worker.h"
#include "unit.h"

/* A worker that has played two moves from the root. */
static Worker *after_two(const char *sfen, const char *first, const char *second) {
    const char *const moves[] = {first, second};
    Worker *worker = calloc(1, sizeof(*worker));
    rules_init();
    pos_init(&worker->pos);
    CHECK_INT(pos_set_sfen(&worker->pos, sv_from(sfen), NULL), KMD_OK);
    for (int ply = 0; ply < 2; ply++) {
        worker_do(worker, ply, usimove_read(sv_from(moves[ply])));
    }
    return worker;
}

static void end(Worker *worker) {
    pos_free(&worker->pos);
    free(worker);
}

static bool knows_nothing(const Worker *worker) {
    const unsigned char *bytes = (const unsigned char *)&worker->history;
    for (size_t i = 0; i < sizeof(worker->history); i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The move before is praised as the other side's, by its own squares and as an answer to the move
 * before it. */
static void fail_low_praises_the_move_before(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b g 1", "6h2h", "G*5b");
    Move drop = worker->frames[1].move;
    int bonus = 3 * P_BONUS_PRIOR;
    learn_from_fail_low(worker, 2, 3);
    CHECK_INT(*history_quiet(&worker->history, WHITE, drop), bonus);
    CHECK_INT((*worker->frames[0].row)[PIECE_TYPE_NB + GOLD][move_to(drop)], bonus);
    /* A drop is known as such before it is made too. */
    worker_undo(worker);
    CHECK_INT(history_mover(&worker->pos, drop), PIECE_TYPE_NB + GOLD);
    end(worker);
    worker = after_two("4k4/9/9/9/9/9/9/3R5/4K4 b - 1", "6h2h", "5a4b");
    learn_from_fail_low(worker, 2, 3);
    CHECK_INT(*history_quiet(&worker->history, WHITE, worker->frames[1].move), bonus);
    CHECK_INT((*worker->frames[0].row)[KING][move_to(worker->frames[1].move)], bonus);
    end(worker);
}

/* Captures and promotions are not ordered with the quiet moves, and a pass is no move. */
static void fail_low_praises_only_quiet_moves(void) {
    Worker *worker = after_two("4k4/9/9/9/9/9/1r7/1B7/4K4 b - 1", "5i5h", "8g8h");
    learn_from_fail_low(worker, 2, 3);
    CHECK(knows_nothing(worker));
    end(worker);
    worker = after_two("4k4/9/9/9/9/9/1r7/9/4K4 b - 1", "5i5h", "8g8i+");
    learn_from_fail_low(worker, 2, 3);
    CHECK(knows_nothing(worker));
    worker_undo(worker);
    worker_do_null(worker, 1);
    learn_from_fail_low(worker, 2, 3);
    CHECK(knows_nothing(worker));
    worker_undo_null(worker);
    end(worker);
}

UNIT_MAIN({"a fail low praises the move before", fail_low_praises_the_move_before},
          {"but only a quiet one", fail_low_praises_only_quiet_moves})
