/* matefutile.h: the length of a mate as players count it.
 *
 * Players leave a futile interposition out of the length: a piece dropped to block a check from
 * afar that the checking piece just takes, where the mate then continues as if nothing had happened
 * and the taken piece is not needed for it.
 *
 * What "as if nothing had happened" means is decided so. Let Q be a position in which the defender
 * is in check and has to move. Its length is the most that an answer lasts which counts; 0 when
 * there is none. Moves on the board count. A drop counts unless the checking piece can take the
 * dropped piece with check and the mate of the position after it, the taken piece given back to
 * the defender, is no longer than that of Q without the drop. Moves of the board come first, then
 * the drops from the shortest on, so that each drop is measured against answers that count.
 *
 * Reads positions only and belongs to the thread of its checker. */
#ifndef KMD_MATE_MATEFUTILE_H
#define KMD_MATE_MATEFUTILE_H

#include "mate/matecheck.h"

/* The length, futile interpositions left out, of the mate that a successful matecheck_run has
 * replayed; at most its length with all of them. The attacker plays as in the replay. A drop that
 * cannot be shown to be futile before the checker's limits end it counts. *pos is as before
 * afterwards. */
int matefutile_length(MateChecker *checker, struct Position *pos);

/* The defender is to move and in check. True when that is mate to players: he has no answer, or
 * only drops that the checking piece can take so that, the piece given back, it is mate to players
 * again. *pos is as before afterwards. */
bool matefutile_is_mate(struct Position *pos);

#endif
