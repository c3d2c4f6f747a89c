/* matehand.h: the hands for which a proof or a refutation is valid.
 *
 * A proof hand is a hand with which the attacker mates on this board; he also mates with any larger
 * hand. A disproof hand is one with which he cannot mate; he also cannot with any smaller hand. The
 * hands of both sides together always hold the same pieces, whatever the attacker's share. Source
 * of the idea: Seo (1995), Nagai (2002). Reads the position only. */
#ifndef KMD_MATE_MATEHAND_H
#define KMD_MATE_MATEHAND_H

#include "rules/types.h"

struct Position;

/* For each piece type, the larger or the smaller count. */
Hand matehand_max(Hand a, Hand b);
Hand matehand_min(Hand a, Hand b);

/* Both hands of the position together. */
Hand matehand_total(const struct Position *pos);

/* The pieces that the attacker must keep so that the defender, who is to move, gets no new drops.
 * If the check can be blocked, or there is no check, these are all the attacker's pieces of the
 * types that the defender does not hold. */
Hand matehand_monopoly(const struct Position *pos);

/* The proof hand before the attacker's move, given the proof hand `after` it. `pos` is the position
 * before the move. */
Hand matehand_undo_proof(const struct Position *pos, Move move, Hand after);

/* The disproof hand before the attacker's move, given the disproof hand `after` it. */
Hand matehand_undo_disproof(const struct Position *pos, Move move, Hand after);

/* Given `hand`, a disproof hand against the checks that the attacker, who is to move, has: returns
 * it without the types that he does not hold but could drop with check. */
Hand matehand_without_new_checks(const struct Position *pos, Hand hand);

/* Like matehand_without_new_checks if the attacker may make any move: returns the hand without all
 * types that he does not hold. */
Hand matehand_without_new_kinds(const struct Position *pos, Hand hand);

#endif
