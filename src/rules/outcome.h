/* outcome.h: is the game over, who won and why. The rule of the game, for referees and roots; the
 * search has its own quicker tests. Reads the position only. */
#ifndef KMD_RULES_OUTCOME_H
#define KMD_RULES_OUTCOME_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

/* In declare.c: impasse: the declaration of an entered king, by points or by the try rule.
 *
 * Rules as in the Japan Shogi Association's 27-point rule and the CSA's: see docs/usi.md.
 * Reads the position only. */

/* The counts of `side`, whoever is to move. */
KmdDeclareCount declare_count(const struct Position *pos, Color side);

/* What the side to move gets by declaring under `rule`. For KMD_DECLARE_TRY: KMD_DECLARATION_WIN
 * when its king already stands on the try square. */
KmdDeclaration declare_result(const struct Position *pos, KmdDeclareRule rule);

/* As declare_result for `side`, as if it were to move. */
KmdDeclaration declare_result_for(const struct Position *pos, KmdDeclareRule rule, Color side);

/* For KMD_DECLARE_TRY: the king move of the side to move that reaches the try square and is legal;
 * MOVE_NONE when there is none. */
Move declare_try_move(const struct Position *pos);

/* The rules' option names in their order; ends with NULL. */
extern const char *const declare_rule_names[KMD_DECLARE_COUNT + 1];

/* The rule's option name, and the rule of a name (letters without case); false when unknown. */
const char *declare_rule_name(KmdDeclareRule rule);
bool declare_rule_read(StrView name, KmdDeclareRule *rule) MUST_CHECK;

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
