#include "search/node.h"

#include <math.h>
#include <stdlib.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "rules/attacks.h"
#include "rules/movegen.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/verify.h"
#include "search/worker.h"

/* Late move reductions are reckoned in 1024ths of a ply, margins in centipawns. */
#define PLY_UNIT 1024

#define LOG_UNIT 512

/* What a node works with from its beginning to its end. */
typedef struct Node {
    int ply;
    int depth;
    int first_depth; /* depth on entry */
    Score alpha;
    Score beta;
    Score first_alpha; /* alpha on entry: the bound of the result follows from it */
    bool is_pv;
    bool is_cut; /* expected to fail high */
    bool was_pv; /* on a principal variation, now or as the table remembers */
    bool in_check;
    bool is_improving;  /* the static evaluation rose since the side's last turn */
    bool is_worsening;  /* the enemy's fell with the last move */
    bool is_lmp_sample; /* late move pruning has begun, and what it skips is verified */
    bool is_whole;      /* no pruning of the node itself: it is searched to verify that */
    Move excluded;      /* left out by the singular test; MOVE_NONE in ordinary nodes */
    TtEntry entry;      /* what the table knew; entry.move MOVE_NONE when nothing */
    bool is_known;      /* the table knew something */
    bool table_takes;   /* the table's move takes or promotes */
    /* In check these are SCORE_NONE. */
    Score raw_eval;    /* the static evaluation as computed, */
    Score static_eval; /* corrected, */
    Score eval;        /* and sharpened by the table's score besides */
    Score best;
    Move best_move;
    int number;   /* moves picked so far, */
    int searched; /* and of these searched */
    int reduced;  /* plies that the move to this node is reduced by */
    PickContext context;
    Tried *tried; /* moves that did not refute */
} Node;

/* Logarithms: the product of those of depth and number of the move is a reduction. */
static int16_t log_table[128];

void node_init(void) {
    for (int i = 1; i < (int)COUNTOF(log_table); i++) {
        log_table[i] = (int16_t)(log(i) * LOG_UNIT);
    }
}

static int log_product(int depth, int number) {
    int logs = log_table[int_min(depth, 127)] * log_table[int_min(number, 127)];
    return logs / 1024 * P_LMR_SLOPE / (LOG_UNIT * LOG_UNIT / 1024);
}

int node_late_reduction(int depth, int number) {
    return log_product(depth, number) + P_LMR_BASE;
}

/* The reduction of a late move, in 1024ths of a ply, before what is known of the move counts. */
static int late_reduction(const Worker *worker, const Node *node, int number) {
    int scale = log_product(node->depth, number);
    int window = int_min(node->beta - node->alpha, worker->state.root_delta);
    int units = scale + P_LMR_BASE - window * P_LMR_WINDOW / worker->state.root_delta;
    return node->is_improving ? units : units + scale * P_LMR_IMPROVING / 1024;
}

static void count(Worker *worker, const Node *node, Stat stat) {
    stats_count(&worker->stats, stat, node->depth);
}

/* ---- the end of the game --------------------------------------------------------------------- */

