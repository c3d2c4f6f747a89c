/* score.h: search scores, including mate scores.
 *
 * Scores are centipawns (a pawn on the board is 100) from the side to move's point of view. */
#ifndef KMD_SEARCH_SCORE_H
#define KMD_SEARCH_SCORE_H

#include "base/base.h"
#include "eval/values.h"

typedef int Score;

enum {
    MAX_PLY = 240, /* maximum distance from the root */

    SCORE_DRAW = 0,
    SCORE_EVAL_MAX = EVAL_MAX,               /* the highest static evaluation */
    SCORE_SUPERIOR = 28000,                  /* won, but not by a mate: see gameend_score */
    SCORE_MATE = 32000,                      /* a mate in n plies scores SCORE_MATE - n */
    SCORE_MATE_BOUND = SCORE_MATE - MAX_PLY, /* scores of at least this are mate scores */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002 /* no score */
};

/* How a score relates to the true value: upper bound, lower bound or exact. */
typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* The score of a mate `ply` plies below the root that the side to move gives, or that it
 * suffers. */
static inline Score score_mate_in(int ply) {
    return SCORE_MATE - ply;
}

static inline Score score_mated_in(int ply) {
    return -SCORE_MATE + ply;
}

static inline bool score_is_mate(Score score) {
    return score >= SCORE_MATE_BOUND || score <= -SCORE_MATE_BOUND;
}

/* True for mates and for SCORE_SUPERIOR and its negative: such scores lie beyond every static
 * evaluation and are results, not estimates. */
static inline bool score_is_decided(Score score) {
    return score > SCORE_EVAL_MAX || score < -SCORE_EVAL_MAX;
}

/* The number of plies to the mate of a mate score, negative if the side to move is mated. */
static inline int score_mate_plies(Score score) {
    ASSERT(score_is_mate(score));
    return score > 0 ? SCORE_MATE - score : -SCORE_MATE - score;
}

/* Convert mate scores, which count plies from the root in the tree but from the position itself in
 * the hash table. */
static inline Score score_to_table(Score score, int ply) {
    return score >= SCORE_MATE_BOUND    ? score + ply
           : score <= -SCORE_MATE_BOUND ? score - ply
                                        : score;
}

static inline Score score_from_table(Score score, int ply) {
    return score >= SCORE_MATE_BOUND    ? score - ply
           : score <= -SCORE_MATE_BOUND ? score + ply
                                        : score;
}

#endif
