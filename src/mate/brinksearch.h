/* brinksearch.h: searches for brinkmates in one and three moves, one attack at a time.
 *
 * Game positions have 100 or more quiet moves and as many answers to each of them. Proof numbers do
 * not find the good attack among that many, so this search tries the attacks one after another:
 * first the mate after a pass, then each answer. The mate search (dfpn.h) solves each of these
 * subproblems within a node limit. All share one table. A search belongs to one thread, reads no
 * clock and prints nothing. */
#ifndef KMD_MATE_BRINKSEARCH_H
#define KMD_MATE_BRINKSEARCH_H

#include "mate/dfpn.h"

struct Position;

/* True if brinksearch_run solves the position, in which the attacker is to move, faster than
 * proof-number search. The result is true at the levels of one and three moves, and for positions
 * in check at BRINK_HOLD. */
bool brinksearch_handles(const struct Position *pos, int level);

/* Searches for a brinkmate and a mate within len plies by the side to move, at shared->level. Each
 * subproblem may use at most `each` nodes; the limits of `shared` apply to the whole search. The
 * result has pn = 0 if there is a win and dn = 0 if there is none; otherwise it is open. Solved
 * positions are stored in the table. Overwrites level, node_limit and is_done of `shared`. */
MateValue brinksearch_run(DfpnShared *shared, const struct Position *pos, int len, uint64_t each);

#endif