/* True when the node is answered without a look at its moves. */
static bool is_answered_early(Worker *worker, Node *node, Score *score) {
    if (terminal_test(worker, node->ply, score)) {
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

/* A score above beta must be from a deeper search; one that a shallow node does not expect does not
 * count there. */
static bool is_table_cut(const Node *node) {
    const TtEntry *entry = &node->entry;
    if (!node->is_known || node->is_pv || node->excluded != MOVE_NONE ||
        entry->depth < node->depth + (entry->score > node->beta ? P_TT_CUT_SLACK : 0)) {
        return false;
    }
    bool is_expected = node->is_cut == (entry->score >= node->beta);
    return (is_expected || node->depth > P_TT_CUT_DEPTH) && tt_decides(entry, node->beta);
}

static void store(Worker *worker, const Node *node, Score score, Bound bound, Move move,
                  int depth) {
    TtEntry entry = {.move = move,
                     .score = score,
                     .eval = node->raw_eval,
                     .depth = depth,
                     .bound = bound,
                     .is_pv = node->was_pv};
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
    count(worker, node, STAT_MATE_IN_ONE);
    store(worker, node, score_mate_in(node->ply + 1), BOUND_EXACT, mate, MAX_PLY);
    worker->lines[node->ply + 1].len = 0;
    worker_update_pv(worker, node->ply, mate);
    return true;
}

/* ---- the static evaluation ------------------------------------------------------------------- */

static void set_static_eval(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    ss->in_check = node->in_check;
    if (node->in_check) {
        ss->eval = SCORE_NONE;
        return;
    }
    bool has_eval = node->is_known && node->entry.eval != SCORE_NONE;
    node->raw_eval = has_eval ? node->entry.eval : worker_evaluate(worker);
    node->static_eval = worker_correct(worker, node->ply, node->raw_eval);
    if (!node->is_known && node->excluded == MOVE_NONE) {
        /* Quiescence would stand pat on it, so it is a lower bound; the evaluation is kept too. */
        store(worker, node, node->static_eval, BOUND_LOWER, MOVE_NONE, 0);
    }
    node->eval = node->is_known ? tt_sharpen(&node->entry, node->static_eval) : node->static_eval;
    ss->eval = node->static_eval;
    Score before = worker_eval_before(worker, node->ply, 2);
    if (before == SCORE_NONE) {
        before = worker_eval_before(worker, node->ply, 4);
    }
    node->is_improving = before == SCORE_NONE || node->static_eval > before;
    Score enemy = worker_eval_before(worker, node->ply, 1);
    if (enemy == SCORE_NONE) {
        return;
    }
    node->is_worsening = node->static_eval > -enemy;
    if (!has_eval && node->excluded == MOVE_NONE) {
        history_update_eval(worker, node->ply, -(enemy + node->static_eval));
    }
}

/* A move that was reduced much and turns out well is looked at more closely; one that was reduced
 * and changes nothing, less. */
static void adjust_depth(const Worker *worker, Node *node) {
    Score enemy = worker_eval_before(worker, node->ply, 1);
    if (node->in_check || enemy == SCORE_NONE || node->excluded != MOVE_NONE) {
        return;
    }
    if (node->reduced >= P_HINDSIGHT_MORE && !node->is_worsening) {
        node->depth++;
    } else if (node->reduced >= 1 && node->depth >= 2 &&
               node->static_eval + enemy > P_HINDSIGHT_MARGIN) {
        node->depth--;
    }
}

/* ---- sampled verification, in tuning builds only (verify.h) -----------------------------------
 */

/* What a check must leave as it was. */
typedef struct VerifyScope {
    Stack stack;
    uint64_t nodes;
    uint64_t quota;
} VerifyScope;

/* Windows among mates and repetitions are left alone: there nothing but a nearer mate counts, which
 * pruning often hides at no cost. */
static bool is_check_due(Worker *worker, const Node *node, Pruning decision, VerifyKind kind) {
    return abs(node->alpha) < SCORE_EVAL_MAX && verify_is_due(&worker->verify, decision, kind);
}

static VerifyScope begin_check(Worker *worker, int ply) {
    VerifyScope scope = {worker->stack[ply], worker_nodes(worker), worker->state.node_quota};
    worker->state.node_quota = UINT64_MAX;
    verify_set_running(&worker->verify, true);
    return scope;
}

static void end_check(Worker *worker, int ply, const VerifyScope *scope) {
    worker->stack[ply] = scope->stack;
    worker->state.node_quota = scope->quota;
    atomic_store_explicit(&worker->nodes, scope->nodes, memory_order_relaxed);
    verify_set_running(&worker->verify, false);
}

/* The node is about to be cut. Searches some of those all the same. */
static void verify_cut(Worker *worker, const Node *node, Pruning decision, int margin) {
    if (!is_check_due(worker, node, decision, VERIFY_NODE)) {
        return;
    }
    bool fails_low = decision == PRUNING_RAZOR;
    Score bound = fails_low ? node->alpha + 1 : node->beta;
    VerifyScope scope = begin_check(worker, node->ply);
    worker->stack[node->ply].is_whole = true;
    Score score = node_search(worker, node->ply, node->first_depth, bound - 1, bound, node->is_cut);
    end_check(worker, node->ply, &scope);
    if (!worker_is_stopped(worker)) {
        VerifyCase checked = {decision, VERIFY_NODE, node->depth, margin};
        verify_add(&worker->verify, &checked, (score >= bound) == fails_low);
    }
}

/* ---- pruning of whole nodes ------------------------------------------------------------------ */

/* Reverse futility: a quiet position far above beta stays there. */
static bool is_reverse_futile(const Worker *worker, const Node *node) {
    if (node->was_pv || node->depth > P_RFP_DEPTH || node->eval < node->beta ||
        node->eval >= SCORE_EVAL_MAX || score_is_mate(node->beta) ||
        (node->entry.move != MOVE_NONE && !node->table_takes)) {
        return false;
    }
    int slope = P_RFP_MARGIN - P_RFP_CUT_NODE * (node->is_cut && !node->is_known);
    int margin = slope * node->depth - 2 * slope * node->is_improving -
                 slope / 3 * node->is_worsening + worker->stack[node->ply - 1].stat / P_RFP_STAT;
    return node->eval - int_max(margin, 0) >= node->beta;
}

/* A position so far below alpha that only captures can help: quiescence decides. */
static bool try_razoring(Worker *worker, const Node *node, Score *score) {
    if (node->is_pv ||
        node->eval + P_RAZOR_BASE + P_RAZOR_SLOPE * node->depth * node->depth >= node->alpha) {
        return false;
    }
    count(worker, node, STAT_RAZOR);
    *score = qsearch(worker, node->ply, node->alpha, node->alpha + 1);
    bool is_cut = *score <= node->alpha && !score_is_mate(*score);
    stats_add(&worker->stats, STAT_RAZOR_CUT, node->depth, is_cut);
    return is_cut;
}

/* A side that may even pass and still stands above beta will do so by a real move. */
static bool try_null_move(Worker *worker, const Node *node, Score *score) {
    if (!node->is_cut || node->depth < P_NULL_DEPTH || node->eval < node->beta ||
        node->static_eval < node->beta + P_NULL_STATIC_BASE - P_NULL_STATIC_SLOPE * node->depth ||
        worker->stack[node->ply - 1].move == MOVE_NULL || score_is_mate(node->beta) ||
        node->ply < worker->state.null_from_ply) {
        return false;
    }
    int reduction = P_NULL_BASE + node->depth / P_NULL_DIVISOR +
                    int_min((node->eval - node->beta) / P_NULL_EVAL_DIVISOR, P_NULL_EVAL_MOST);
    int depth = node->depth - reduction;
    worker->stack[node->ply].stat = 0;
    worker->stack[node->ply].reduction = 0;
    count(worker, node, STAT_NULL);
    worker_do_null(worker, node->ply);
    *score = -node_search(worker, node->ply + 1, depth, -node->beta, -node->beta + 1, false);
    worker_undo_null(worker);
    if (*score < node->beta || worker_is_stopped(worker)) {
        return false;
    }
    *score = score_is_mate(*score) ? node->beta : *score;
    count(worker, node, STAT_NULL_CUT);
    if (node->depth < P_NULL_VERIFY_DEPTH || worker->state.null_from_ply > 0) {
        return true;
    }
    worker->state.null_from_ply = node->ply + P_NULL_VERIFY_SHARE * depth / 100;
    Score verified = node_search(worker, node->ply, depth, node->beta - 1, node->beta, false);
    worker->state.null_from_ply = 0;
    return verified >= node->beta;
}

/* A capture that beats beta by far in a shallow search would do so in a deep one. */
static bool try_probcut(Worker *worker, Node *node, Score *score) {
    Score target = node->beta + P_PROBCUT_MARGIN - P_PROBCUT_IMPROVING * node->is_improving;
    int depth = node->depth - P_PROBCUT_REDUCTION;
    if (node->is_pv || node->depth < P_PROBCUT_DEPTH || score_is_mate(node->beta) ||
        target >= SCORE_EVAL_MAX ||
        (node->is_known && node->entry.depth > 0 && node->entry.score < target)) {
        return false;
    }
    MovePicker picker;
    movepick_init_tactical(&picker, &worker->pos, &node->context, node->entry.move,
                           target - node->static_eval);
    worker->stack[node->ply].stat = 0;
    worker->stack[node->ply].reduction = 0;
    count(worker, node, STAT_PROBCUT);
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (move == node->excluded) {
            continue;
        }
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
            count(worker, node, STAT_PROBCUT_CUT);
            verify_cut(worker, node, PRUNING_PROBCUT, *score - target);
            store(worker, node, *score, BOUND_LOWER, move, depth + 1);
            *score = score_is_mate(*score) ? *score : *score - (target - node->beta);
            return true;
        }
    }
    return false;
}

