/* matefutile.h: the length of a mate as players count it.
 *
 * Players do not count futile interpositions: a piece dropped to block a distant check, which the
 * checking piece simply captures, after which the mate continues as before without needing the
 * captured piece.
 *
 * The rule is this. Let Q be a position with the defender in check and to move. Its length is that
 * of the longest answer that counts, or 0 if no answer counts. Moves on the board always count. A
 * drop counts, unless the checking piece can capture it with check and the mate from there, with
 * the captured piece given back to the defender, is no longer than the mate of Q without the drop.
 * Moves on the board are examined first, then the drops from the shortest on, so that each drop is
 * compared with the answers that count.
 *
 * Reads positions only and belongs to the thread of its checker. */
#ifndef KMD_MATE_MATEFUTILE_H
#define KMD_MATE_MATEFUTILE_H

#include "mate/matecheck.h"

/* The length, without futile interpositions, of a mate that matecheck_run has replayed
 * successfully; at most the length with them. The attacker plays as in the replay. A drop counts if
 * it is not shown to be futile before the checker's limits are reached. *pos is restored. */
int matefutile_length(MateChecker *checker, struct Position *pos);

/* With the defender to move and in check: true if players call this mate. Either there is no
 * answer, or every answer is a drop that the checking piece can capture so that, with the piece
 * given back, players call the result mate too. *pos is restored. */
bool matefutile_is_mate(struct Position *pos);

#endif
