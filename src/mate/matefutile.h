/* matefutile.h: the length of a mate as players count it.
 *
 * Players do not count futile interpositions: pieces dropped to block a distant check that the
 * checking piece can simply capture. The mate then continues as before, without needing the
 * captured piece.
 *
 * The rule is this. Let Q be a position with the defender in check and to move. The length of Q is
 * that of the longest answer that counts, or 0 if no answer counts. Moves on the board always
 * count. A drop counts unless it is futile: the checking piece can capture it with check, and if
 * the captured piece is given back to the defender, the mate from there is no longer than the mate
 * of Q without the drop. Board moves are examined first, then the drops, those with the shortest
 * mates first, so that each drop is compared with the answers that count.
 *
 * The functions only read positions and run on the thread of the checker. */
#ifndef KMD_MATE_MATEFUTILE_H
#define KMD_MATE_MATEFUTILE_H

#include "mate/matecheck.h"

/* The length, without futile interpositions, of a mate that matecheck_run has replayed
 * successfully. The result is at most the length with them. The attacker plays as in the replay. A
 * drop counts unless it is shown to be futile before the checker's limits are reached. *pos is
 * restored. */
int matefutile_length(MateChecker *checker, struct Position *pos);

/* True if players call the position mate; the defender must be to move and in check. Either there
 * is no answer, or every answer is a drop that the checking piece can capture, and players also
 * call the resulting position, with the piece given back, mate. *pos is restored. */
bool matefutile_is_mate(struct Position *pos);

#endif
