/* rootmove.h: the moves at the root, each with its score and its line. Plain data.
 *
 * Each worker has its own list (worker.h), which root.c fills and sorts and report.c reports. */
#ifndef KMD_SEARCH_ROOTMOVE_H
#define KMD_SEARCH_ROOTMOVE_H

#include "rules/types.h"
#include "search/score.h"

/* A sequence of moves. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A root move and its results. */
typedef struct RootMove {
    Move move;
    Score score;          /* score in this iteration; -SCORE_INFINITE if not searched yet */
    Score previous_score; /* score in the last iteration with one; -SCORE_INFINITE: none */
    Bound bound;          /* bound of `score` */
    Score exact_score;    /* last exact score, of iteration exact_depth; `pv` belongs to it */
    int exact_depth;      /* iteration of exact_score; 0: none, or a later bound has replaced it */
    int seldepth;
    uint64_t nodes; /* nodes searched below this move in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

/* True if the move has a score in this iteration. */
static inline bool rootmove_is_current(const RootMove *root) {
    return root->score != -SCORE_INFINITE;
}

/* The latest score; -SCORE_INFINITE if there is none. */
static inline Score rootmove_score(const RootMove *root) {
    return rootmove_is_current(root) ? root->score : root->previous_score;
}

/* The bound of rootmove_score. */
static inline Bound rootmove_bound(const RootMove *root) {
    return rootmove_is_current(root) ? root->bound : BOUND_EXACT;
}

#endif