/* The table knows of a score far above beta, from a search that was nearly deep enough. */
static bool is_small_probcut(const Node *node, Score *score) {
    Score target = node->beta + P_SMALL_PROBCUT;
    *score = target;
    return !node->is_pv && node->excluded == MOVE_NONE && !node->is_whole && node->is_known &&
           (node->entry.bound & BOUND_LOWER) != 0 &&
           node->entry.depth >= node->depth - P_SMALL_PROBCUT_DEPTH &&
           node->entry.score >= target && !score_is_mate(node->beta) &&
           !score_is_mate(node->entry.score) && abs(node->entry.score) < SCORE_EVAL_MAX;
}

static bool try_pruning(Worker *worker, Node *node, Score *score) {
    if (node->in_check || node->excluded != MOVE_NONE || node->is_whole) {
        return false;
    }
    if (try_razoring(worker, node, score)) {
        verify_cut(worker, node, PRUNING_RAZOR, node->alpha - node->eval);
        return true;
    }
    if (is_reverse_futile(worker, node)) {
        count(worker, node, STAT_RFP_CUT);
        *score = node->beta + (node->eval - node->beta) / 3;
        verify_cut(worker, node, PRUNING_RFP, node->eval - node->beta);
        return true;
    }
    if (try_null_move(worker, node, score)) {
        verify_cut(worker, node, PRUNING_NULL, int_max(node->static_eval - node->beta, 0));
        return true;
    }
    node->is_improving |= node->static_eval >= node->beta;
    /* Without a move from the table a deep search is badly ordered: first a shallower one. */
    if (node->depth >= P_IIR_DEPTH && node->entry.move == MOVE_NONE &&
        (node->is_pv || node->is_cut)) {
        node->depth--;
    }
    return !worker_is_stopped(worker) && try_probcut(worker, node, score);
}

