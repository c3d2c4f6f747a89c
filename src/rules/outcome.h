/* outcome.h: is the game over, who won and why. The rule of the game, for referees and roots; the
 * search has its own quicker tests. Reads the position only. */
#ifndef KMD_RULES_OUTCOME_H
#define KMD_RULES_OUTCOME_H

#include "rules/declare.h"
#include "rules/types.h"

struct Position;

typedef enum OutcomeKind {
    OUTCOME_ONGOING,
    OUTCOME_MATE,            /* the side to move has no legal move and is in check */
    OUTCOME_NO_MOVES,        /* no legal move without check: a loss in shogi too */
    OUTCOME_SENNICHITE,      /* fourth occurrence: draw */
    OUTCOME_PERPETUAL_CHECK, /* fourth occurrence with checks all the way: the checker lost */
    OUTCOME_TRY,             /* a king stands on the try square (DECLARE_TRY only) */
    OUTCOME_MAX_PLIES        /* the agreed number of plies has been played: draw */
} OutcomeKind;

typedef enum Winner { WINNER_NONE, WINNER_BLACK, WINNER_WHITE, WINNER_DRAW } Winner;

typedef struct OutcomeRules {
    DeclareRule declare; /* only DECLARE_TRY can end a game without a declaration */
    int max_plies;       /* draw once the game has had this many moves; 0: no limit */
} OutcomeRules;

typedef struct Outcome {
    OutcomeKind kind;
    Winner winner; /* WINNER_NONE while OUTCOME_ONGOING */
} Outcome;

/* The state of the game after the moves played so far. Mate comes before everything else, then
 * repetition, try, and the limit of plies (moves since ply 1 of the SFEN's count). */
Outcome outcome_of(const struct Position *pos, const OutcomeRules *rules);

/* A short English phrase. Static storage. */
const char *outcome_text(OutcomeKind kind);

#endif
