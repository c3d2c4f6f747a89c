#include "search/node.h"

#include <math.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "rules/attacks.h"
#include "rules/see.h"
#include "search/ending.h"
#include "search/learn.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/qsearch.h"
#include "search/worker.h"

/* Late move reductions are reckoned in 1024ths of a ply, margins in centipawns. */
#define PLY_UNIT 1024

/* What a node works with from its beginning to its end. */
typedef struct Node {
    int ply;
    int depth;
    Score alpha;
    Score beta;
    Score first_alpha; /* alpha on entry: the bound of the result follows from it */
    bool is_pv;
    bool is_cut; /* expected to fail high */
    bool in_check;
    bool is_improving;
    Move excluded; /* left out by the singular test; MOVE_NONE in ordinary nodes */
    TtEntry entry; /* what the table knew; entry.move MOVE_NONE when nothing */
    bool is_known; /* the table knew something */
    /* In check these are SCORE_NONE. */
    Score raw_eval;    /* the static evaluation as computed, */
    Score static_eval; /* corrected, */
    Score eval;        /* and sharpened by the table's score besides */
    Score best;
    Move best_move;
    int number; /* moves tried so far */
    PickContext context;
    Tried *tried; /* moves that did not refute */
} Node;

/* [depth][number of the move], in 1024ths of a ply */
static int16_t late_reduction[64][64];

void node_init(void) {
    for (int depth = 1; depth < 64; depth++) {
        for (int number = 1; number < 64; number++) {
            double plies = log(depth) * log(number) * P_LMR_SLOPE + P_LMR_BASE;
            late_reduction[depth][number] = (int16_t)plies;
        }
    }
}

/* In 1024ths of a ply. */
static int late_units(int depth, int number) {
    return late_reduction[int_min(depth, 63)][int_min(number, 63)];
}

int node_late_reduction(int depth, int number) {
    return late_units(depth, number) / PLY_UNIT;
}

/* ---- the end of the game --------------------------------------------------------------------- */

