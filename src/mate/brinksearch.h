/* brinksearch.h: searches for brinkmates of one and three moves, attack by attack.
 *
 * Positions of games have 100 and more quiet moves and as many answers to each, too many for proof
 * numbers to tell the good attack from the others. So the attacks are tried one after another: the
 * mate behind the pass first, then each answer, and each of these questions goes to the mate search
 * (dfpn.h) with its own limit of nodes. All share one table. A search belongs to one thread, reads
 * no clock and prints nothing. */
#ifndef KMD_MATE_BRINKSEARCH_H
#define KMD_MATE_BRINKSEARCH_H

#include "mate/dfpn.h"

struct Position;

/* True for positions, the attacker to move, that brinksearch_run answers faster than proof numbers
 * do: those at the levels of one and three moves, and at BRINK_HOLD those in check. */
bool brinksearch_handles(const struct Position *pos, int level);

/* Searches the position, whose side to move attacks, at shared->level for a brinkmate and a mate in
 * at most len plies, with at most `each` nodes for each question, under the limits of `shared`. The
 * result has pn = 0 for a win, dn = 0 for none, else it is open; solved positions go into the
 * table. Writes level, node_limit and is_done of `shared` on the way. */
MateValue brinksearch_run(DfpnShared *shared, const struct Position *pos, int len, uint64_t each);

#endif
