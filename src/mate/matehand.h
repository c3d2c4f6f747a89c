/* matehand.h: the hands for which a proof or a refutation holds.
 *
 * A proof hand is a hand with which the attacker mates on this board; a larger one does so all the
 * more. A disproof hand is one with which he does not; nor does he with a smaller one. The pieces
 * of both hands together are the same whatever the attacker holds. Source of the idea: Seo (1995),
 * Nagai (2002). Reads the position only. */
#ifndef KMD_MATE_MATEHAND_H
#define KMD_MATE_MATEHAND_H

#include "rules/types.h"

struct Position;

/* Kind by kind the larger or the smaller count. */
Hand matehand_max(Hand a, Hand b);
Hand matehand_min(Hand a, Hand b);

/* Both hands of the position together. */
Hand matehand_total(const struct Position *pos);

/* The defender is to move. What the attacker must keep so that no new drop becomes possible: where
 * a check can be blocked, or there is none, all he has of the kinds of which the defender has none.
 */
Hand matehand_monopoly(const struct Position *pos);

/* The proof hand before the attacker's move, when `after` is the one after it. `pos` is before the
 * move. */
Hand matehand_undo_proof(const struct Position *pos, Move move, Hand after);

/* The same for a disproof hand. */
Hand matehand_undo_disproof(const struct Position *pos, Move move, Hand after);

/* The attacker is to move. `hand`, a disproof hand against the checks he has, less the kinds he
 * does not hold but could drop with check if he did. */
Hand matehand_without_new_checks(const struct Position *pos, Hand hand);

/* The same where the attacker may make any move: less all the kinds that he does not hold. */
Hand matehand_without_new_kinds(const struct Position *pos, Hand hand);

#endif
