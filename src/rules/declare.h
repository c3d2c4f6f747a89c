/* declare.h: impasse: the declaration of an entered king, by points or by the try rule.
 *
 * Rules as in the Japan Shogi Association's 27-point rule and the CSA's: see docs/usi.md.
 * Reads the position only. */
#ifndef KMD_RULES_DECLARE_H
#define KMD_RULES_DECLARE_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

/* Names as engines publish them in the USI option EnteringKingRule. The rules with _H count the
 * pieces missing from a full set for WHITE, who gives the handicap. */
typedef enum DeclareRule {
    DECLARE_NONE, /* NoEnteringKing */
    DECLARE_24,   /* CSARule24: 31 points win, 24 to 30 are a draw */
    DECLARE_24H,  /* CSARule24H */
    DECLARE_27,   /* CSARule27: black needs 28 points, white 27 */
    DECLARE_27H,  /* CSARule27H */
    DECLARE_TRY,  /* TryRule: the king reaches the enemy king's home square unattacked */
    DECLARE_RULE_NB
} DeclareRule;

/* What a side that declares now would get. */
typedef enum DeclareResult {
    DECLARE_REFUSED, /* the conditions are not met: declaring would lose */
    DECLARE_DRAW,    /* 24-point rules only */
    DECLARE_WIN
} DeclareResult;

/* The facts a declaration is judged by. */
typedef struct DeclareCount {
    bool king_in_zone;
    bool in_check;
    int pieces_in_zone;  /* own pieces in the promotion zone, king not counted */
    int points;          /* in the zone and in hand: rook and bishop 5, others 1, king 0 */
    int handicap_points; /* points of the pieces missing from a full set, for WHITE; else 0 */
} DeclareCount;

/* The counts of `side`, whoever is to move. */
DeclareCount declare_count(const struct Position *pos, Color side);

/* What the side to move gets by declaring under `rule`. For DECLARE_TRY: DECLARE_WIN when its king
 * already stands on the try square. */
DeclareResult declare_result(const struct Position *pos, DeclareRule rule);

/* As declare_result for `side`, as if it were to move. */
DeclareResult declare_result_for(const struct Position *pos, DeclareRule rule, Color side);

/* For DECLARE_TRY: the king move of the side to move that reaches the try square and is legal;
 * MOVE_NONE when there is none. */
Move declare_try_move(const struct Position *pos);

/* The rules' option names in their order; ends with NULL. */
extern const char *const declare_rule_names[DECLARE_RULE_NB + 1];

/* The rule's option name, and the rule of a name (letters without case); false when unknown. */
const char *declare_rule_name(DeclareRule rule);
bool declare_rule_read(StrView name, DeclareRule *rule) MUST_CHECK;

#endif
