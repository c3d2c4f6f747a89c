/* rootmove.h: a move at the root with its line. */
#ifndef KMD_SEARCH_ROOTMOVE_H
#define KMD_SEARCH_ROOTMOVE_H

#include <stdint.h>

#include "rules/types.h"
#include "search/score.h"
#include "search/tt.h"

/* A line of play. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A move at the root and what is known about it. */
typedef struct RootMove {
    Move move;
    Score score;          /* of this iteration; -SCORE_INFINITE while unknown */
    Score previous_score; /* of the last finished iteration */
    Bound bound;          /* what `score` is, should its window have failed */
    int seldepth;
    uint64_t nodes; /* spent below it in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

#endif
