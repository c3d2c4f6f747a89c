/* node.c: one node of the main search, a principal variation search with selective pruning,
 * extensions and reductions. Start reading at node_search, at the end of the file. The steps of
 * node_search are numbered, and the comment above each function says which steps it performs. The
 * techniques have the names used in Stockfish; https://www.chessprogramming.org explains each of
 * them. */
#include "search/node.h"

#include <math.h>
#include <stdlib.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "rules/attacks.h"
#include "rules/see.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/qsearch.h"
#include "search/terminal_test.h"
#include "search/worker.h"

/* Late move reductions are in 1024ths of a ply, which variables named `units` count. Margins are in
 * centipawns. */
#define PLY_UNIT 1024

/* Natural logarithms are in 512ths. */
#define LOG_UNIT 512

/* The state of a node while it is searched. */
typedef struct Node {
    int ply;
    int depth;
    Score alpha;
    Score beta;
    Score original_alpha; /* alpha on entry, which determines the bound of the result */
    bool is_pv_node;
    bool is_cut_node; /* expected to fail high */
    bool in_check;
    bool is_improving;       /* the static evaluation is higher than at the side's last turn */
    bool opponent_worsening; /* the last move lowered the opponent's static evaluation */
    Move excluded_move;      /* skipped during a singular search; MOVE_NONE in ordinary nodes */
    TtEntry tt_entry;        /* the hash table entry; its move is MOVE_NONE if the position is not
                                in the table */
    bool tt_hit;
    bool tt_pv;      /* the node is on a principal variation, or was according to the hash table */
    bool tt_capture; /* the hash move captures or promotes */
    /* The next three members are SCORE_NONE in check. */
    Score raw_eval;    /* the static evaluation as computed */
    Score static_eval; /* the static evaluation with its corrections */
    Score eval;        /* static_eval, or the hash table's score if that is a better estimate */
    Score best_score;
    Move best_move;
    int move_count;      /* moves picked so far */
    int searched_count;  /* moves searched so far */
    int prior_reduction; /* reduction, in plies, of the move that led to this node */
    PickContext context;
    Tried *tried; /* moves searched that did not raise alpha */
} Node;

/* Logarithms of depths and move numbers. The reduction grows with the product of both. */
static int16_t log_table[128];

void node_init(void) {
    for (int i = 1; i < (int)COUNTOF(log_table); i++) {
        log_table[i] = (int16_t)(log(i) * LOG_UNIT);
    }
}

/* LMR_SLOPE times log(depth) times log(number). Dividing by 1024 first avoids an overflow. */
static int log_product(int depth, int number) {
    int last = (int)COUNTOF(log_table) - 1;
    int logs = log_table[int_min(depth, last)] * log_table[int_min(number, last)];
    return logs / 1024 * P_LMR_SLOPE / (LOG_UNIT * LOG_UNIT / 1024);
}

int node_late_reduction(int depth, int number) {
    return log_product(depth, number) + P_LMR_BASE;
}

/* The reduction of a late move in 1024ths of a ply, before adjust_reduction takes the move itself
 * into account. */
static int late_reduction(const Worker *worker, const Node *node, int number) {
    int scale = log_product(node->depth, number);
    int window = int_min(node->beta - node->alpha, worker->state.root_delta);
    int units = scale + P_LMR_BASE - window * P_LMR_WINDOW / worker->state.root_delta;
    return node->is_improving ? units : units + scale * P_LMR_IMPROVING / 1024;
}

/* ---- before the table lookup --------------------------------------------------------------- */

/* Step 2. True if the game is over or the maximum ply is reached. */
static bool is_terminal(Worker *worker, const Node *node, Score *score) {
    if (terminal_test(worker, node->ply, score)) {
        return true;
    }
    if (node->ply >= MAX_PLY) {
        *score = worker_evaluate(worker);
        return true;
    }
    return false;
}

/* Step 3. Mate distance pruning: no line through this node can be better than a mate already found
 * closer to the root, or worse than being mated at this node. If these limits close the window, the
 * search has nothing left to find. */
