/* rootmove.h: a move at the root with its line. */
#ifndef KMD_SEARCH_ROOTMOVE_H
#define KMD_SEARCH_ROOTMOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/types.h"
#include "search/score.h"

/* A line of play. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A move at the root and what is known about it. */
typedef struct RootMove {
    Move move;
    Score score;          /* of this iteration; -SCORE_INFINITE while it has none */
    Score previous_score; /* of the last iteration that had one; -SCORE_INFINITE if none had */
    Bound bound;          /* what `score` is, should its window have failed */
    Score exact_score;    /* of exact_depth, with its line in pv */
    int exact_depth;      /* this iteration's or the last one's; 0: there is no exact score */
    int seldepth;
    uint64_t nodes; /* spent below it in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

/* True when this iteration has a score for the move. */
static inline bool rootmove_is_current(const RootMove *root) {
    return root->score != -SCORE_INFINITE;
}

/* The latest score known; -SCORE_INFINITE when none is. */
static inline Score rootmove_score(const RootMove *root) {
    return rootmove_is_current(root) ? root->score : root->previous_score;
}

/* What rootmove_score is. */
static inline Bound rootmove_bound(const RootMove *root) {
    return rootmove_is_current(root) ? root->bound : BOUND_EXACT;
}

#endif