/* True when the node is answered without a look at its moves. */
static bool is_answered_early(Worker *worker, Node *node, Score *score) {
    if (ending_is_reached(worker, node->ply, score)) {
        return true;
    }
    if (node->ply >= MAX_PLY) {
        *score = worker_evaluate(worker);
        return true;
    }
    /* No line through here can be better than a mate found nearer to the root. */
    node->alpha = int_max(node->alpha, score_mated_in(node->ply));
    node->beta = int_min(node->beta, score_mate_in(node->ply + 1));
    *score = node->alpha;
    return node->alpha >= node->beta;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool is_table_cut(const Node *node) {
    const TtEntry *entry = &node->entry;
    if (!node->is_known || node->is_pv || node->excluded != MOVE_NONE ||
        entry->depth < node->depth) {
        return false;
    }
    return tt_decides(entry, node->beta);
}

static void store(Worker *worker, const Node *node, Score score, Bound bound, Move move,
                  int depth) {
    TtEntry entry = {
        .move = move, .score = score, .eval = node->raw_eval, .depth = depth, .bound = bound};
    tt_store(&worker->shared->tt, pos_key(&worker->pos), node->ply, &entry);
}

/* A mate in one is found without making a move. Most positions that the table knows have been
 * looked at, and with a move left out the mate might be that very move. */
static bool find_mate_in_one(Worker *worker, const Node *node) {
    if ((node->is_known && tt_is_mate_tested(&node->entry)) || node->in_check ||
        node->excluded != MOVE_NONE) {
        return false;
    }
    Move mate = mate1_find(&worker->pos);
    if (mate == MOVE_NONE) {
        return false;
    }
    store(worker, node, score_mate_in(node->ply + 1), BOUND_EXACT, mate, MAX_PLY);
    worker->lines[node->ply + 1].len = 0;
    worker_update_pv(worker, node->ply, mate);
    return true;
}

/* ---- the static evaluation ------------------------------------------------------------------- */

static void judge(Worker *worker, Node *node) {
    Frame *frame = &worker->frames[node->ply];
    if (node->in_check) {
        frame->eval = SCORE_NONE;
        return;
    }
    bool has_eval = node->is_known && node->entry.eval != SCORE_NONE;
    node->raw_eval = has_eval ? node->entry.eval : worker_evaluate(worker);
    node->static_eval = worker_correct(worker, node->ply, node->raw_eval);
    node->eval = node->is_known ? tt_sharpen(&node->entry, node->static_eval) : node->static_eval;
    frame->eval = node->static_eval;
    Score before = worker_eval_before(worker, node->ply, 2);
    if (before == SCORE_NONE) {
        before = worker_eval_before(worker, node->ply, 4);
    }
    node->is_improving = before == SCORE_NONE || node->static_eval > before;
}

/* ---- pruning of whole nodes ------------------------------------------------------------------ */

/* A quiet position far above beta stays there. */
static bool is_far_above(const Node *node) {
    int margin = P_RFP_MARGIN * node->depth - P_RFP_IMPROVING * node->is_improving;
    return !node->is_pv && node->depth <= P_RFP_DEPTH && node->eval - margin >= node->beta &&
           node->eval < SCORE_EVAL_MAX && !score_is_mate(node->beta);
}

/* A position so far below alpha that only captures can help: quiescence decides. */
static bool try_razoring(Worker *worker, const Node *node, Score *score) {
    if (node->is_pv || node->depth > P_RAZOR_DEPTH ||
        node->eval + P_RAZOR_BASE + P_RAZOR_SLOPE * node->depth > node->alpha) {
        return false;
    }
    *score = qsearch(worker, node->ply, node->alpha, node->alpha + 1);
    return *score <= node->alpha && !score_is_mate(*score);
}

/* A side that may even pass and still stands above beta will do so by a real move. */
static bool try_null_move(Worker *worker, const Node *node, Score *score) {
    if (node->is_pv || node->depth < P_NULL_DEPTH || node->eval < node->beta ||
        node->static_eval < node->beta + P_NULL_STATIC_BASE - P_NULL_STATIC_SLOPE * node->depth ||
        worker->frames[node->ply - 1].move == MOVE_NULL || score_is_mate(node->beta) ||
        node->ply < worker->run.null_from_ply) {
        return false;
    }
    int reduction = P_NULL_BASE + node->depth / P_NULL_DIVISOR +
                    int_min((node->eval - node->beta) / P_NULL_EVAL_DIVISOR, P_NULL_EVAL_MOST);
    int depth = node->depth - reduction;
    worker_do_null(worker, node->ply);
    *score =
        -node_search(worker, node->ply + 1, depth, -node->beta, -node->beta + 1, !node->is_cut);
    worker_undo_null(worker);
    if (*score < node->beta || worker_is_stopped(worker)) {
        return false;
    }
    *score = score_is_mate(*score) ? node->beta : *score;
    if (node->depth < P_NULL_VERIFY_DEPTH || worker->run.null_from_ply > 0) {
        return true;
    }
    worker->run.null_from_ply = node->ply + P_NULL_VERIFY_SHARE * depth / 100;
    Score verified = node_search(worker, node->ply, depth, node->beta - 1, node->beta, false);
    worker->run.null_from_ply = 0;
    return verified >= node->beta;
}

/* A capture that beats beta by far in a shallow search would do so in a deep one. */
static bool try_probcut(Worker *worker, Node *node, Score *score) {
    Score target = node->beta + P_PROBCUT_MARGIN - P_PROBCUT_IMPROVING * node->is_improving;
    int depth = node->depth - P_PROBCUT_REDUCTION;
    if (node->is_pv || node->depth < P_PROBCUT_DEPTH || score_is_mate(node->beta) ||
        target >= SCORE_EVAL_MAX ||
        (node->is_known && node->entry.depth >= depth + 1 && node->entry.score < target)) {
        return false;
    }
    MovePicker picker;
    movepick_init_tactical(&picker, &worker->pos, &node->context, node->entry.move,
                           target - node->static_eval);
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        worker_do(worker, node->ply, move);
        *score = -qsearch(worker, node->ply + 1, -target, -target + 1);
        if (*score >= target && depth > 0) {
            *score =
                -node_search(worker, node->ply + 1, depth, -target, -target + 1, !node->is_cut);
        }
        worker_undo(worker);
        if (worker_is_stopped(worker)) {
            return false;
        }
        if (*score >= target) {
            store(worker, node, *score, BOUND_LOWER, move, depth + 1);
            return true;
        }
    }
    return false;
}

