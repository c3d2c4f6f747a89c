/* declare.h: impasse: the declaration of an entered king, by points or by the try rule.
 *
 * Rules as in the Japan Shogi Association's 27-point rule and the CSA's: see docs/usi.md. Reads
 * the position only; safe from any thread on its own position. */
#ifndef KMD_RULES_DECLARE_H
#define KMD_RULES_DECLARE_H

#include "rules/types.h"

struct Position;

/* The counts of `side`, which need not be to move. */
KmdDeclareCount declare_count(const struct Position *pos, Color side);

/* The result for the side to move of declaring under `rule`. For KMD_DECLARE_TRY:
 * KMD_DECLARATION_WIN when its king already stands on the try square. */
KmdDeclaration declare_result(const struct Position *pos, KmdDeclareRule rule);

/* As declare_result for `side`, as if it were to move. */
KmdDeclaration declare_result_for(const struct Position *pos, KmdDeclareRule rule, Color side);

/* For KMD_DECLARE_TRY: the king move of the side to move that reaches the try square and is legal;
 * MOVE_NONE when there is none. */
Move declare_try_move(const struct Position *pos);

/* What options call a KmdDeclareRule; NULL past the last. */
const char *declare_rule_name(int rule);

#endif