/* ---- one move -------------------------------------------------------------------------------- */

/* What is known about a move before it is made. */
typedef struct Candidate {
    Move move;
    bool is_quiet;
    bool gives_check;
    int extension; /* plies */
} Candidate;

static bool takes_or_promotes(const Position *pos, Move move) {
    return move != MOVE_NONE && !move_is_quiet(pos, move);
}

/* Drops beside the enemy king carry attacks: they are not judged by what they cost. */
static bool drops_near_king(const Position *pos, Move move) {
    Square king = pos->king[color_flip(pos->side)];
    return move_is_drop(move) && king != SQ_NONE && bb_has(attacks_king(king), move_to(move));
}

/* The histories of the moves just before, for a quiet move. */
static int continuation_history(const Worker *worker, const Node *node, Move move) {
    int mover = history_mover(&worker->pos, move);
    return (*node->context.continuations[0])[mover][move_to(move)] +
           (*node->context.continuations[1])[mover][move_to(move)];
}

static int pawn_history(const Worker *worker, const Node *node, Move move) {
    return (*node->context.pawn_history)[history_mover(&worker->pos, move)][move_to(move)];
}

static int quiet_history(const Node *node, const Position *pos, Move move) {
    return *history_quiet(node->context.history, pos->side, move);
}

/* What the histories say of a move, for its reduction. */
static int stat_of(const Worker *worker, const Node *node, const Candidate *candidate) {
    const Position *pos = &worker->pos;
    Move move = candidate->move;
    if (!candidate->is_quiet) {
        return P_LMR_GAIN * values_move_gain(pos, move) / 16 +
               *history_capture(node->context.history, pos, move) - P_LMR_STAT_CAPTURE;
    }
    return 2 * quiet_history(node, pos, move) + continuation_history(worker, node, move) -
           P_LMR_STAT_QUIET;
}

/* Late move pruning: enough moves have been tried, no more quiet ones are worth it. */
static bool has_tried_enough(const Node *node) {
    int enough = (P_LMP_BASE + node->depth * node->depth) / (2 - node->is_improving);
    return node->number >= enough && node->best > -SCORE_MATE_BOUND;
}

static bool loses_exchange(const Position *pos, Move move, int most) {
    return !see_reaches(pos, move, -most, values_capture());
}

/* Why a move is not worth a search at this depth; PRUNING_NB: it is. */
typedef struct Skip {
    Pruning reason;
    int margin; /* in centipawns; negative: the reason has none */
} Skip;

#define NOT_SKIPPED ((Skip){PRUNING_NB, -1})

static const Stat skip_stats[PRUNING_NB] = {[PRUNING_HISTORY] = STAT_HISTORY_SKIP,
                                            [PRUNING_FUTILITY] = STAT_FUTILITY_SKIP,
                                            [PRUNING_EXCHANGE] = STAT_EXCHANGE_SKIP,
                                            [PRUNING_TACTIC_FUTILITY] = STAT_TACTIC_FUTILITY_SKIP,
                                            [PRUNING_TACTIC_EXCHANGE] = STAT_TACTIC_EXCHANGE_SKIP};

/* The same question for a capture or a check. */
static Skip skip_tactic(const Worker *worker, const Node *node, const Candidate *candidate,
                        int depth) {
    const Position *pos = &worker->pos;
    Move move = candidate->move;
    int history = candidate->is_quiet ? 0 : *history_capture(node->context.history, pos, move);
    if (!candidate->gives_check && depth < P_CAPTURE_FUTILITY_DEPTH && !node->in_check) {
        Score most = node->static_eval + P_CAPTURE_FUTILITY_BASE +
                     P_CAPTURE_FUTILITY_SLOPE * depth + values_move_gain(pos, move) +
                     history / P_CAPTURE_FUTILITY_HISTORY;
        if (most <= node->alpha) {
            return (Skip){PRUNING_TACTIC_FUTILITY, node->alpha - most};
        }
    }
    int slope = candidate->is_quiet ? P_SEE_CHECK_SLOPE : P_SEE_CAPTURE_SLOPE;
    int most = slope * node->depth + history / P_SEE_CAPTURE_HISTORY;
    return loses_exchange(pos, move, int_max(most, 0)) ? (Skip){PRUNING_TACTIC_EXCHANGE, -1}
                                                       : NOT_SKIPPED;
}

