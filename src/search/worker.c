/* worker.c: makes moves, evaluates positions, and looks up the hash table entry and the histories
 * of a node. */
#include "search/worker.h"

#include <string.h>

#include "base/cpu.h"
#include "base/xmem.h"
#include "eval/handwritten.h"
#include "eval/nnue.h"
#include "rules/legality.h"
#include "search/movepick.h"

/* If there are more workers than processors, most of the histories of later workers are never
 * touched, so huge pages would waste memory. */
static XmemPages pages_of(int index) {
    return index < cpu_cores() ? XMEM_HUGE_PAGES : XMEM_SMALL_PAGES;
}

Worker *worker_create(SearchShared *shared, int index) {
    Worker *worker = xmem_try_large(sizeof(*worker), pages_of(index));
    if (worker != NULL) {
        worker->index = index;
        worker->shared = shared;
        pos_init(&worker->pos);
    }
    return worker;
}

void worker_free(Worker *worker) {
    if (worker != NULL) {
        nnue_free(worker->evaluator);
        pos_free(&worker->pos);
        xmem_free_large(worker, sizeof(*worker));
    }
}

bool worker_use_net(Worker *worker, const struct NnueNet *net, uint32_t features) {
    nnue_free(worker->evaluator);
    worker->evaluator = net != NULL ? nnue_create(net, features) : NULL;
    return net == NULL || worker->evaluator != NULL;
}

void worker_clear_stack(Worker *worker) {
    for (size_t i = 0; i < COUNTOF(worker->stack); i++) {
        worker->stack[i] = (Stack){.move = MOVE_NONE,
                                   .moved_piece = NO_PIECE,
                                   .continuation_history = worker_no_continuation(worker),
                                   .killers = {MOVE_NONE, MOVE_NONE},
                                   .excluded_move = MOVE_NONE,
                                   .static_eval = SCORE_NONE};
    }
}

/* The correction entry for the last move combined with the move `back` plies before; NULL if either
 * move is missing. */
static int16_t *continuation_correction(const Stack *ss, int back) {
    const Stack *last = ss - 1;
    PieceToCorrection *corrections = (ss - back)->continuation_correction;
    return last->moved_piece == NO_PIECE || corrections == NULL
               ? NULL
               : &(*corrections)[last->moved_piece][move_to(last->move)];
}

/* Finds and prefetches what the histories know of the node at `ply`, which begins now. */
static void locate(Worker *worker, int ply) {
    Stack *ss = worker_stack(worker, ply);
    HistoryPlace *place = &ss->place;
    *place = history_locate(&worker->history, &worker->pos);
    for (int i = 0; i < CONTINUATION_CORRECTION_NB; i++) {
        place->continuations[i] = continuation_correction(ss, 2 * (i + 1));
        PREFETCH(place->continuations[i]);
    }
}

void worker_do(Worker *worker, int ply, Move move) {
    Position *pos = &worker->pos;
    Stack *ss = worker_stack(worker, ply);
    /* Once the quota is used up, the search only returns. Moves made then are not searched, so do
     * not count them. */
    uint64_t nodes = worker_nodes(worker) + !worker->state.is_used_up;
    atomic_store_explicit(&worker->nodes, nodes, memory_order_relaxed);
    if (nodes % STOPTIMER_POLL_NODES == 0) {
        stoptimer_poll(&worker->shared->timer);
    }
    tt_prefetch(&worker->shared->tt, pos_key_after(pos, move));
    pos_do(pos, move);
    ss->move = move;
    ss->is_quiet = pos->now->captured == NO_PIECE && !move_is_promotion(move);
    ss->moved_piece = pos_piece(pos, move_to(move));
    bool is_capture = pos->now->captured != NO_PIECE;
    ss->continuation_history =
        &worker->history.continuation[ss->in_check][is_capture][ss->moved_piece][move_to(move)];
    ss->continuation_correction =
        &worker->history.continuation_correction[ss->moved_piece][move_to(move)];
    locate(worker, ply + 1);
}

void worker_undo(Worker *worker) {
    pos_undo(&worker->pos);
}

void worker_do_null(Worker *worker, int ply) {
    Stack *ss = worker_stack(worker, ply);
    pos_do_null(&worker->pos);
    ss->move = MOVE_NULL;
    ss->is_quiet = false;
    ss->moved_piece = NO_PIECE;
    ss->continuation_history = worker_no_continuation(worker);
    ss->continuation_correction = NULL;
    locate(worker, ply + 1);
}

void worker_undo_null(Worker *worker) {
    pos_undo_null(&worker->pos);
}

