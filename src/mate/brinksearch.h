/* brinksearch.h: searches for brinkmates in one and three moves, one attack at a time.
 *
 * Game positions have 100 or more quiet moves and as many answers to each, too many for proof
 * numbers to single out the good attack. So this search tries the attacks one after another: first
 * the mate after a pass, then each answer. Each of these subproblems goes to the mate search
 * (dfpn.h) with its own node limit. All share one table. A search belongs to one thread; it reads
 * no clock and prints nothing. */
#ifndef KMD_MATE_BRINKSEARCH_H
#define KMD_MATE_BRINKSEARCH_H

#include "mate/dfpn.h"

struct Position;

/* True for positions, with the attacker to move, that brinksearch_run solves faster than
 * proof-number search: those at the levels of one and three moves, and those in check at
 * BRINK_HOLD. */
bool brinksearch_handles(const struct Position *pos, int level);

/* Searches the position, whose side to move attacks, at shared->level for a brinkmate and a mate
 * within len plies. Each subproblem gets at most `each` nodes; the limits of `shared` apply to the
 * whole. The result has pn = 0 for a win and dn = 0 for none; otherwise it is open. Solved
 * positions are stored in the table. Overwrites level, node_limit and is_done of `shared`. */
MateValue brinksearch_run(DfpnShared *shared, const struct Position *pos, int len, uint64_t each);

#endif