static bool is_mate_distance_cut(Node *node, Score *score) {
    node->alpha = int_max(node->alpha, score_mated_in(node->ply));
    node->beta = int_min(node->beta, score_mate_in(node->ply + 1));
    *score = node->alpha;
    return node->alpha >= node->beta;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Step 4. Transposition table lookup. */
static void probe_tt(Worker *worker, Node *node) {
    node->tt_hit = worker_probe(worker, node->ply, &node->tt_entry);
    node->tt_pv = node->excluded_move != MOVE_NONE
                      ? worker->stack[node->ply].tt_pv
                      : node->is_pv_node || (node->tt_hit && node->tt_entry.is_pv);
    Move move = node->tt_entry.move;
    node->tt_capture = move != MOVE_NONE && !pos_is_quiet(&worker->pos, move);
}

/* True if the hash table's score cuts off the node: it comes from a deep enough search and lies
 * outside the window. A score above beta must come from a deeper search than a score below. At
 * shallow depth the score must also agree with the expected node type. */
static bool is_tt_cut(const Node *node) {
    const TtEntry *entry = &node->tt_entry;
    if (!node->tt_hit || node->is_pv_node || node->excluded_move != MOVE_NONE ||
        entry->depth < node->depth + (entry->score > node->beta ? P_TT_CUT_SLACK : 0)) {
        return false;
    }
    bool is_expected = node->is_cut_node == (entry->score >= node->beta);
    return (is_expected || node->depth > P_TT_CUT_DEPTH) && tt_decides(entry, node->beta);
}

static void store(Worker *worker, const Node *node, Score score, Bound bound, Move move,
                  int depth) {
    TtEntry entry = {.move = move,
                     .score = score,
                     .eval = node->raw_eval,
                     .depth = depth,
                     .bound = bound,
                     .is_pv = node->tt_pv};
    tt_store(&worker->shared->tt, pos_key(&worker->pos), node->ply, &entry);
}

/* Step 5. Finds a mate in one without making a move. Skipped if the hash table shows that the
 * position has been tested, and during a singular search, where the excluded move might be the
 * mate. */
static bool find_mate_in_one(Worker *worker, const Node *node) {
    if ((node->tt_hit && tt_is_mate_tested(&node->tt_entry)) || node->in_check ||
        node->excluded_move != MOVE_NONE) {
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

/* Step 6. Computes the static evaluation and whether it is improving. */
static void set_static_eval(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    if (node->in_check) {
        ss->static_eval = SCORE_NONE;
        return;
    }
    bool has_eval = node->tt_hit && node->tt_entry.eval != SCORE_NONE;
    node->raw_eval = has_eval ? node->tt_entry.eval : worker_evaluate(worker);
    node->static_eval = worker_correct(worker, node->ply, node->raw_eval);
    if (!node->tt_hit && node->excluded_move == MOVE_NONE) {
        /* Quiescence search would stand pat here, so the evaluation is a lower bound. Storing it
         * also saves computing it again. */
        store(worker, node, node->static_eval, BOUND_LOWER, MOVE_NONE, 0);
    }
    node->eval = node->tt_hit ? tt_refine(&node->tt_entry, node->static_eval) : node->static_eval;
    ss->static_eval = node->static_eval;
    Score before = worker_eval_before(worker, node->ply, 2);
    if (before == SCORE_NONE) {
        before = worker_eval_before(worker, node->ply, 4);
    }
    node->is_improving = before == SCORE_NONE || node->static_eval > before;
    Score enemy = worker_eval_before(worker, node->ply, 1);
    if (enemy == SCORE_NONE) {
        return;
    }
    node->opponent_worsening = node->static_eval > -enemy;
    if (!has_eval && node->excluded_move == MOVE_NONE) {
        history_update_eval(worker, node->ply, -(enemy + node->static_eval));
    }
}

/* Step 7. Hindsight: the reduction of the last move was chosen before this position was evaluated.
 * If the reduction was large but the move did not worsen the mover's position, search deeper. If
 * the evaluation is now good for this side, search less deeply. */
static void adjust_depth(const Worker *worker, Node *node) {
    Score enemy = worker_eval_before(worker, node->ply, 1);
    if (node->in_check || enemy == SCORE_NONE || node->excluded_move != MOVE_NONE) {
        return;
    }
    if (node->prior_reduction >= P_HINDSIGHT_MORE && !node->opponent_worsening) {
        node->depth++;
    } else if (node->prior_reduction >= 1 && node->depth >= 2 &&
               node->static_eval + enemy > P_HINDSIGHT_MARGIN) {
        node->depth--;
    }
}

/* ---- pruning of whole nodes ------------------------------------------------------------------ */

/* Step 8. Razoring: if the evaluation is far below alpha, only captures can help, so quiescence
 * search decides. */
static bool try_razoring(Worker *worker, const Node *node, Score *score) {
    if (node->is_pv_node ||
        node->eval + P_RAZOR_BASE + P_RAZOR_SLOPE * node->depth * node->depth >= node->alpha) {
        return false;
    }
    *score = qsearch(worker, node->ply, node->alpha, node->alpha + 1);
    bool is_cut = *score <= node->alpha && !score_is_mate(*score);
    return is_cut;
}

/* Step 9. Reverse futility pruning: if the evaluation of a quiet position is far above beta, the
 * search is expected to stay above beta too. */
static bool is_reverse_futile(const Worker *worker, const Node *node) {
    if (node->tt_pv || node->depth > P_RFP_DEPTH || node->eval < node->beta ||
        node->eval >= SCORE_EVAL_MAX || score_is_mate(node->beta) ||
        (node->tt_entry.move != MOVE_NONE && !node->tt_capture)) {
        return false;
    }
    int slope = P_RFP_MARGIN - P_RFP_CUT_NODE * (node->is_cut_node && !node->tt_hit);
    int margin = slope * node->depth - 2 * slope * node->is_improving -
                 slope / 3 * node->opponent_worsening +
                 worker->stack[node->ply - 1].stat_score / P_RFP_STAT;
    return node->eval - int_max(margin, 0) >= node->beta;
}

/* Step 10. Null move pruning: if the side to move stays above beta even after passing, a real move
 * will do so too. The exception is zugzwang. Zugzwang is rare in shogi, where pieces can be
 * dropped, so only deep cutoffs are verified, by a search without null moves near this node. */
static bool try_null_move(Worker *worker, const Node *node, Score *score) {
    if (!node->is_cut_node || node->depth < P_NULL_DEPTH || node->eval < node->beta ||
        node->static_eval < node->beta + P_NULL_STATIC_BASE - P_NULL_STATIC_SLOPE * node->depth ||
        worker->stack[node->ply - 1].move == MOVE_NULL || score_is_mate(node->beta) ||
        node->ply < worker->state.nmp_min_ply) {
        return false;
    }
    int reduction = P_NULL_BASE + node->depth / P_NULL_DIVISOR +
                    int_min((node->eval - node->beta) / P_NULL_EVAL_DIVISOR, P_NULL_EVAL_MOST);
    int depth = node->depth - reduction;
    worker->stack[node->ply].stat_score = 0;
    worker->stack[node->ply].reduction = 0;
    worker_do_null(worker, node->ply);
    *score = -node_search(worker, node->ply + 1, depth, -node->beta, -node->beta + 1, false);
    worker_undo_null(worker);
    if (*score < node->beta || worker_is_stopped(worker)) {
        return false;
    }
    /* A mate found after a null move proves no mate. */
    *score = score_is_mate(*score) ? node->beta : *score;
    if (node->depth < P_NULL_VERIFY_DEPTH || worker->state.nmp_min_ply > 0) {
        return true;
    }
    worker->state.nmp_min_ply = node->ply + P_NULL_VERIFY_SHARE * depth / 100;
    Score verified = node_search(worker, node->ply, depth, node->beta - 1, node->beta, false);
    worker->state.nmp_min_ply = 0;
    return verified >= node->beta;
}

/* Step 12. ProbCut: a capture that beats beta by a wide margin in a shallow search would also beat
 * it in a deep one. */
static bool try_probcut(Worker *worker, Node *node, Score *score) {
    Score probcut_beta = node->beta + P_PROBCUT_MARGIN - P_PROBCUT_IMPROVING * node->is_improving;
    int depth = node->depth - P_PROBCUT_REDUCTION;
    if (node->depth < P_PROBCUT_DEPTH || score_is_mate(node->beta) ||
        probcut_beta >= SCORE_EVAL_MAX ||
        (node->tt_hit && node->tt_entry.depth > 0 && node->tt_entry.score < probcut_beta)) {
        return false;
    }
    MovePicker picker;
    movepick_init_tactical(&picker, &worker->pos, &node->context, node->tt_entry.move,
                           2 * (probcut_beta - node->static_eval));
    worker->stack[node->ply].stat_score = 0;
    worker->stack[node->ply].reduction = 0;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (move == node->excluded_move) {
            continue;
        }
        worker_do(worker, node->ply, move);
        *score = -qsearch(worker, node->ply + 1, -probcut_beta, -probcut_beta + 1);
        if (*score >= probcut_beta && depth > 0) {
            *score = -node_search(worker, node->ply + 1, depth, -probcut_beta, -probcut_beta + 1,
                                  !node->is_cut_node);
        }
        worker_undo(worker);
        if (worker_is_stopped(worker)) {
            return false;
        }
        if (*score >= probcut_beta) {
            store(worker, node, *score, BOUND_LOWER, move, depth + 1);
            *score = score_is_mate(*score) ? *score : *score - (probcut_beta - node->beta);
            return true;
        }
    }
    return false;
}

/* Steps 8 to 12. Not used in check, where the static evaluation has no meaning. */
static bool try_pruning(Worker *worker, Node *node, Score *score) {
    if (node->in_check || node->excluded_move != MOVE_NONE) {
        return false;
    }
    if (try_razoring(worker, node, score)) {
        return true;
    }
    if (is_reverse_futile(worker, node)) {
        *score = node->beta + (node->eval - node->beta) / 3;
        return true;
    }
    if (try_null_move(worker, node, score)) {
        return true;
    }
    node->is_improving |= node->static_eval >= node->beta;
    /* Step 11. Internal iterative reduction: without a hash move, the move ordering of a deep
     * search is bad, so search one ply less. The result provides a hash move for the next visit. */
    if (node->depth >= P_IIR_DEPTH && node->tt_entry.move == MOVE_NONE &&
        (node->is_pv_node || node->is_cut_node)) {
        node->depth--;
    }
    return !worker_is_stopped(worker) && try_probcut(worker, node, score);
}

/* Step 13. Small ProbCut: the hash table has a score far above beta from a search that was nearly
 * deep enough. */
static bool is_small_probcut(const Node *node, Score *score) {
    Score probcut_beta = node->beta + P_SMALL_PROBCUT;
    *score = probcut_beta;
    return !node->is_pv_node && node->excluded_move == MOVE_NONE && node->tt_hit &&
           (node->tt_entry.bound & BOUND_LOWER) != 0 &&
           node->tt_entry.depth >= node->depth - P_SMALL_PROBCUT_DEPTH &&
           node->tt_entry.score >= probcut_beta && !score_is_mate(node->beta) &&
           abs(node->tt_entry.score) < SCORE_EVAL_MAX;
}

/* ---- one move -------------------------------------------------------------------------------- */

/* The properties of a move before it is made. */
typedef struct Candidate {
    Move move;
    bool is_quiet;
    bool gives_check;
    int extension; /* extension in plies */
} Candidate;

/* True for a drop next to the enemy king. Such drops often lead an attack, so they are not pruned
 * for losing material. */
static bool drops_near_king(const Position *pos, Move move) {
    Square king = pos->king[color_flip(pos->side)];
    return move_is_drop(move) && king != SQ_NONE && bb_has(attacks_king(king), move_to(move));
}

/* The sum of a quiet move's continuation histories for the last two moves. */
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

/* The combined histories of a move, used for its reduction. */
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

/* Step 14. Late move pruning: the most promising moves come first, so after enough of them the
 * remaining quiet moves are not worth searching. */
static bool has_tried_enough(const Node *node) {
    int enough = (P_LMP_BASE + node->depth * node->depth) / (2 - node->is_improving);
    return node->move_count >= enough && node->best_score > -SCORE_MATE_BOUND;
}

static bool loses_exchange(const Position *pos, Move move, int most) {
    return !see_reaches(pos, move, -most, values_capture());
}

/* Step 15. Prunes captures and checks by futility (the captured material is not enough to reach
 * alpha) and by static exchange. */
static bool skip_tactic(const Worker *worker, const Node *node, const Candidate *candidate,
                        int depth) {
    const Position *pos = &worker->pos;
    Move move = candidate->move;
    int history = candidate->is_quiet ? 0 : *history_capture(node->context.history, pos, move);
    if (!candidate->gives_check && depth < P_CAPTURE_FUTILITY_DEPTH && !node->in_check) {
        Score most = node->static_eval + P_CAPTURE_FUTILITY_BASE +
                     P_CAPTURE_FUTILITY_SLOPE * depth + values_move_gain(pos, move) +
                     history / P_CAPTURE_FUTILITY_HISTORY;
        if (most <= node->alpha) {
            return true;
        }
    }
    int slope = candidate->is_quiet ? P_SEE_CHECK_SLOPE : P_SEE_CAPTURE_SLOPE;
    int most = slope * node->depth + history / P_SEE_CAPTURE_HISTORY;
    return loses_exchange(pos, move, int_max(most, 0));
}

/* Step 15. Prunes quiet moves by continuation history, futility and static exchange. `depth` is the
 * depth after late move reduction, which the histories adjust further. */
static bool skip_quiet(const Worker *worker, Node *node, Move move, int depth) {
    const Position *pos = &worker->pos;
    int history = continuation_history(worker, node, move) + pawn_history(worker, node, move);
    if (history < -P_HISTORY_PRUNE_SLOPE * node->depth) {
        return true;
    }
    history += 2 * quiet_history(node, pos, move);
    depth += history / P_HISTORY_DEPTH;
    if (!node->in_check && depth < P_FUTILITY_DEPTH) {
        int slope = depth >= 0 ? P_FUTILITY_SLOPE : P_FUTILITY_SLOPE_BAD;
        Score most = node->static_eval + P_FUTILITY_BASE + slope * depth;
        if (most <= node->alpha) {
            /* The score of the skipped move could be as high as this. */
            node->best_score =
                most < SCORE_EVAL_MAX ? int_max(node->best_score, most) : node->best_score;
            return true;
        }
    }
    depth = int_max(depth, 0);
    return !drops_near_king(pos, move) &&
           loses_exchange(pos, move, P_SEE_QUIET_SLOPE * depth * depth);
}

/* Step 15. Pruning at shallow depth: true if the move is not worth searching. No move is skipped
 * while the best score means being mated, so the first move is always searched. `units` is the
 * move's reduction in 1024ths of a ply, before adjust_reduction. */
static bool is_skipped(Worker *worker, Node *node, const Candidate *candidate, int units) {
    if (node->best_score <= -SCORE_MATE_BOUND) {
        return false;
    }
    int depth = node->depth - 1 - units / PLY_UNIT;
    return candidate->is_quiet && !candidate->gives_check
               ? skip_quiet(worker, node, candidate->move, depth)
               : skip_tactic(worker, node, candidate, depth);
}

/* Step 16. Singular extension: if all other moves score well below the hash table's score, the hash
 * move is the only good one and is searched deeper. If another move reaches beta too, the node is
 * cut off (multicut). If the hash move only seems likely to fail high, it is reduced. */
static bool test_singular(Worker *worker, Node *node, Candidate *candidate, Score *cut) {
    const TtEntry *entry = &node->tt_entry;
    if (candidate->move != entry->move || node->excluded_move != MOVE_NONE ||
        node->depth < P_SINGULAR_DEPTH + node->tt_pv || score_is_mate(entry->score) ||
        (entry->bound & BOUND_LOWER) == 0 || entry->depth < node->depth - P_SINGULAR_ENTRY ||
        node->ply >= P_SINGULAR_PLY_FACTOR * worker->state.root_depth) {
        return false;
    }
    int slope = P_SINGULAR_MARGIN + P_SINGULAR_MARGIN_PV * (node->tt_pv && !node->is_pv_node);
    Score singular_beta = entry->score - slope * node->depth / 64;
    int depth = (node->depth - 1) / 2;
    Stack *ss = &worker->stack[node->ply];
    ss->excluded_move = candidate->move;
    Score score =
        node_search(worker, node->ply, depth, singular_beta - 1, singular_beta, node->is_cut_node);
    ss->excluded_move = MOVE_NONE;
    if (worker_is_stopped(worker)) {
        return false;
    }
    if (score < singular_beta) {
        int margin =
            P_DOUBLE_MARGIN + P_DOUBLE_PV * node->is_pv_node - P_DOUBLE_QUIET * !node->tt_capture;
        bool is_double = score < singular_beta - margin && ss->double_extensions < P_DOUBLE_MOST;
        candidate->extension = 1 + is_double;
    } else if (score >= node->beta && !score_is_mate(score)) {
        *cut = score;
        return true;
    } else if (entry->score >= node->beta) {
        candidate->extension = -P_SINGULAR_LESS_ABOVE;
    } else if (node->is_cut_node) {
        candidate->extension = -P_SINGULAR_LESS_CUT;
    }
    return false;
}

/* Step 17. Late move reduction: the most promising moves come first, so later moves are searched
 * less deeply, and searched again if they do well. Adjusts the reduction, in 1024ths of a ply, to
 * the properties of the move and its node. */
static int adjust_reduction(const Worker *worker, const Node *node, const Candidate *candidate,
                            int units) {
    const TtEntry *entry = &node->tt_entry;
    if (node->tt_pv) {
        units -= P_LMR_WAS_PV + node->is_pv_node * P_LMR_PV +
                 (node->tt_hit && entry->score > node->alpha) * P_LMR_PV_SCORE +
                 (node->tt_hit && entry->depth >= node->depth) *
                     (P_LMR_PV_DEPTH + node->is_cut_node * P_LMR_PV_CUT);
    }
    units += P_LMR_SHIFT - int_min(node->move_count, 32) * P_LMR_NUMBER;
    if (node->is_cut_node) {
        units += P_LMR_CUT_NODE + (entry->move == MOVE_NONE) * P_LMR_CUT_UNKNOWN;
    }
    units += node->tt_capture ? P_LMR_TABLE_TAKES : 0;
    bool is_all_node = !node->is_pv_node && !node->is_cut_node;
    int cutoffs = worker->stack[node->ply + 1].cutoff_count;
    if (cutoffs > 1) {
        units += P_LMR_CUTOFFS_TWO + (cutoffs > 2) * P_LMR_CUTOFFS_MORE +
                 is_all_node * P_LMR_CUTOFFS_ALL;
    }
    units -= node->in_check ? 0 : abs(node->static_eval - node->raw_eval) * P_LMR_CORRECTION;
    units -= candidate->move == entry->move ? P_LMR_TABLE_MOVE : 0;
    units -= candidate->gives_check ? P_LMR_CHECK : 0;
    units -= drops_near_king(&worker->pos, candidate->move) ? P_LMR_KING_DROP : 0;
    units -= worker->stack[node->ply].stat_score * P_LMR_STAT / 8192;
    /* In an all-node every move is expected to fail low, so late moves can be reduced more. */
    return units + is_all_node * units * P_LMR_ALL / (256 * node->depth + P_LMR_ALL_DEPTH);
}

/* Steps 17 and 18. Searches a move at reduced depth. If it does better than expected, searches it
 * again at about full depth. */
static Score search_reduced(Worker *worker, const Node *node, int depth, int units) {
    Stack *ss = &worker->stack[node->ply];
    int reduced =
        int_max(1, int_min(depth - units / PLY_UNIT, depth + P_LMR_DEEPER)) + node->is_pv_node;
    ss->reduction = depth - reduced;
    Score score =
        -node_search(worker, node->ply + 1, reduced, -node->alpha - 1, -node->alpha, true);
    ss->reduction = 0;
    if (worker_is_stopped(worker) || reduced >= depth) {
        return score;
    }
    if (score <= node->alpha) {
        return score;
    }
    depth += (score > node->best_score + P_DEEPER_MARGIN + P_DEEPER_SLOPE * depth) -
             (score < node->best_score + P_SHALLOWER_MARGIN);
    if (depth > reduced) {
        score = -node_search(worker, node->ply + 1, depth, -node->alpha - 1, -node->alpha,
                             !node->is_cut_node);
    }
    history_update_reduced(worker, node->ply);
    return score;
}

/* Steps 17 to 19. Principal variation search: searches a move with a null window first, at reduced
 * depth if it comes late, and with the full window only if it may be the best move. */
static Score search_move(Worker *worker, Node *node, const Candidate *candidate, int units) {
    int ply = node->ply + 1;
    Stack *ss = &worker->stack[node->ply];
    worker->stack[ply].double_extensions = ss->double_extensions + (candidate->extension >= 2);
    int depth = node->depth - 1 + candidate->extension;
    ss->stat_score = stat_of(worker, node, candidate);
    ss->move_count = node->move_count;
    ss->reduction = 0;
    units = adjust_reduction(worker, node, candidate, units);
    worker_do(worker, node->ply, candidate->move);
    Score score = node->alpha + 1;
    if (node->depth >= 2 && node->move_count > 1) {
        score = search_reduced(worker, node, depth, units);
    } else if (!node->is_pv_node || node->move_count > 1) {
        units += node->tt_entry.move == MOVE_NONE ? P_LMR_UNKNOWN : 0;
        score = -node_search(worker, ply, depth - (units > P_LMR_FULL), -node->alpha - 1,
                             -node->alpha, !node->is_cut_node);
    }
    if (node->is_pv_node && (node->move_count == 1 || score > node->alpha)) {
        /* A hash move from a real search must not drop into quiescence search. */
        bool is_trusted = candidate->move == node->tt_entry.move && node->tt_entry.depth > 1;
        score = -node_search(worker, ply, is_trusted ? int_max(depth, 1) : depth, -node->beta,
                             -node->alpha, false);
    }
    worker_undo(worker);
    return score;
}

/* ---- the loop over the moves ----------------------------------------------------------------- */

/* Step 20. Updates the best score and the best move. True on a beta cutoff. */
static bool note_score(Worker *worker, Node *node, Move move, Score score) {
    if (score <= node->best_score) {
        return false;
    }
    node->best_score = score;
    if (score > node->alpha) {
        node->best_move = move;
        if (node->is_pv_node) {
            worker_update_pv(worker, node->ply, move);
        }
        if (score >= node->beta) {
            return true;
        }
        /* The remaining moves must now beat a better move, so search them less deeply. */
        if (node->depth > 2 && node->depth < P_ALPHA_DEPTH && !score_is_mate(score)) {
            node->depth = int_max(node->depth - P_ALPHA_LESS, 1);
        }
        node->alpha = score;
    }
    return false;
}

/* Steps 14 to 20. Searches the moves. Returns true if the node must return the score *cut at once,
 * without updating histories or the hash table. */
static bool search_moves(Worker *worker, Node *node, Score *cut) {
    const Position *pos = &worker->pos;
    MovePicker picker;
    movepick_init(&picker, pos, &node->context, node->tt_entry.move);
    picker.has_all_moves = worker->shared->options.generate_all_legal_moves;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (move == node->excluded_move) {
            continue;
        }
        bool is_quiet = pos_is_quiet(pos, move);
        Candidate candidate = {
            .move = move, .is_quiet = is_quiet, .gives_check = pos_gives_check(pos, move)};
        node->move_count++;
        int units =
            late_reduction(worker, node, node->move_count) + node->tt_pv * P_LMR_WAS_PV_FIRST;
        if (is_quiet && has_tried_enough(node)) {
            picker.skips_quiets = true;
        }
        if (is_skipped(worker, node, &candidate, units)) {
            continue;
        }
        if (test_singular(worker, node, &candidate, cut)) {
            return true;
        }
        node->searched_count++;
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

/* Prepares the stack entries of this node and its children, and the inputs of the move picker. */
static void begin_node(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    Stack *next = &worker->stack[node->ply + 1];
    next->excluded_move = MOVE_NONE;
    next->double_extensions = ss->double_extensions;
    ss->in_check = node->in_check;
    worker_begin_grandchildren(worker, node->ply);
    ss->tt_pv = node->tt_pv;
    const Move *counter = worker_counter(worker, node->ply);
    node->context.history = &worker->history;
    node->context.tt = &worker->shared->tt;
    node->context.pawn_history = ss->corrections.pawn_history;
    worker_continuations(worker, node->ply, node->context.continuations);
    node->context.ply = node->ply;
    node->context.refutations[0] = ss->killers[0];
    node->context.refutations[1] = ss->killers[1];
    node->context.refutations[2] = counter == NULL ? MOVE_NONE : *counter;
}

/* Step 22. Updates histories, correction histories and the hash table with the node's result. */
static void conclude(Worker *worker, Node *node) {
    Stack *ss = &worker->stack[node->ply];
    Bound bound = node->best_score >= node->beta            ? BOUND_LOWER
                  : node->best_score > node->original_alpha ? BOUND_EXACT
                                                            : BOUND_UPPER;
    if (bound == BOUND_LOWER) {
    }
    if (bound == BOUND_LOWER && !score_is_mate(node->best_score)) {
        node->best_score = (node->best_score * node->depth + node->beta) / (node->depth + 1);
    }
    ss->cutoff_count += bound == BOUND_LOWER;
    if (node->best_move != MOVE_NONE) {
        history_update_best(worker,
                            &(HistoryCut){.ply = node->ply,
                                          .depth = node->depth,
                                          .best = node->best_move,
                                          .is_tt_move = node->best_move == node->tt_entry.move,
                                          .tried = node->tried});
    } else if (node->excluded_move == MOVE_NONE) {
        history_update_fail_low(worker, node->ply, node->depth, node->best_score);
    }
    if (bound == BOUND_UPPER) {
        node->tt_pv = node->tt_pv || worker->stack[node->ply - 1].tt_pv;
    }
    if (node->excluded_move != MOVE_NONE) {
        return;
    }
    history_update_correction(worker, node->ply, node->depth, node->best_move, node->best_score,
                              bound);
    store(worker, node, node->best_score, bound, node->best_move, node->depth);
}

/* Steps 4 and 5. True if the hash table or a mate in one decides the node. */
static bool decide_without_search(Worker *worker, Node *node, Score *score) {
    if (is_tt_cut(node)) {
        if (node->tt_entry.score >= node->beta) {
            history_update_tt_cut(worker, node->ply, node->depth, node->tt_entry.move);
        }
        *score = node->tt_entry.score;
        return true;
    }
    *score = score_mate_in(node->ply + 1);
    return find_mate_in_one(worker, node);
}

/* Steps 6 to 13. True if the node is pruned before its moves are tried. */
static bool evaluate_and_prune(Worker *worker, Node *node, Score *score) {
    if (!node->is_pv_node && !node->in_check && node->depth >= P_NULL_DEPTH) {
        /* Prefetches the hash table entry of the null move while the evaluation is computed. */
        tt_prefetch(&worker->shared->tt, pos_key_after_null(&worker->pos));
    }
    set_static_eval(worker, node);
    adjust_depth(worker, node);
    if (try_pruning(worker, node, score)) {
        return true;
    }
    ASSERT(node->in_check || node->static_eval != SCORE_NONE);
    if (!is_small_probcut(node, score)) {
        return false;
    }
    return true;
}

/* Searches a node. The steps, in order:
 *
 *     1 set up                       8 razoring                      15 pruning at shallow depth
 *     2 end of the game              9 reverse futility pruning      16 singular extension
 *     3 mate distance pruning       10 null move pruning             17 late move reduction
 *     4 transposition table         11 internal iterative reduction  18 search again at full depth
 *     5 mate in one                 12 ProbCut                       19 search with the full window
 *     6 static evaluation           13 small ProbCut                 20 new best move
 *     7 hindsight                   14 late move pruning             21 no legal move
 *                                                                    22 histories and hash table */
Score node_search(Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut_node) {
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
                 .alpha = alpha,
                 .beta = beta,
                 .is_pv_node = beta - alpha > 1,
                 .is_cut_node = is_cut_node,
                 .in_check = pos_in_check(&worker->pos),
                 .excluded_move = worker->stack[ply].excluded_move,
                 .prior_reduction = worker->stack[ply - 1].reduction,
                 .raw_eval = SCORE_NONE,
                 .static_eval = SCORE_NONE,
                 .eval = SCORE_NONE,
                 .best_score = -SCORE_INFINITE};
    Score score = SCORE_NONE;
    if (node.excluded_move == MOVE_NONE &&
        (is_terminal(worker, &node, &score) || is_mate_distance_cut(&node, &score))) {
        return score;
    }
    node.original_alpha = node.alpha;
    probe_tt(worker, &node);
    begin_node(worker, &node);
    if (decide_without_search(worker, &node, &score) || evaluate_and_prune(worker, &node, &score)) {
        return score;
    }
    Tried tried;
    node.tried = &tried;
    history_tried_clear(&tried);
    if (search_moves(worker, &node, &score)) {
        return score;
    }
    if (node.move_count == 0) { /* Step 21. A side without a legal move loses, in check or not. */
        return node.excluded_move != MOVE_NONE ? node.alpha : score_mated_in(ply);
    }
    conclude(worker, &node);
    return node.best_score;
}