static bool try_pruning(Worker *worker, Node *node, Score *score) {
    if (node->in_check || node->excluded != MOVE_NONE) {
        return false;
    }
    if (is_far_above(node)) {
        *score = node->eval;
        return true;
    }
    return try_razoring(worker, node, score) || try_null_move(worker, node, score) ||
           try_probcut(worker, node, score);
}

/* ---- one move -------------------------------------------------------------------------------- */

/* What is known about a move before it is made. */
typedef struct Candidate {
    Move move;
    bool is_quiet;
    bool gives_check;
    int history;
    int extension; /* plies */
} Candidate;

static int history_of(const Worker *worker, const Node *node, Move move, bool is_quiet) {
    const Position *pos = &worker->pos;
    if (!is_quiet) {
        return *history_capture(node->context.history, pos, move);
    }
    int mover = history_mover(pos, move);
    int sum = *history_quiet(node->context.history, pos->side, move);
    for (int i = 0; i < P_HISTORY_ROWS; i++) {
        sum += (*node->context.rows[i])[mover][move_to(move)];
    }
    return sum;
}

/* The plies this move would be searched with, roughly. */
static int expected_depth(const Node *node) {
    return int_max(node->depth - node_late_reduction(node->depth, node->number + 1), 0);
}

/* True when so many moves have been tried that no more quiet ones are worth it. */
static bool has_tried_enough(const Node *node) {
    int enough = (P_LMP_BASE + node->depth * node->depth) / (2 - node->is_improving);
    return node->depth <= P_LMP_DEPTH && node->number >= enough && !node->in_check &&
           node->best > -SCORE_MATE_BOUND;
}

/* True for moves that are not worth a search at this depth. Never while nothing better than being
 * mated is known, so the first move is always tried. */
static bool is_hopeless(const Worker *worker, const Node *node, const Candidate *candidate) {
    if (node->best <= -SCORE_MATE_BOUND) {
        return false;
    }
    const Position *pos = &worker->pos;
    int depth = expected_depth(node);
    if (candidate->is_quiet) {
        if (candidate->gives_check) {
            return node->depth <= P_SEE_PRUNE_DEPTH &&
                   !see_reaches(pos, candidate->move, -P_SEE_QUIET_SLOPE * depth - P_SEE_CHECK,
                                capture_values());
        }
        if (node->depth <= P_HISTORY_PRUNE_DEPTH &&
            candidate->history < -P_HISTORY_PRUNE_SLOPE * node->depth) {
            return true;
        }
        Score most = node->static_eval + P_FUTILITY_BASE + P_FUTILITY_SLOPE * depth +
                     candidate->history / P_FUTILITY_HISTORY;
        if (!node->in_check && depth <= P_FUTILITY_DEPTH && most <= node->alpha) {
            return true;
        }
        return depth <= P_SEE_PRUNE_DEPTH &&
               !see_reaches(pos, candidate->move, -P_SEE_QUIET_SLOPE * depth, capture_values());
    }
    return node->depth <= P_SEE_PRUNE_DEPTH &&
           !see_reaches(pos, candidate->move, -P_SEE_CAPTURE_SLOPE * node->depth, capture_values());
}

/* The table's move is singular when every other move stays well below its score: then it is
 * searched deeper. When the others reach beta too, the node is cut (multicut). */
static bool test_singular(Worker *worker, Node *node, Candidate *candidate, Score *cut) {
    const TtEntry *entry = &node->entry;
    if (candidate->move != entry->move || node->excluded != MOVE_NONE ||
        node->depth < P_SINGULAR_DEPTH || score_is_mate(entry->score) ||
        entry->bound == BOUND_UPPER || entry->depth < node->depth - P_SINGULAR_ENTRY ||
        node->ply >= P_SINGULAR_PLY_FACTOR * worker->run.root_depth) {
        return false;
    }
    Score bar = entry->score - P_SINGULAR_MARGIN * node->depth;
    int depth = (node->depth - 1) / P_SINGULAR_DIVISOR;
    worker->frames[node->ply].excluded = candidate->move;
    Score score = node_search(worker, node->ply, depth, bar - 1, bar, node->is_cut);
    worker->frames[node->ply].excluded = MOVE_NONE;
    if (worker_is_stopped(worker)) {
        return false;
    }
    if (score < bar) {
        bool is_double = !node->is_pv && score < bar - P_DOUBLE_MARGIN &&
                         worker->frames[node->ply].double_extensions < P_DOUBLE_MOST;
        candidate->extension = 1 + is_double;
    } else if (bar >= node->beta) {
        *cut = bar;
        return true;
    } else if (entry->score >= node->beta) {
        candidate->extension = -P_SINGULAR_LESS_ABOVE;
    } else if (node->is_cut) {
        candidate->extension = -P_SINGULAR_LESS_CUT;
    }
    return false;
}

