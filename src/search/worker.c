#include "search/worker.h"

#include <string.h>

void worker_update_pv(Worker *worker, int ply, Move move) {
    PvLine *line = &worker->frames[ply].pv;
    const PvLine *rest = &worker->frames[ply + 1].pv;
    int rest_len = int_min(rest->len, MAX_PLY - 1);
    line->moves[0] = move;
    memcpy(&line->moves[1], rest->moves, (size_t)rest_len * sizeof(Move));
    line->len = rest_len + 1;
}

int worker_line_count(const Worker *worker) {
    return int_min(worker->shared->options.multi_pv, worker->root_count);
}

Score worker_draw_score(const Worker *worker) {
    Color root_side = worker->shared->pos.side;
    Score value = SCORE_DRAW + worker->shared->options.draw_value[root_side];
    return worker->pos.side == root_side ? value : -value;
}
