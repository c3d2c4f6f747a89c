/* gameend.c: tests for repetition, declarations and the move limit at a search node. */
#include "search/gameend.h"

#include "rules/declare.h"
#include "rules/movegen.h"
#include "rules/repetition.h"
#include "search/worker.h"

/* The value of a draw for the side to move. */
static Score draw_score(const Worker *worker) {
    Color root_side = worker->shared->pos.side;
    Score value = SCORE_DRAW + worker->shared->options.draw_value[root_side];
    return worker->pos.side == root_side ? value : -value;
}

/* Two rules end a line by repetition. The rule of the game ends it at the fourth occurrence, judged
 * by all moves since the first. And a return to a position of the line itself, from the root on,
 * ends it at once, because whoever can return there can do so again. Occurrences before the root
 * show nothing of the kind, as both sides are free to play another move this time, so they count
 * only for the rule of the game. (Stockfish also ends a line at a third occurrence of which two lie
 * before the root: in chess that is the rule of the game, but in shogi it ends nothing.) */
static bool is_repeated(const Worker *worker, int ply, Score *score) {
    const Position *pos = &worker->pos;
    Repetition in_line = repetition_in_line(pos, ply);
    bool is_return = in_line == REP_DRAW || in_line == REP_WIN || in_line == REP_LOSS;
    bool may_end_game = is_return || worker->state.has_threefold;
    switch (may_end_game ? repetition_in_game(pos) : REP_NONE) {
    case REP_DRAW:
        *score = draw_score(worker);
        return true;
    case REP_WIN:
        *score = score_mate_in(ply);
        return true;
    case REP_LOSS:
        *score = score_mated_in(ply);
        return true;
    default:
        break;
    }
    switch (in_line) {
    case REP_DRAW:
        *score = draw_score(worker);
        return true;
    case REP_WIN: /* perpetual check loses, but mates nobody within these plies */
    case REP_SUPERIOR:
        *score = SCORE_SUPERIOR;
        return true;
    case REP_LOSS:
    case REP_INFERIOR:
        *score = -SCORE_SUPERIOR;
        return true;
    default:
        return false;
    }
}

/* True if the move limit is reached. If the last move within the limit gives mate, the mate still
 * counts. */
static bool is_out_of_moves(const Worker *worker) {
    int max_plies = worker->shared->options.max_moves_to_draw;
    return max_plies > 0 && worker->pos.ply > max_plies && gen_has_move(&worker->pos);
}

static bool can_declare(const Worker *worker) {
    const Position *pos = &worker->pos;
    KmdDeclareRule rule = worker->shared->options.entering_king_rule;
    Square king = pos->king[pos->side];
    if (rule == KMD_DECLARE_NONE || king == SQ_NONE || !sq_in_zone(pos->side, king)) {
        return false;
    }
    return declare_result(pos, rule) == KMD_DECLARATION_WIN ||
           (rule == KMD_DECLARE_TRY && declare_try_move(pos) != MOVE_NONE);
}

bool gameend_is_tried(const Worker *worker) {
    const Position *pos = &worker->pos;
    return worker->shared->options.entering_king_rule == KMD_DECLARE_TRY &&
           declare_result_for(pos, KMD_DECLARE_TRY, color_flip(pos->side)) == KMD_DECLARATION_WIN;
}

bool gameend_score(const Worker *worker, int ply, Score *score) {
    if (ply == 1 && gameend_is_tried(worker)) {
        *score = score_mated_in(ply);
        return true;
    }
    if (is_repeated(worker, ply, score)) {
        return true;
    }
    if (is_out_of_moves(worker)) {
        *score = draw_score(worker);
        return true;
    }
    if (can_declare(worker)) {
        *score = score_mate_in(ply + 1);
        return true;
    }
    return false;
}