/* Drops beside the enemy king carry attacks; they are not to be reduced like other late moves. */
static bool drops_near_king(const Position *pos, Move move) {
    Square king = pos->king[color_flip(pos->side)];
    return move_is_drop(move) && king != SQ_NONE && bb_has(attacks_king(king), move_to(move));
}

/* By how many plies the move, which has not been made yet, is reduced. */
static int reduction_of(const Position *pos, const Node *node, const Candidate *candidate) {
    if (node->depth < 2 || node->number <= P_LMR_MOVES + node->is_pv) {
        return 0;
    }
    int units = late_units(node->depth, node->number);
    units += node->is_cut ? P_LMR_CUT_NODE : 0;
    units += node->is_improving ? 0 : P_LMR_IMPROVING;
    units -= node->is_pv ? P_LMR_PV : 0;
    units -= candidate->gives_check ? P_LMR_CHECK : 0;
    units -= drops_near_king(pos, candidate->move) ? P_LMR_KING_DROP : 0;
    units -= candidate->is_quiet ? 0 : P_LMR_CAPTURE;
    units -= candidate->history * PLY_UNIT / P_LMR_HISTORY_DIVISOR;
    return int_clamp(units / PLY_UNIT, 0, node->depth - 2);
}

/* Principal variation search: a null window first, reduced for late moves; the full window only
 * for what may be better. */
static Score search_move(Worker *worker, Node *node, const Candidate *candidate) {
    int ply = node->ply + 1;
    worker->frames[ply].double_extensions =
        worker->frames[node->ply].double_extensions + (candidate->extension >= 2);
    int depth = node->depth - 1 + candidate->extension;
    int reduction = reduction_of(&worker->pos, node, candidate);
    worker_do(worker, node->ply, candidate->move);
    Score score = node->alpha + 1;
    if (reduction > 0) {
        score = -node_search(worker, ply, depth - reduction, -node->alpha - 1, -node->alpha, true);
        if (score > node->alpha) {
            depth += score > node->best + P_DEEPER_MARGIN + P_DEEPER_SLOPE * depth && !node->is_pv;
            score = -node_search(worker, ply, depth, -node->alpha - 1, -node->alpha, !node->is_cut);
        }
    } else if (!node->is_pv || node->number > 1) {
        score = -node_search(worker, ply, depth, -node->alpha - 1, -node->alpha, !node->is_cut);
    }
    if (node->is_pv && (node->number == 1 || score > node->alpha)) {
        score = -node_search(worker, ply, depth, -node->beta, -node->alpha, false);
    }
    worker_undo(worker);
    return score;
}

/* ---- the loop over the moves ----------------------------------------------------------------- */

/* Takes a move's score over. True when it refutes the node. */
static bool note_score(Worker *worker, Node *node, Move move, Score score) {
    if (score <= node->best) {
        return false;
    }
    node->best = score;
    if (score > node->alpha) {
        node->best_move = move;
        if (node->is_pv) {
            worker_update_pv(worker, node->ply, move);
        }
        if (score >= node->beta) {
            return true;
        }
        node->alpha = score;
    }
    return false;
}

/* Tries the moves. True when the node has its score: no need to learn or store anything. */
static bool search_moves(Worker *worker, Node *node, Score *cut) {
    const Position *pos = &worker->pos;
    MovePicker picker;
    movepick_init(&picker, pos, &node->context, node->entry.move);
    picker.has_all_moves = worker->shared->options.has_all_moves;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (move == node->excluded) {
            continue;
        }
        bool is_quiet = move_is_quiet(pos, move);
        Candidate candidate = {.move = move,
                               .is_quiet = is_quiet,
                               .gives_check = pos_gives_check(pos, move),
                               .history = history_of(worker, node, move, is_quiet)};
        if (is_quiet && has_tried_enough(node)) {
            picker.skips_quiets = true;
        }
        if (is_hopeless(worker, node, &candidate)) {
            continue;
        }
        if (test_singular(worker, node, &candidate, cut)) {
            return true;
        }
        node->number++;
        Score score = search_move(worker, node, &candidate);
        if (worker_is_stopped(worker)) {
            return true;
        }
        if (note_score(worker, node, move, score)) {
            break;
        }
        learn_note(node->tried, move, is_quiet);
    }
    return false;
}

