/* node.c: one node of the main search, a principal variation search with selective pruning,
 * extensions and reductions. node_search performs the numbered steps in order. The techniques have
 * the names that are common in chess programming; https://www.chessprogramming.org explains them.
 * They come from the published ideas of Stockfish, YaneuraOu and other engines; they were thought
 * through anew for this search, with numbers from its own matches, and contain no code of others.
 * In the comments, captures include promotions: a move is quiet if it is neither. */
#include "search/node.h"

#include <math.h>
#include <stdlib.h>

#include "eval/values.h"
#include "mate/mate1.h"
#include "rules/attacks.h"
#include "rules/position.h"
#include "search/gameend.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/qsearch.h"
#include "search/worker.h"

/* A node remembers this many quiet moves and as many captures that did not raise alpha. */
enum { TRIED_MAX = 64 };

/* Natural logarithms of depths and move numbers, in 512ths. */
#define LOG_UNIT 512
static int16_t log_table[128];

void node_init(void) {
    for (int i = 1; i < (int)COUNTOF(log_table); i++) {
        log_table[i] = (int16_t)(log(i) * LOG_UNIT);
    }
}

int node_reduction(int depth, int number, bool is_improving) {
    int last = (int)COUNTOF(log_table) - 1;
    int product = log_table[int_min(depth, last)] * log_table[int_min(number, last)];
    /* Dividing by 1024 first avoids an overflow. */
    int scale = product / 1024 * P_LMR_SLOPE / (LOG_UNIT * LOG_UNIT / 1024);
    return scale + P_LMR_BASE + (is_improving ? 0 : scale * P_LMR_IMPROVING / 1024);
}

/* The bonus for the best move of a search of this depth. */
static int best_move_bonus(int depth) {
    return int_min(P_BONUS_SLOPE * depth + P_BONUS_BASE, P_BONUS_MAX);
}

/* True for a drop next to the enemy king. Such drops often start an attack. */
static bool drops_near_king(const Position *pos, Move move) {
    Square king = pos->king[color_flip(pos->side)];
    return move_is_drop(move) && king != SQ_NONE && bb_has(attacks_king(king), move_to(move));
}