/* The same for a quiet move, at a depth which its histories alter. */
static Skip skip_quiet(const Worker *worker, const Node *node, Move move, int depth) {
    const Position *pos = &worker->pos;
    int history = continuation_history(worker, node, move) + pawn_history(worker, node, move);
    if (history < -P_HISTORY_PRUNE_SLOPE * node->depth) {
        return (Skip){PRUNING_HISTORY, -1};
    }
    history += 2 * quiet_history(node, pos, move);
    depth += history / P_HISTORY_DEPTH;
    if (!node->in_check && depth < P_FUTILITY_DEPTH) {
        Score most = node->static_eval + P_FUTILITY_BASE +
                     (node->best_move == MOVE_NONE ? P_FUTILITY_FIRST : 0) +
                     P_FUTILITY_SLOPE * int_max(depth, 0);
        if (most <= node->alpha) {
            return (Skip){PRUNING_FUTILITY, node->alpha - most};
        }
    }
    depth = int_max(depth, 0);
    bool is_lost =
        !drops_near_king(pos, move) && loses_exchange(pos, move, P_SEE_QUIET_SLOPE * depth * depth);
    return is_lost ? (Skip){PRUNING_EXCHANGE, -1} : NOT_SKIPPED;
}

static VerifyKind verify_kind(const Candidate *candidate) {
    return candidate->gives_check          ? VERIFY_CHECK
           : !candidate->is_quiet          ? VERIFY_CAPTURE
           : move_is_drop(candidate->move) ? VERIFY_DROP
                                           : VERIFY_QUIET;
}

/* The move is about to be skipped. Searches some of those all the same. */
static void verify_skip(Worker *worker, const Node *node, const Candidate *candidate,
                        const Skip *skip) {
    VerifyKind kind = verify_kind(candidate);
    if (!is_check_due(worker, node, skip->reason, kind)) {
        return;
    }
    VerifyScope scope = begin_check(worker, node->ply);
    worker->stack[node->ply].stat = stat_of(worker, node, candidate);
    worker->stack[node->ply].number = node->number;
    worker->stack[node->ply].reduction = 0;
    worker_do(worker, node->ply, candidate->move);
    Score score = -node_search(worker, node->ply + 1, node->depth - 1, -node->alpha - 1,
                               -node->alpha, !node->is_cut);
    worker_undo(worker);
    end_check(worker, node->ply, &scope);
    if (!worker_is_stopped(worker)) {
        VerifyCase checked = {skip->reason, kind, node->depth, skip->margin};
        verify_add(&worker->verify, &checked, score > node->alpha);
    }
}

/* The move has failed low at a reduced depth. Searches some of those at full depth. */
static void verify_reduction(Worker *worker, const Node *node, const Candidate *candidate,
                             int depth) {
    Pruning decision = node->is_pv    ? PRUNING_LMR_PV
                       : node->is_cut ? PRUNING_LMR_CUT
                                      : PRUNING_LMR_ALL;
    VerifyKind kind = verify_kind(candidate);
    if (!is_check_due(worker, node, decision, kind)) {
        return;
    }
    VerifyScope scope = begin_check(worker, node->ply);
    worker->stack[node->ply].reduction = 0;
    Score score =
        -node_search(worker, node->ply + 1, depth, -node->alpha - 1, -node->alpha, !node->is_cut);
    end_check(worker, node->ply, &scope);
    if (!worker_is_stopped(worker)) {
        VerifyCase checked = {decision, kind, node->depth, -1};
        verify_add(&worker->verify, &checked, score > node->alpha);
    }
}

/* True for moves that are not worth a search at this depth. Never while nothing better than being
 * mated is known, so the first move is always tried. */
static bool is_skipped(Worker *worker, const Node *node, const Candidate *candidate,
                       int reduction) {
    if (node->best <= -SCORE_MATE_BOUND) {
        return false;
    }
    int depth = node->depth - 1 - reduction / PLY_UNIT;
    Skip skip = candidate->is_quiet && !candidate->gives_check
                    ? skip_quiet(worker, node, candidate->move, depth)
                    : skip_tactic(worker, node, candidate, depth);
    if (skip.reason == PRUNING_NB) {
        return false;
    }
    count(worker, node, skip_stats[skip.reason]);
    verify_skip(worker, node, candidate, &skip);
    return true;
}

