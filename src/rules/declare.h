/* declare.h: impasse: winning by declaration with an entering king, by points or by the try rule.
 *
 * The rules are the Japan Shogi Association's 27-point rule and those of the CSA: see docs/usi.md.
 * The functions only read the position: safe from any thread on its own position. */
#ifndef KMD_RULES_DECLARE_H
#define KMD_RULES_DECLARE_H

#include "rules/types.h"

struct Position;

/* The counts of either side, whether or not it is to move. */
KmdDeclareCount declare_count(const struct Position *pos, Color side);

/* The result for the side to move if it declares under `rule`. Under KMD_DECLARE_TRY the result is
 * KMD_DECLARATION_WIN if its king is on the try square. */
KmdDeclaration declare_result(const struct Position *pos, KmdDeclareRule rule);

/* Like declare_result, but for `side`, as if it were to move. */
KmdDeclaration declare_result_for(const struct Position *pos, KmdDeclareRule rule, Color side);

/* The legal move of the side to move's king to its try square, for KMD_DECLARE_TRY; MOVE_NONE if
 * there is none. */
Move declare_try_move(const struct Position *pos);

/* The option name of a KmdDeclareRule; NULL after the last. */
const char *declare_rule_name(int rule);

#endif