static void begin_frame(Worker *worker, Node *node) {
    Frame *frame = &worker->frames[node->ply];
    Frame *next = &worker->frames[node->ply + 1];
    next->killers[0] = MOVE_NONE;
    next->killers[1] = MOVE_NONE;
    next->excluded = MOVE_NONE;
    next->double_extensions = frame->double_extensions;
    const Move *counter = worker_counter(worker, node->ply);
    node->context.history = &worker->history;
    node->context.table = &worker->shared->tt;
    worker_rows_before(worker, node->ply, node->context.rows);
    node->context.refutations[0] = frame->killers[0];
    node->context.refutations[1] = frame->killers[1];
    node->context.refutations[2] = counter == NULL ? MOVE_NONE : *counter;
}

/* What the node leaves behind: for others to order their moves and judge by, and in the table. */
static void conclude(Worker *worker, const Node *node) {
    Bound bound = node->best >= node->beta         ? BOUND_LOWER
                  : node->best > node->first_alpha ? BOUND_EXACT
                                                   : BOUND_UPPER;
    if (node->best_move != MOVE_NONE && bound == BOUND_LOWER) {
        learn_from_cut(worker, &node->context, node->ply, node->depth, node->best_move,
                       node->tried);
    }
    if (node->excluded != MOVE_NONE) {
        return;
    }
    if (bound == BOUND_UPPER) {
        learn_from_fail_low(worker, node->ply, node->depth);
    }
    learn_correction(worker, node->ply, node->depth, node->best_move, node->best, bound);
    store(worker, node, node->best, bound, node->best_move, node->depth);
}

Score node_search(Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut) {
    if (depth <= 0) {
        return qsearch(worker, ply, alpha, beta);
    }
    if (!worker_count_node(worker, ply)) {
        return SCORE_DRAW;
    }
    worker->lines[ply].len = 0;
    Node node = {.ply = ply,
                 .depth = depth,
                 .alpha = alpha,
                 .beta = beta,
                 .is_pv = beta - alpha > 1,
                 .is_cut = is_cut,
                 .in_check = pos_in_check(&worker->pos),
                 .excluded = worker->frames[ply].excluded,
                 .raw_eval = SCORE_NONE,
                 .static_eval = SCORE_NONE,
                 .eval = SCORE_NONE,
                 .best = -SCORE_INFINITE};
    Score score = SCORE_NONE;
    if (node.excluded == MOVE_NONE && is_answered_early(worker, &node, &score)) {
        return score;
    }
    node.first_alpha = node.alpha;
    node.is_known = worker_probe(worker, ply, &node.entry);
    if (is_table_cut(&node)) {
        return node.entry.score;
    }
    if (find_mate_in_one(worker, &node)) {
        return score_mate_in(ply + 1);
    }
    if (!node.is_pv && !node.in_check && node.depth >= P_NULL_DEPTH) {
        /* By the time the evaluation is there, so is what the null move will ask for. */
        tt_prefetch(&worker->shared->tt, pos_key_after_null(&worker->pos));
    }
    judge(worker, &node);
    begin_frame(worker, &node);
    if (try_pruning(worker, &node, &score)) {
        return score;
    }
    ASSERT(node.in_check || node.static_eval != SCORE_NONE);
    /* Without a move from the table a deep search is badly ordered: first a shallower one. */
    if (node.depth >= P_IIR_DEPTH && node.entry.move == MOVE_NONE && (node.is_pv || is_cut)) {
        node.depth--;
    }
    Tried tried;
    node.tried = &tried;
    learn_begin(&tried);
    if (search_moves(worker, &node, &score)) {
        return score;
    }
    if (node.number == 0) {
        return node.excluded != MOVE_NONE ? node.alpha : score_mated_in(ply);
    }
    conclude(worker, &node);
    return node.best;
}