/* The table's move is singular when every other move stays well below its score: then it is
 * searched deeper. When the others reach beta too, the node is cut (multicut). */
static bool test_singular(Worker *worker, Node *node, Candidate *candidate, Score *cut) {
    const TtEntry *entry = &node->entry;
    if (candidate->move != entry->move || node->excluded != MOVE_NONE ||
        node->depth < P_SINGULAR_DEPTH + node->was_pv || score_is_mate(entry->score) ||
        (entry->bound & BOUND_LOWER) == 0 || entry->depth < node->depth - P_SINGULAR_ENTRY ||
        node->ply >= P_SINGULAR_PLY_FACTOR * worker->state.root_depth) {
        return false;
    }
    int slope = P_SINGULAR_MARGIN + P_SINGULAR_MARGIN_PV * (node->was_pv && !node->is_pv);
    Score bar = entry->score - slope * node->depth / 64;
    int depth = (node->depth - 1) / 2;
    Stack *ss = &worker->stack[node->ply];
    ss->excluded = candidate->move;
    Score score = node_search(worker, node->ply, depth, bar - 1, bar, node->is_cut);
    ss->excluded = MOVE_NONE;
    if (worker_is_stopped(worker)) {
        return false;
    }
    count(worker, node, STAT_SINGULAR);
    if (score < bar) {
        int margin =
            P_DOUBLE_MARGIN + P_DOUBLE_PV * node->is_pv - P_DOUBLE_QUIET * !node->table_takes;
        bool is_double = score < bar - margin && ss->double_extensions < P_DOUBLE_MOST;
        candidate->extension = 1 + is_double;
        count(worker, node, is_double ? STAT_SINGULAR_TWO : STAT_SINGULAR_ONE);
    } else if (score >= node->beta && !score_is_mate(score)) {
        *cut = score;
        count(worker, node, STAT_MULTICUT);
        return true;
    } else if (entry->score >= node->beta) {
        candidate->extension = -P_SINGULAR_LESS_ABOVE;
        count(worker, node, STAT_SINGULAR_LESS);
    } else if (node->is_cut) {
        candidate->extension = -P_SINGULAR_LESS_CUT;
        count(worker, node, STAT_SINGULAR_LESS);
    }
    return false;
}

/* The reduction of a move in 1024ths of a ply, with all that is known of it. */
static int adjust_reduction(const Worker *worker, const Node *node, const Candidate *candidate,
                            int units) {
    const TtEntry *entry = &node->entry;
    if (node->was_pv) {
        units -= P_LMR_WAS_PV + node->is_pv * P_LMR_PV +
                 (node->is_known && entry->score > node->alpha) * P_LMR_PV_SCORE +
                 (node->is_known && entry->depth >= node->depth) * P_LMR_PV_DEPTH;
    }
    units += P_LMR_SHIFT - int_min(node->number, 32) * P_LMR_NUMBER;
    if (node->is_cut) {
        units += P_LMR_CUT_NODE + (entry->move == MOVE_NONE) * P_LMR_CUT_UNKNOWN;
    }
    units += node->table_takes ? P_LMR_TABLE_TAKES : 0;
    units += worker->stack[node->ply + 1].cutoffs > 2 ? P_LMR_CUTOFFS : 0;
    units -= candidate->move == entry->move ? P_LMR_TABLE_MOVE : 0;
    units -= candidate->gives_check ? P_LMR_CHECK : 0;
    units -= drops_near_king(&worker->pos, candidate->move) ? P_LMR_KING_DROP : 0;
    return units - worker->stack[node->ply].stat * P_LMR_STAT / 8192;
}

/* Searches a move at a reduced depth; where it is better than expected, at the whole depth or a
 * little more or less. */
static Score search_reduced(Worker *worker, const Node *node, const Candidate *candidate, int depth,
                            int units) {
    Stack *ss = &worker->stack[node->ply];
    int most =
        depth + (node->is_pv || node->is_cut) + (node->is_pv && node->best_move == MOVE_NONE);
    int reduced = int_max(1, int_min(depth - units / PLY_UNIT, most));
    ss->reduction = depth - reduced;
    stats_add(&worker->stats, STAT_REDUCED, node->depth, reduced < depth);
    stats_add(&worker->stats, STAT_REDUCED_PLIES, node->depth, int_max(depth - reduced, 0));
    Score score =
        -node_search(worker, node->ply + 1, reduced, -node->alpha - 1, -node->alpha, true);
    ss->reduction = 0;
    if (worker_is_stopped(worker) || reduced >= depth) {
        return score;
    }
    if (score <= node->alpha) {
        verify_reduction(worker, node, candidate, depth);
        return score;
    }
    depth += (score > node->best + P_DEEPER_MARGIN + P_DEEPER_SLOPE * depth) -
             (score < node->best + P_SHALLOWER_MARGIN);
    if (depth > reduced) {
        count(worker, node, STAT_AGAIN);
        score = -node_search(worker, node->ply + 1, depth, -node->alpha - 1, -node->alpha,
                             !node->is_cut);
    }
    history_update_reduced(worker, node->ply);
    return score;
}