Score node_search(Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut_node) {
    /* Step 1. Set up the node. At depth 0, quiescence search takes over. It does not test for the
     * end of the game (step 2), so the position after a root move is tested here. */
    if (depth <= 0) {
        Score score;
        if (ply == 1 && gameend_score(worker, ply, &score)) {
            worker->lines[ply].len = 0;
            return score;
        }
        return qsearch(worker, ply, 0, alpha, beta);
    }
    Stack *ss = worker_stack(worker, ply);
    int prior_reduced_plies = (ss - 1)->reduced_plies;
    (ss - 1)->reduced_plies = 0; /* a singular or verification search of this node ignores it */
    if (!worker_enter_node(worker, ply)) {
        return SCORE_DRAW; /* the search is stopped; the caller sees that and ignores the score */
    }
    const Position *pos = &worker->pos;
    TransTable *tt = &worker->shared->tt;
    bool is_pv_node = beta - alpha > 1;
    bool is_all_node = !is_pv_node && !is_cut_node;
    bool in_check = pos_in_check(pos);
    Move excluded_move = ss->excluded_move; /* MOVE_NONE except in a singular search */
    Score best_score = -SCORE_INFINITE;
    Move best_move = MOVE_NONE;
    int move_count = 0;
    depth = int_min(depth, MAX_PLY - 1);
    worker->lines[ply].len = 0;
    ss->in_check = in_check;
    (ss + 1)->excluded_move = MOVE_NONE;
    (ss + 1)->double_extensions = ss->double_extensions;
    (ss + 2)->cutoff_count = 0;
    (ss + 2)->killers[0] = (ss + 2)->killers[1] = MOVE_NONE;

    if (excluded_move == MOVE_NONE) {
        /* Step 2. End of the game by repetition, declaration or the move limit. A return to a
         * position of the line counts as a repetition: a draw, or SCORE_SUPERIOR or its negative
         * for perpetual check and for the same board with a better or worse hand. */
        Score score;
        if (gameend_score(worker, ply, &score)) {
            return score;
        }
        if (ply >= MAX_PLY) {
            return worker_evaluate(worker);
        }

        /* Step 3. Mate distance pruning: no score here can be better than mating with the next
         * move, or worse than being mated now. If that closes the window, because a shorter mate is
         * known, nothing is left to find. */
        alpha = int_max(alpha, score_mated_in(ply));
        beta = int_min(beta, score_mate_in(ply + 1));
        if (alpha >= beta) {
            return alpha;
        }
    }
    Score original_alpha = alpha;

    /* Step 4. Transposition table. A score from a deep enough search that lies outside the window
     * decides the node (tt_decides: it is exact, a lower bound of at least beta, or an upper bound
     * below beta). A score above beta must come from a deeper search than one below, and at shallow
     * depth the score must agree with the expected type of the node. */
    uint64_t key = pos_key(pos);
    TtEntry entry = {.move = MOVE_NONE};
    bool tt_hit = tt_probe(tt, key, ply, &entry);
    bool tt_capture = entry.move != MOVE_NONE && !pos_is_quiet(pos, entry.move);
    if (excluded_move == MOVE_NONE) {
        ss->tt_pv = is_pv_node || (tt_hit && entry.is_pv);
    }
    bool tt_pv = ss->tt_pv;
    if (tt_hit && !is_pv_node && excluded_move == MOVE_NONE &&
        entry.depth >= depth + (entry.score > beta ? P_TT_CUT_SLACK : 0) &&
        (is_cut_node == (entry.score >= beta) || depth > P_TT_CUT_DEPTH) &&
        tt_decides(&entry, beta)) {
        if (entry.score >= beta) {
            /* A bonus for the hash move if it is quiet, and a malus for the move before it, if that
             * was among the first three of its node. */
            if (entry.move != MOVE_NONE && !tt_capture) {
                worker_reward_quiet(worker, ply, entry.move,
                                    int_min(best_move_bonus(depth), P_BONUS_TT_CUT_MAX));
            }
            if (ply > 1 && (ss - 1)->move_count <= 3) {
                worker_reward_before(worker, ply, -P_MALUS_TT_CUT);
            }
        }
        return entry.score;
    }

    /* Step 5. Mate in one, found without making a move. Not tested again if it has been, or in a
     * singular search, where the excluded move might be the mate. */
    if (!in_check && excluded_move == MOVE_NONE && !(tt_hit && entry.is_mate_tested)) {
        Move mate = mate1_find(pos);
        if (mate != MOVE_NONE) {
            Score score = score_mate_in(ply + 1);
            tt_store(tt, key, ply,
                     &(TtEntry){.move = mate,
                                .score = score,
                                .eval = SCORE_NONE,
                                .depth = MAX_PLY, /* no search is deeper */
                                .bound = BOUND_EXACT,
                                .is_pv = tt_pv,
                                .is_mate_tested = true});
            worker->lines[ply + 1].len = 0;
            worker_update_pv(worker, ply, mate);
            return score;
        }
    }

    /* Step 6. Static evaluation, three times: raw_eval as the network computes it; static_eval with
     * the errors added that the correction histories have seen in such positions (worker_correct);
     * eval, which is the table's score instead if that is no mate, and exact or a bound beyond
     * static_eval (tt_refine). In check and before the root there is no evaluation: SCORE_NONE, a
     * value that no score has. The side is improving if static_eval is above that of its last turn,
     * or of the turn before if there is none for that one; also if neither exists. The opponent is
     * worsening if static_eval is worse for it than opponent_eval, its own before its last move. */
    Score raw_eval = SCORE_NONE;
    Score static_eval = SCORE_NONE;
    Score eval = SCORE_NONE;
    Score opponent_eval = (ss - 1)->static_eval;
    bool is_improving = false;
    bool opponent_worsening = false;
    if (is_cut_node && !in_check && depth >= P_NULL_DEPTH) {
        tt_prefetch(tt, pos_key_after_null(pos));
    }
    if (!in_check) {
        bool has_eval = tt_hit && entry.eval != SCORE_NONE;
        raw_eval = has_eval ? entry.eval : worker_evaluate(worker);
        static_eval = worker_correct(ss, raw_eval);
        eval = tt_hit ? tt_refine(&entry, static_eval) : static_eval;
        if (!tt_hit && excluded_move == MOVE_NONE) {
            /* In quiescence search the side to move may stand pat, so the evaluation is a lower
             * bound. */
            tt_store(tt, key, ply,
                     &(TtEntry){.move = MOVE_NONE,
                                .score = static_eval,
                                .eval = raw_eval,
                                .depth = 0,
                                .bound = BOUND_LOWER,
                                .is_pv = tt_pv,
                                .is_mate_tested = true});
        }
        Score earlier_eval = (ss - 2)->static_eval;
        earlier_eval = earlier_eval != SCORE_NONE ? earlier_eval : (ss - 4)->static_eval;
        is_improving = earlier_eval == SCORE_NONE || static_eval > earlier_eval;
        if (opponent_eval != SCORE_NONE) {
            opponent_worsening = static_eval > -opponent_eval;
            if (!has_eval && excluded_move == MOVE_NONE && (ss - 1)->is_quiet) {
                /* The quiet move that led here gets a bonus that grows with what it gained for its
                 * side, or a malus if it lost much. */
                Score gain = -static_eval - opponent_eval;
                int bonus = P_EVAL_BONUS_BASE +
                            int_clamp(P_EVAL_BONUS * gain, -P_EVAL_BONUS_MAX, P_EVAL_BONUS_MAX);
                Color them = color_flip(pos->side);
                history_add(&worker->history, history_quiet(&worker->history, them, (ss - 1)->move),
                            bonus, HISTORY_MAX);
            }
        }
    }
    ss->static_eval = static_eval;

    /* The histories and refutations that order the moves. */
    PickContext context;
    worker_pick_context(worker, ply, &context);
    context.refutations[0] = ss->killers[0];
    context.refutations[1] = ss->killers[1];
    context.refutations[2] = worker_counter_move(worker, ply);

    bool can_prune = !in_check && excluded_move == MOVE_NONE;

    /* Step 7. Hindsight: the reduction of the last move was chosen before this position was
     * evaluated. If the move was reduced much and did not make the mover's position worse, search
     * deeper. If it was reduced at all and made that position much worse, search less deeply. */
    if (can_prune && opponent_eval != SCORE_NONE) {
        if (prior_reduced_plies >= P_HINDSIGHT_MORE && !opponent_worsening) {
            depth++;
        } else if (prior_reduced_plies >= 1 && depth >= 2 &&
                   static_eval + opponent_eval > P_HINDSIGHT_MARGIN) {
            depth--;
        }
    }

    /* Step 8. Razoring: if the evaluation is far below alpha, only captures can help, so quiescence
     * search decides. It uses this node's stack entry, but finds the same static_eval again. */
    if (can_prune && !is_pv_node && eval + P_RAZOR_BASE + P_RAZOR_SLOPE * depth * depth < alpha) {
        Score score = qsearch(worker, ply, 0, alpha, alpha + 1);
        if (score <= alpha && !score_is_mate(score)) {
            return score;
        }
    }

    /* Step 9. Reverse futility pruning: if the evaluation is far above beta, the search is expected
     * to stay above beta too. The margin grows with the histories of the last move. Not if the hash
     * move is quiet, or if eval is no estimate but a decided score from the table: a mate,
     * SCORE_SUPERIOR or its negative. */
    if (can_prune && !tt_pv && depth <= P_RFP_DEPTH && eval >= beta && !score_is_decided(eval) &&
        !score_is_mate(beta) && (entry.move == MOVE_NONE || tt_capture)) {
        int slope = P_RFP_MARGIN - P_RFP_CUT_NODE * (is_cut_node && !tt_hit);
        int margin = slope * depth - 2 * slope * is_improving - slope / 3 * opponent_worsening +
                     (ss - 1)->stat_score / P_RFP_STAT;
        if (eval - int_max(margin, 0) >= beta) {
            return beta + (eval - beta) / 3;
        }
    }

    /* Step 10. Null move pruning: if the side to move stays above beta even after passing, a real
     * move will do so too. The exception is zugzwang, which is rare in shogi, where pieces can be
     * dropped. So only deep cutoffs are verified, by a search without null moves near this node. A
     * pass is tried only where a cutoff is expected and the static evaluation agrees, at small
     * depth by a margin. */
    if (can_prune && is_cut_node && depth >= P_NULL_DEPTH && eval >= beta &&
        static_eval >= beta + P_NULL_STATIC_BASE - P_NULL_STATIC_SLOPE * depth &&
        (ss - 1)->move != MOVE_NULL && !score_is_mate(beta) && ply >= worker->state.nmp_min_ply) {
        int null_depth = depth - P_NULL_BASE - depth / P_NULL_DIVISOR -
                         int_min((eval - beta) / P_NULL_EVAL_DIVISOR, P_NULL_EVAL_MAX);
        ss->stat_score = 0;
        worker_do_null(worker, ply);
        Score score = -node_search(worker, ply + 1, null_depth, -beta, -beta + 1, false);
        worker_undo_null(worker);
        if (worker_is_stopped(worker)) {
            return SCORE_DRAW;
        }
        if (score >= beta) {
            /* A mate or a better hand after a null move proves neither. */
            score = score_is_decided(score) ? beta : score;
            if (depth < P_NULL_VERIFY_DEPTH || worker->state.nmp_min_ply > 0) {
                return score;
            }
            worker->state.nmp_min_ply = ply + P_NULL_VERIFY_SHARE * null_depth / 100;
            Score verified = node_search(worker, ply, null_depth, beta - 1, beta, false);
            worker->state.nmp_min_ply = 0;
            if (verified >= beta) {
                return score;
            }
        }
    }

    /* Step 11. Internal iterative reduction: without a hash move, the move ordering of a deep
     * search is bad, so search one ply less. The result provides a hash move for the next visit.
     * From here on, an evaluation of at least beta also counts as improving. */
    if (can_prune) {
        is_improving |= static_eval >= beta;
        if (depth >= P_IIR_DEPTH && entry.move == MOVE_NONE && !is_all_node) {
            depth--;
        }
    }

    /* Step 12. ProbCut: a capture that beats beta by a wide margin in a shallow search would also
     * beat it in a deep one. Not tried if the table has a score below probcut_beta from a search of
     * at least one ply. Except for the hash move, the static exchange of a capture must gain twice
     * what static_eval lacks to probcut_beta: twice, because a captured piece counts on the board
     * and in the hand. */
    Score probcut_beta = beta + P_PROBCUT_MARGIN - P_PROBCUT_IMPROVING * is_improving;
    if (can_prune && depth >= P_PROBCUT_DEPTH && !score_is_mate(beta) &&
        !score_is_decided(probcut_beta) &&
        !(tt_hit && entry.depth > 0 && entry.score < probcut_beta)) {
        int probcut_depth = depth - P_PROBCUT_REDUCTION;
        MovePicker picker;
        movepick_init_captures(&picker, pos, &context, entry.move,
                               2 * (probcut_beta - static_eval));
        ss->stat_score = 0;
        for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
            worker_do(worker, ply, move);
            Score score = -qsearch(worker, ply + 1, 0, -probcut_beta, -probcut_beta + 1);
            if (score >= probcut_beta && probcut_depth > 0) {
                score = -node_search(worker, ply + 1, probcut_depth, -probcut_beta,
                                     -probcut_beta + 1, !is_cut_node);
            }
            worker_undo(worker);
            if (worker_is_stopped(worker)) {
                return SCORE_DRAW;
            }
            if (score >= probcut_beta) {
                tt_store(tt, key, ply,
                         &(TtEntry){.move = move,
                                    .score = score,
                                    .eval = raw_eval,
                                    .depth = probcut_depth + 1,
                                    .bound = BOUND_LOWER,
                                    .is_pv = tt_pv,
                                    .is_mate_tested = true});
                return score_is_decided(score) ? score : score - (probcut_beta - beta);
            }
        }
    }

    /* Step 13. Small ProbCut: the table has a score far above beta from a search that was nearly
     * deep enough. */
    if (!is_pv_node && excluded_move == MOVE_NONE && tt_hit && (entry.bound & BOUND_LOWER) != 0 &&
        entry.depth >= depth - P_SMALL_PROBCUT_DEPTH && entry.score >= beta + P_SMALL_PROBCUT &&
        !score_is_mate(beta) && !score_is_decided(entry.score)) {
        return beta + P_SMALL_PROBCUT;
    }

    /* Step 14. Loop over the moves, the most promising first. */
    Move quiets[TRIED_MAX], captures[TRIED_MAX]; /* the moves searched that did not raise alpha */
    int quiet_count = 0, capture_count = 0;
    MovePicker picker;
    movepick_init(&picker, pos, &context, entry.move);
    /* Without this option, non-promotions of pawn, lance, bishop and rook are left out: only a
     * pawn-drop mate can make one better. Wherever one is legal, the promotion is too, so step 21
     * is right in both cases. */
    picker.with_non_promotions = worker->shared->options.generate_all_legal_moves;
    for (Move move; (move = movepick_next(&picker)) != MOVE_NONE;) {
        if (move == excluded_move) {
            continue;
        }
        move_count++;
        bool is_quiet = pos_is_quiet(pos, move);
        bool gives_check = pos_gives_check(pos, move);
        int piece_index = history_piece(pos, move);
        Square to = move_to(move);
        int extension = 0;

        /* Late moves are reduced, in 1024ths of a ply: less in a wide window. This first estimate
         * serves only the pruning of step 15, which its term tt_pv makes stronger where a principal
         * variation is or was. Step 17 subtracts more than that again for such nodes, and adds what
         * depends on the move itself. */
        int window = int_min(beta - alpha, worker->state.root_delta);
        int reduction = node_reduction(depth, move_count, is_improving) -
                        window * P_LMR_WINDOW / worker->state.root_delta +
                        tt_pv * P_LMR_TT_PV_FIRST;

        /* Step 15. Pruning at shallow depth. No move is skipped while the best score is a
         * decided loss (or there is none yet), so the first move is always searched. */
        if (best_score >= -SCORE_EVAL_MAX) {
            int reduced_depth = depth - 1 - reduction / 1024;

            /* Late move pruning: after enough moves, the remaining quiet ones are not worth a
             * search. In check this has no effect: the picker returns all evasions. */
            if (is_quiet && move_count >= (P_LMP_BASE + depth * depth) / (2 - is_improving)) {
                picker.skips_quiets = true;
            }
            if (is_quiet && !gives_check) {
                /* History pruning, by the histories of replies to the last two moves and of moves
                 * in this pawn structure. */
                int history = (*context.continuations[0])[piece_index][to] +
                              (*context.continuations[1])[piece_index][to] +
                              (*context.pawn_history)[piece_index][to];
                if (history < -P_HISTORY_PRUNE_SLOPE * depth) {
                    continue;
                }

                /* Futility pruning: the move is not expected to reach alpha. Its score could still
                 * be as high as the margin allows. */
                history += 2 * *history_quiet(&worker->history, pos->side, move);
                reduced_depth += history / P_HISTORY_DEPTH;
                if (!in_check && reduced_depth < P_FUTILITY_DEPTH) {
                    int slope = reduced_depth >= 0 ? P_FUTILITY_SLOPE : P_FUTILITY_SLOPE_BAD;
                    Score futility = static_eval + P_FUTILITY_BASE + slope * reduced_depth;
                    if (futility <= alpha) {
                        if (futility > best_score && !score_is_decided(futility)) {
                            best_score = futility;
                        }
                        continue;
                    }
                }

                /* Static exchange: the exchange that the move starts loses too much material. A
                 * drop near the king may still start an attack. */
                reduced_depth = int_max(reduced_depth, 0);
                int loss = P_SEE_QUIET_SLOPE * reduced_depth * reduced_depth;
                if (!drops_near_king(pos, move) &&
                    !pos_see_reaches(pos, move, -loss, values_for_see())) {
                    continue;
                }
            } else {
                /* Futility pruning of captures: the captured material, counted on the board and in
                 * the hand, is not enough to reach alpha. */
                int history = is_quiet ? 0 : *history_capture(&worker->history, pos, move);
                if (!gives_check && !in_check && reduced_depth < P_CAPTURE_FUTILITY_DEPTH &&
                    static_eval + P_CAPTURE_FUTILITY_BASE +
                            P_CAPTURE_FUTILITY_SLOPE * reduced_depth + values_move_gain(pos, move) +
                            history / P_CAPTURE_FUTILITY_HISTORY <=
                        alpha) {
                    continue;
                }

                /* Static exchange of captures and checks. */
                int slope = is_quiet ? P_SEE_CHECK_SLOPE : P_SEE_CAPTURE_SLOPE;
                int loss = slope * depth + history / P_SEE_CAPTURE_HISTORY;
                if (!pos_see_reaches(pos, move, -int_max(loss, 0), values_for_see())) {
                    continue;
                }
            }
        }

        /* Step 16. Singular extension: if all other moves score below singular_beta, which is a
         * little below the table's score, the hash move is the only good one and is extended, by
         * two plies if they score far below. If another move reaches beta too, the node is cut off
         * (multicut). Otherwise the hash move is not the only good one: it is reduced if the
         * table's score reaches beta or if a cutoff is expected. */
        if (move == entry.move && excluded_move == MOVE_NONE && depth >= P_SINGULAR_DEPTH + tt_pv &&
            !score_is_mate(entry.score) && (entry.bound & BOUND_LOWER) != 0 &&
            entry.depth >= depth - P_SINGULAR_ENTRY &&
            ply < P_SINGULAR_PLY_FACTOR * worker->state.root_depth) {
            int slope = P_SINGULAR_MARGIN + P_SINGULAR_MARGIN_PV * (tt_pv && !is_pv_node);
            Score singular_beta = entry.score - slope * depth / 64;
            ss->excluded_move = move;
            Score score = node_search(worker, ply, (depth - 1) / 2, singular_beta - 1,
                                      singular_beta, is_cut_node);
            ss->excluded_move = MOVE_NONE;
            if (worker_is_stopped(worker)) {
                return SCORE_DRAW;
            }
            if (score < singular_beta) {
                int margin =
                    P_DOUBLE_MARGIN + P_DOUBLE_PV * is_pv_node - P_DOUBLE_QUIET * !tt_capture;
                bool is_double =
                    score < singular_beta - margin && ss->double_extensions < P_DOUBLE_MAX;
                extension = 1 + is_double;
            } else if (score >= beta && !score_is_mate(score)) {
                return score;
            } else if (entry.score >= beta) {
                extension = -P_SINGULAR_LESS_ABOVE;
            } else if (is_cut_node) {
                extension = -P_SINGULAR_LESS_CUT;
            }
        }

        /* Step 17. Late move reduction. Adjust the reduction to the move and its node. */
        int new_depth = depth - 1 + extension;
        if (is_quiet) {
            ss->stat_score = 2 * *history_quiet(&worker->history, pos->side, move) +
                             (*context.continuations[0])[piece_index][to] +
                             (*context.continuations[1])[piece_index][to] - P_LMR_STAT_QUIET;
        } else {
            ss->stat_score = P_LMR_GAIN * values_move_gain(pos, move) / 16 +
                             *history_capture(&worker->history, pos, move) - P_LMR_STAT_CAPTURE;
        }
        ss->move_count = move_count;
        (ss + 1)->double_extensions = ss->double_extensions + (extension >= 2);
        if (tt_pv) {
            reduction -=
                P_LMR_TT_PV + is_pv_node * P_LMR_PV +
                (tt_hit && entry.score > alpha) * P_LMR_PV_SCORE +
                (tt_hit && entry.depth >= depth) * (P_LMR_PV_DEPTH + is_cut_node * P_LMR_PV_CUT);
        }
        reduction += P_LMR_SHIFT - int_min(move_count, 32) * P_LMR_NUMBER;
        if (is_cut_node) {
            reduction += P_LMR_CUT_NODE + (entry.move == MOVE_NONE) * P_LMR_CUT_NO_TT_MOVE;
        }
        if (tt_capture) {
            reduction += P_LMR_TT_CAPTURE;
        }
        if ((ss + 1)->cutoff_count > 1) {
            reduction += P_LMR_CUTOFFS_TWO + ((ss + 1)->cutoff_count > 2) * P_LMR_CUTOFFS_MORE +
                         is_all_node * P_LMR_CUTOFFS_ALL;
        }
        if (!in_check) {
            reduction -= abs(static_eval - raw_eval) * P_LMR_CORRECTION;
        }
        if (move == entry.move) {
            reduction -= P_LMR_TT_MOVE;
        }
        if (gives_check) {
            reduction -= P_LMR_CHECK;
        }
        if (drops_near_king(pos, move)) {
            reduction -= P_LMR_KING_DROP;
        }
        reduction -= ss->stat_score * P_LMR_STAT / 8192;
        if (is_all_node) {
            /* Every move is expected to fail low, so late moves can be reduced more. */
            reduction += reduction * P_LMR_ALL / (256 * depth + P_LMR_ALL_DEPTH);
        }

        /* Make the move. A late one is searched at reduced depth with a null window, and again at
         * about full depth if it does better than expected; step 18 searches the others, except
         * the first move of a PV node (step 19). */
        worker_do(worker, ply, move);
        Score score = alpha + 1;
        if (depth >= 2 && move_count > 1) {
            int reduced_depth =
                int_max(1, int_min(new_depth - reduction / 1024, new_depth + P_LMR_DEEPER)) +
                is_pv_node;
            ss->reduced_plies = new_depth - reduced_depth;
            score = -node_search(worker, ply + 1, reduced_depth, -alpha - 1, -alpha, true);
            if (score > alpha && reduced_depth < new_depth && !worker_is_stopped(worker)) {
                int again_depth =
                    new_depth +
                    (score > best_score + P_DEEPER_MARGIN + P_DEEPER_SLOPE * new_depth) -
                    (score < best_score + P_SHALLOWER_MARGIN);
                if (again_depth > reduced_depth) {
                    score = -node_search(worker, ply + 1, again_depth, -alpha - 1, -alpha,
                                         !is_cut_node);
                }
                worker_reward_before(worker, ply + 1, P_BONUS_REDUCED);
            }
        } else if (!is_pv_node || move_count > 1) {
            /* Step 18. Search with a null window a move that is too early or too shallow for a late
             * move reduction; one ply less deep if that reduction would be large. */
            reduction += entry.move == MOVE_NONE ? P_LMR_NO_TT_MOVE : 0;
            score = -node_search(worker, ply + 1, new_depth - (reduction > P_LMR_LARGE), -alpha - 1,
                                 -alpha, !is_cut_node);
        }

        /* Step 19. Search with the full window a move that may be the best of a PV node. A hash
         * move from a search of at least two plies must not drop into quiescence search. */
        if (is_pv_node && (move_count == 1 || score > alpha)) {
            bool is_trusted = move == entry.move && entry.depth > 1;
            score = -node_search(worker, ply + 1, is_trusted ? int_max(new_depth, 1) : new_depth,
                                 -beta, -alpha, false);
        }
        worker_undo(worker);
        if (worker_is_stopped(worker)) {
            return SCORE_DRAW;
        }

        /* Step 20. New best move. The moves after it must beat a better move, so they are searched
         * less deeply. In a node of the principal variation, the line of the first move is kept
         * even if it fails low: if a move fails high at the root and the search then stops, this is
         * the only reply to it that is known. */
        if (is_pv_node && (score > alpha || move_count == 1)) {
            worker_update_pv(worker, ply, move);
        }
        if (score > best_score) {
            best_score = score;
            if (score > alpha) {
                best_move = move;
                if (score >= beta) {
                    break;
                }
                if (depth > 2 && depth < P_ALPHA_DEPTH && !score_is_mate(score)) {
                    depth = int_max(depth - P_ALPHA_LESS, 1);
                }
                alpha = score;
            }
        }
        if (move != best_move && is_quiet && quiet_count < TRIED_MAX) {
            quiets[quiet_count++] = move;
        } else if (move != best_move && !is_quiet && capture_count < TRIED_MAX) {
            captures[capture_count++] = move;
        }
    }

    /* Step 21. A side without a legal move loses, in check or not. */
    if (move_count == 0) {
        return excluded_move != MOVE_NONE ? alpha : score_mated_in(ply);
    }

    /* Step 22. Update histories, correction histories and the table with the result. The more a
     * score exceeds beta, the less certain it is, so it is moved towards beta, unless one of them
     * is decided. */
    Bound bound = best_score >= beta            ? BOUND_LOWER
                  : best_score > original_alpha ? BOUND_EXACT
                                                : BOUND_UPPER;
    if (bound == BOUND_LOWER && !score_is_decided(best_score) && !score_is_decided(beta)) {
        best_score = (best_score * depth + beta) / (depth + 1);
    }
    ss->cutoff_count += bound == BOUND_LOWER;
    History *history = &worker->history;
    static_eval = ss->static_eval; /* a singular or verification search may have corrected it */
    if (best_move != MOVE_NONE) {
        /* A bonus for the best move, larger if it is the hash move, and a malus for the moves that
         * did not raise alpha (for quiet ones only if the best move is quiet) and for the quiet
         * move that led here if it was the first of its node. */
        int bonus = best_move_bonus(depth) + P_BONUS_TT_MOVE * (best_move == entry.move);
        int malus = int_min(P_MALUS_SLOPE * depth + P_MALUS_BASE, P_MALUS_MAX);
        if (pos_is_quiet(pos, best_move)) {
            if (ss->killers[0] != best_move) {
                ss->killers[1] = ss->killers[0];
                ss->killers[0] = best_move;
            }
            if ((ss - 1)->moved_piece != NO_PIECE) {
                history_set_counter(history, (ss - 1)->moved_piece, move_to((ss - 1)->move),
                                    best_move);
            }
            worker_reward_quiet(worker, ply, best_move, bonus);
            for (int i = 0; i < quiet_count; i++) {
                worker_reward_quiet(worker, ply, quiets[i], -malus);
            }
        } else {
            history_add(history, history_capture(history, pos, best_move), bonus,
                        HISTORY_CAPTURE_MAX);
        }
        for (int i = 0; i < capture_count; i++) {
            history_add(history, history_capture(history, pos, captures[i]), -malus,
                        HISTORY_CAPTURE_MAX);
        }
        if (ply > 1 && (ss - 1)->move_count == 1) {
            worker_reward_before(worker, ply, -malus * P_MALUS_BEFORE / 1024);
        }
    } else if (excluded_move == MOVE_NONE && (ss - 1)->is_quiet) {
        /* A bonus for the quiet move that led here, as it refutes all of this node's moves: larger
         * after a deep search, if that move came late or had a poor history, and if the score is
         * well below the static evaluation of this node or of its parent. Pawn moves do not update
         * the pawn history, because they change the pawn structure that indexes it. */
        const Stack *parent = ss - 1;
        int piece_index = history_piece_after(parent->moved_piece, parent->move);
        int scale = P_PRIOR_SCALE - parent->stat_score / P_PRIOR_STAT +
                    int_min(P_PRIOR_DEEP * depth, P_PRIOR_DEEP_MAX) +
                    P_PRIOR_LATE * (parent->move_count > 8);
        scale += P_PRIOR_SURPRISE *
                 (static_eval != SCORE_NONE && best_score <= static_eval - P_PRIOR_MARGIN);
        scale += P_PRIOR_SURPRISE_BEFORE * (opponent_eval != SCORE_NONE &&
                                            best_score <= -opponent_eval - P_PRIOR_MARGIN_BEFORE);
        int bonus =
            int_min(P_PRIOR_SLOPE * depth + P_PRIOR_BASE, P_PRIOR_MAX) * int_max(scale, 0) / 128;
        worker_reward_before(worker, ply, bonus * P_PRIOR_CONTINUATION / 100);
        history_add(history, history_quiet(history, color_flip(pos->side), parent->move),
                    bonus * P_PRIOR_QUIET / 100, HISTORY_MAX);
        if (piece_type(parent->moved_piece) != PAWN) {
            history_add(history, &(*parent->place.pawn_history)[piece_index][move_to(parent->move)],
                        bonus * P_PRIOR_PAWN / 100, HISTORY_MAX);
        }
    } else if (excluded_move == MOVE_NONE && pos->now->captured != NO_PIECE) {
        /* A bonus for the capture that led here. */
        history_add(history,
                    history_capture_after(history, (ss - 1)->move, (ss - 1)->moved_piece,
                                          pos->now->captured),
                    P_PRIOR_CAPTURE, HISTORY_CAPTURE_MAX);
    }
    if (excluded_move == MOVE_NONE) {
        /* The correction histories learn the error of the static evaluation: not in check, not if
         * the best move is a capture, not from a decided score, and not if the bound lies on the
         * wrong side of static_eval to show an error. */
        Score error = best_score - static_eval;
        if (!in_check && !score_is_decided(best_score) &&
            (best_move == MOVE_NONE || pos_is_quiet(pos, best_move)) &&
            !(bound == BOUND_LOWER && error <= 0) && !(bound == BOUND_UPPER && error >= 0)) {
            history_learn_error(history, &ss->place, depth, error);
        }
        /* After a fail low, the move that led here may be the best one of its node, so this
         * position counts as on a principal variation if its parent does. */
        tt_store(tt, key, ply,
                 &(TtEntry){.move = best_move,
                            .score = best_score,
                            .eval = raw_eval,
                            .depth = depth,
                            .bound = bound,
                            .is_pv = tt_pv || (bound == BOUND_UPPER && (ss - 1)->tt_pv),
                            .is_mate_tested = true});
    }
    return best_score;
}
