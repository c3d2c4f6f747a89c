/* history_update.h: what a node leaves behind for others when its moves have been tried: which of
 * them to try first, and how far off the static evaluation was.
 *
 * Writes the worker's history, which holds the counter moves, and the killers of the node's stack
 * entry. The worker's position must be the node's. */
#ifndef KMD_SEARCH_HISTORY_UPDATE_H
#define KMD_SEARCH_HISTORY_UPDATE_H

#include "rules/types.h"
#include "search/score.h"

struct Worker;

enum { TRIED_MOST = 64 };

/* Moves of a node that did not refute it, the first of each kind. */
typedef struct Tried {
    int quiet_count;
    Move quiets[TRIED_MOST];
    int capture_count;
    Move captures[TRIED_MOST]; /* and promotions */
} Tried;

/* Empties the lists: their counts only, for the moves are many and most nodes try few. */
void history_tried_clear(Tried *tried);

void history_tried_add(Tried *tried, Move move, bool is_quiet);

/* A node whose best move is known. */
typedef struct HistoryCut {
    int ply;
    int depth;          /* that the node was searched to */
    Move best;          /* reached alpha, or beta */
    bool is_table_move; /* the table had it */
    const Tried *tried; /* in vain */
} HistoryCut;

/* The best move is praised, and all that were tried in vain are blamed; so is, for a refutation,
 * the quiet move that led here when it was the first of its node. */
void history_update_best(struct Worker *worker, const HistoryCut *cut);

/* The table's score refuted the node by `move`: a quiet one is praised, and the quiet move that led
 * here blamed if it was among the first. */
void history_update_table_cut(struct Worker *worker, int ply, int depth, Move move);

/* No move reached alpha in the node at `ply` (at least 1), searched `depth` plies deep with the
 * score `best`: the quiet move that led there is praised. */
void history_update_fail_low(struct Worker *worker, int ply, int depth, Score best);

/* The side that moved into the node at `ply` gained so much by the static evaluations before and
 * after. */
void history_update_eval(struct Worker *worker, int ply, Score gain);

/* The quiet move made at `ply`, whose position the worker's is, was searched again at a greater
 * depth and held good. */
void history_update_reduced(struct Worker *worker, int ply);

/* The node at `ply` has the score `score`, exact or a bound, by the move `best` (MOVE_NONE: none
 * reached alpha). Says nothing of the static evaluation in check, by a capture or when the score
 * is a mate, or a win or loss by repetition. */
void history_update_correction(struct Worker *worker, int ply, int depth, Move best, Score score,
                               Bound bound);

#endif
