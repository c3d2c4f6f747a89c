/* declare.h: impasse: the declaration of an entering king, by points or by the try rule.
 *
 * The rules are the Japan Shogi Association's 27-point rule and those of the CSA: see docs/usi.md.
 * Reads the position only; safe from any thread on its own position. */
#ifndef KMD_RULES_DECLARE_H
#define KMD_RULES_DECLARE_H

#include "rules/types.h"

struct Position;

/* The counts of `side`, which need not be the side to move. */
KmdDeclareCount declare_count(const struct Position *pos, Color side);

/* The result for the side to move if it declares under `rule`. For KMD_DECLARE_TRY:
 * KMD_DECLARATION_WIN if its king is on the try square. */
KmdDeclaration declare_result(const struct Position *pos, KmdDeclareRule rule);

/* The same for `side`, as if it were to move. */
KmdDeclaration declare_result_for(const struct Position *pos, KmdDeclareRule rule, Color side);

/* For KMD_DECLARE_TRY: the legal king move of the side to move to the try square; MOVE_NONE if
 * there is none. */
Move declare_try_move(const struct Position *pos);

/* The option name of a KmdDeclareRule; NULL after the last. */
const char *declare_rule_name(int rule);

#endif
