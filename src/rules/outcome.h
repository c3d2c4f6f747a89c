/* outcome.h: whether the game is over, who won and why. For referees and the root of a search;
 * inside the tree the search has its own faster tests. Reads the position only. */
#ifndef KMD_RULES_OUTCOME_H
#define KMD_RULES_OUTCOME_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

typedef struct OutcomeRules {
    KmdDeclareRule declare; /* only KMD_DECLARE_TRY can end a game without a declaration */
    int max_plies;          /* draw once the game has had this many moves; 0: no limit */
} OutcomeRules;

/* The side as the winner. */
static inline KmdWinner outcome_winner(Color side) {
    return side == BLACK ? KMD_WINNER_BLACK : KMD_WINNER_WHITE;
}

/* 1 for a side that has won, -1 for one that has lost, else 0. */
static inline int outcome_sign(KmdWinner winner, Color side) {
    return winner == outcome_winner(side) ? 1 : winner == outcome_winner(color_flip(side)) ? -1 : 0;
}

/* The state of the game after the moves played so far. Mate comes before everything else, then
 * repetition, try, and the limit of plies (moves since ply 1 of the SFEN's count). */
KmdOutcome outcome_of(const struct Position *pos, const OutcomeRules *rules);

/* A short English phrase for an ending, also of a record. Static storage. */
const char *outcome_ending_text(KmdEnding ending);

#endif
