/* mate1.h: finds a mate in one with bitboards, without making moves.
 *
 * Only reads the position and allocates nothing: safe from any thread on its own position. Both the
 * main search and the mate search call mate1_find at most nodes. It makes a move only in one rare
 * case, and on a copy: if the only answer to it is a pawn drop in front of the attacker's own king.
 * Static mate tests are as old as computer shogi; the sets of squares used here, and their order,
 * are our own. */
#ifndef KMD_MATE_MATE1_H
#define KMD_MATE_MATE1_H

#include "rules/types.h"

struct Position;

/* Returns a legal move that mates at once, or MOVE_NONE if there is none. The side to move may be
 * in check and may have no king. Returns MOVE_NONE if the opponent has no king. The test is exact:
 * every move returned is mate, and no legal mate is missed (a pawn drop must not mate). */
Move mate1_find(const struct Position *pos);

#endif