Score worker_evaluate(Worker *worker) {
    Score score = worker->evaluator == NULL ? handwritten_evaluate(&worker->pos)
                                            : nnue_evaluate(worker->evaluator, &worker->pos);
    return int_clamp(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

Score worker_correct(const Stack *ss, Score raw_eval) {
    int corrected = raw_eval + history_correction(&ss->place);
    return int_clamp(corrected, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

PieceToHistory *worker_no_continuation(Worker *worker) {
    return &worker->history.continuation[0][0][NO_PIECE][0];
}

void worker_continuations(const Stack *ss, PieceToHistory *continuations[CONTINUATION_NB]) {
    static const int back[CONTINUATION_NB] = {1, 2, 3, 4, 6};
    for (int i = 0; i < CONTINUATION_NB; i++) {
        continuations[i] = (ss - back[i])->continuation_history;
    }
}

void worker_pick_context(Worker *worker, int ply, PickContext *context) {
    const Stack *ss = worker_stack(worker, ply);
    context->history = &worker->history;
    context->pawn_history = ss->place.pawn_history;
    context->ply = ply;
    worker_continuations(ss, context->continuations);
}

Move worker_counter_move(Worker *worker, int ply) {
    const Stack *before = worker_stack(worker, ply) - 1;
    return before->moved_piece == NO_PIECE
               ? MOVE_NONE
               : worker->history.counter[before->moved_piece][move_to(before->move)];
}

/* Updates the continuation histories of the moves before the one made at `ply`; in check, only
 * those of the last two. */
static void reward_continuations(Worker *worker, int ply, int piece_index, Move move, int bonus) {
    /* The share of the bonus, in 1024ths, for the moves 1, 2, 3, 4 and 6 plies before. */
    static const int shares[CONTINUATION_NB] = {1024, 700, 300, 560, 450};
    PieceToHistory *continuations[CONTINUATION_NB];
    const Stack *ss = worker_stack(worker, ply);
    worker_continuations(ss, continuations);
    int count = ss->in_check ? 2 : CONTINUATION_NB;
    for (int i = 0; i < count; i++) {
        if (continuations[i] != worker_no_continuation(worker)) {
            history_add(&worker->history, &(*continuations[i])[piece_index][move_to(move)],
                        bonus * shares[i] / 1024, HISTORY_CONTINUATION_MAX);
        }
    }
}

void worker_reward_quiet(Worker *worker, int ply, Move move, int bonus) {
    const Position *pos = &worker->pos;
    History *history = &worker->history;
    history_add(history, history_quiet(history, pos->side, move), bonus, HISTORY_MAX);
    if (ply < LOW_PLIES) {
        history_add(history, history_low_ply(history, ply, move), bonus, HISTORY_MAX);
    }
    int piece_index = history_piece(pos, move);
    history_add(history,
                &(*worker_stack(worker, ply)->place.pawn_history)[piece_index][move_to(move)],
                bonus, HISTORY_MAX);
    reward_continuations(worker, ply, piece_index, move, bonus);
}

void worker_reward_before(Worker *worker, int ply, int bonus) {
    const Stack *before = worker_stack(worker, ply) - 1;
    if (before->is_quiet) {
        reward_continuations(worker, ply - 1,
                             history_piece_after(before->moved_piece, before->move), before->move,
                             bonus);
    }
}

void worker_update_pv(Worker *worker, int ply, Move move) {
    PvLine *line = &worker->lines[ply];
    const PvLine *rest = &worker->lines[ply + 1];
    int rest_len = int_min(rest->len, MAX_PLY - 1);
    line->moves[0] = move;
    memcpy(&line->moves[1], rest->moves, (size_t)rest_len * sizeof(Move));
    line->len = rest_len + 1;
}

Move worker_tt_move(const Worker *worker) {
    TtEntry entry;
    bool is_known = tt_probe(&worker->shared->tt, pos_key(&worker->pos), 1, &entry) &&
                    entry.move != MOVE_NONE && move_is_legal(&worker->pos, entry.move);
    return is_known ? entry.move : MOVE_NONE;
}

uint64_t worker_total_nodes(const SearchShared *shared) {
    uint64_t sum = 0;
    for (int i = 0; i < shared->worker_count; i++) {
        sum += worker_nodes(shared->workers[i]);
    }
    return sum;
}

int worker_line_count(const Worker *worker) {
    const SearchOptions *options = &worker->shared->options;
    return int_min(int_max(options->multi_pv, options->skill.lines), worker->state.root_move_count);
}

void worker_forget(Worker *worker) {
    history_clear(&worker->history);
    worker->is_new_game = false;
}