/* Principal variation search: a null window first, reduced for late moves; the full window only
 * for what may be better. */
static Score search_move(Worker *worker, Node *node, const Candidate *candidate, int units) {
    int ply = node->ply + 1;
    Stack *ss = &worker->stack[node->ply];
    worker->stack[ply].double_extensions = ss->double_extensions + (candidate->extension >= 2);
    int depth = node->depth - 1 + candidate->extension;
    ss->stat = stat_of(worker, node, candidate);
    ss->number = node->number;
    ss->reduction = 0;
    units = adjust_reduction(worker, node, candidate, units);
    worker_do(worker, node->ply, candidate->move);
    Score score = node->alpha + 1;
    if (node->depth >= 2 && node->number > 1) {
        score = search_reduced(worker, node, candidate, depth, units);
    } else if (!node->is_pv || node->number > 1) {
        units += node->entry.move == MOVE_NONE ? P_LMR_UNKNOWN : 0;
        score = -node_search(worker, ply, depth - (units > P_LMR_FULL), -node->alpha - 1,
                             -node->alpha, !node->is_cut);
    }
    if (node->is_pv && (node->number == 1 || score > node->alpha)) {
        /* The table's move is not lost to quiescence. */
        bool is_trusted = candidate->move == node->entry.move && node->entry.depth > 1;
        score = -node_search(worker, ply, is_trusted ? int_max(depth, 1) : depth, -node->beta,
                             -node->alpha, false);
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
        /* What is still to come has a better move to beat. */
        if (node->depth > 2 && node->depth < P_ALPHA_DEPTH && !score_is_mate(score)) {
            node->depth -= P_ALPHA_LESS;
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
        Candidate candidate = {
            .move = move, .is_quiet = is_quiet, .gives_check = pos_gives_check(pos, move)};
        node->number++;
        int units = late_reduction(worker, node, node->number) + node->was_pv * P_LMR_WAS_PV_FIRST;
        if (is_quiet && node->is_lmp_sample) {
            verify_skip(worker, node, &candidate, &(Skip){PRUNING_LMP, -1});
            continue;
        }
        if (is_quiet && has_tried_enough(node)) {
            node->is_lmp_sample = is_check_due(worker, node, PRUNING_LMP, VERIFY_NODE);
            picker.skips_quiets = !node->is_lmp_sample;
        }
        count(worker, node, STAT_MOVE);
        if (is_skipped(worker, node, &candidate, units)) {
            continue;
        }
        if (test_singular(worker, node, &candidate, cut)) {
            return true;
        }
        node->searched++;
        count(worker, node, STAT_SEARCHED);
        Score score = search_move(worker, node, &candidate, units);
        if (worker_is_stopped(worker)) {
            return true;
        }
        if (note_score(worker, node, move, score)) {
            break;
        }
        if (move != node->best_move) {
            history_tried_add(node->tried, move, is_quiet);
        }
    }
    return false;
}

static void begin_node(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    Stack *next = &worker->stack[node->ply + 1];
    next->excluded = MOVE_NONE;
    next->is_whole = false;
    next->double_extensions = ss->double_extensions;
    worker->stack[node->ply + 2].cutoffs = 0;
    worker->stack[node->ply + 2].killers[0] = MOVE_NONE;
    worker->stack[node->ply + 2].killers[1] = MOVE_NONE;
    ss->was_pv = node->was_pv;
    const Move *counter = worker_counter(worker, node->ply);
    node->context.history = &worker->history;
    node->context.table = &worker->shared->tt;
    node->context.pawn_history = ss->corrections.pawn_history;
    worker_continuations(worker, node->ply, node->context.continuations);
    node->context.ply = node->ply;
    node->context.refutations[0] = ss->killers[0];
    node->context.refutations[1] = ss->killers[1];
    node->context.refutations[2] = counter == NULL ? MOVE_NONE : *counter;
}

/* What the node leaves behind: for others to order their moves and judge by, and in the table. */
static void conclude(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    Bound bound = node->best >= node->beta         ? BOUND_LOWER
                  : node->best > node->first_alpha ? BOUND_EXACT
                                                   : BOUND_UPPER;
    if (bound == BOUND_LOWER) {
        count(worker, node, STAT_CUT);
        stats_add(&worker->stats, STAT_FIRST_CUT, node->depth, node->searched == 1);
    }
    if (bound == BOUND_LOWER && !score_is_mate(node->best)) {
        node->best = (node->best * node->depth + node->beta) / (node->depth + 1);
    }
    ss->cutoffs += bound == BOUND_LOWER;
    if (node->best_move != MOVE_NONE) {
        history_update_best(worker,
                            &(HistoryCut){.ply = node->ply,
                                          .depth = node->depth,
                                          .best = node->best_move,
                                          .is_table_move = node->best_move == node->entry.move,
                                          .tried = node->tried});
    } else if (node->excluded == MOVE_NONE) {
        history_update_fail_low(worker, node->ply, node->depth, node->best);
    }
    if (bound == BOUND_UPPER) {
        node->was_pv = node->was_pv || worker->stack[node->ply - 1].was_pv;
    }
    if (node->excluded != MOVE_NONE) {
        return;
    }
    history_update_correction(worker, node->ply, node->depth, node->best_move, node->best, bound);
    store(worker, node, node->best, bound, node->best_move, node->depth);
}

static void count_node(Worker *worker, const Node *node) {
    count(worker, node, STAT_NODE);
    stats_add(&worker->stats, STAT_PV_NODE, node->depth, node->is_pv);
    stats_add(&worker->stats, STAT_CHECKED_NODE, node->depth, node->in_check);
    stats_add(&worker->stats, STAT_TABLE_HIT, node->depth, node->is_known);
    stats_add(&worker->stats, STAT_TABLE_MOVE, node->depth, node->entry.move != MOVE_NONE);
}

/* What the table says of the node. True when that, or a mate in one, is its score. */
static bool is_answered_by_table(Worker *worker, Node *node, Score *score) {
    node->is_known = worker_probe(worker, node->ply, &node->entry);
    node->was_pv = node->excluded != MOVE_NONE
                       ? worker->stack[node->ply].was_pv
                       : node->is_pv || (node->is_known && node->entry.is_pv);
    node->table_takes = takes_or_promotes(&worker->pos, node->entry.move);
    begin_node(worker, node);
    count_node(worker, node);
    if (is_table_cut(node)) {
        count(worker, node, STAT_TABLE_CUT);
        if (node->entry.score >= node->beta) {
            history_update_table_cut(worker, node->ply, node->depth, node->entry.move);
        }
        *score = node->entry.score;
        return true;
    }
    *score = score_mate_in(node->ply + 1);
    return find_mate_in_one(worker, node);
}

Score node_search(Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut) {
    if (depth <= 0) {
        return qsearch(worker, ply, alpha, beta);
    }
    depth = int_min(depth, MAX_PLY - 1);
    if (!worker_enter_node(worker, ply)) {
        return SCORE_DRAW;
    }
    worker->lines[ply].len = 0;
    Node node = {.ply = ply,
                 .depth = depth,
                 .first_depth = depth,
                 .alpha = alpha,
                 .beta = beta,
                 .is_pv = beta - alpha > 1,
                 .is_cut = is_cut,
                 .in_check = pos_in_check(&worker->pos),
                 .is_whole = worker->stack[ply].is_whole,
                 .excluded = worker->stack[ply].excluded,
                 .reduced = worker->stack[ply - 1].reduction,
                 .raw_eval = SCORE_NONE,
                 .static_eval = SCORE_NONE,
                 .eval = SCORE_NONE,
                 .best = -SCORE_INFINITE};
    Score score = SCORE_NONE;
    if (node.excluded == MOVE_NONE && is_answered_early(worker, &node, &score)) {
        return score;
    }
    node.first_alpha = node.alpha;
    if (is_answered_by_table(worker, &node, &score)) {
        return score;
    }
    if (!node.is_pv && !node.in_check && node.depth >= P_NULL_DEPTH) {
        /* By the time the evaluation is there, so is what the null move will ask for. */
        tt_prefetch(&worker->shared->tt, pos_key_after_null(&worker->pos));
    }
    set_static_eval(worker, &node);
    adjust_depth(worker, &node);
    if (try_pruning(worker, &node, &score)) {
        return score;
    }
    ASSERT(node.in_check || node.static_eval != SCORE_NONE);
    if (is_small_probcut(&node, &score)) {
        count(worker, &node, STAT_SMALL_PROBCUT_CUT);
        verify_cut(worker, &node, PRUNING_SMALL_PROBCUT, node.entry.score - score);
        return score;
    }
    Tried tried;
    node.tried = &tried;
    history_tried_clear(&tried);
    count(worker, &node, STAT_LOOP_NODE);
    if (search_moves(worker, &node, &score)) {
        return score;
    }
    if (node.number == 0) {
        return node.excluded != MOVE_NONE ? node.alpha : score_mated_in(ply);
    }
    conclude(worker, &node);
    return node.best;
}
