/* outcome.h: whether the game is over, who won and why. Referees, self-play and the tools for game
 * records use it; the search has faster tests of its own. The functions only read the position. */
#ifndef KMD_RULES_OUTCOME_H
#define KMD_RULES_OUTCOME_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

typedef struct OutcomeRules {
    KmdDeclareRule
        declare;   /* KMD_DECLARE_TRY is the only rule that ends a game without a declaration */
    int max_plies; /* the game is drawn after this many moves; 0: no limit */
} OutcomeRules;

/* The winner if this side has won. */
static inline KmdWinner outcome_winner(Color side) {
    return side == BLACK ? KMD_WINNER_BLACK : KMD_WINNER_WHITE;
}

/* 1 if the side has won, -1 if it has lost, otherwise 0. */
static inline int outcome_sign(KmdWinner winner, Color side) {
    return winner == outcome_winner(side) ? 1 : winner == outcome_winner(color_flip(side)) ? -1 : 0;
}

/* The state of the game after the moves so far. Mate has precedence over repetition, repetition
 * over the try rule, and the try rule over the move limit, which counts from ply 1 of the SFEN. */
KmdOutcome outcome_of(const struct Position *pos, const OutcomeRules *rules);

/* A short English phrase for any ending, even one that occurs only in records. Static storage. */
const char *outcome_ending_text(KmdEnding ending);

#endif
