/* mate1.h: finds a mate in one from sets of squares.
 *
 * Reads the position only and allocates nothing: safe from any thread on its own position. Used at
 * every node of the playing search and the leaves of the mate search. A move is made, on a copy,
 * only in one rare case: when the only answer is a pawn drop in front of our king. Static mate
 * tests are as old as computer shogi; the sets and their order here are our own. */
#ifndef KMD_MATE_MATE1_H
#define KMD_MATE_MATE1_H

#include "rules/types.h"

struct Position;

/* A legal move of the side to move after which the opponent is in check and has no legal move, or
 * MOVE_NONE when there is none. Works with the side to move in check or not, with or without a king
 * of its own; MOVE_NONE when the opponent has no king. Exact: every answer is a mate, and no mate
 * is missed (pawn drops cannot mate). */
Move mate1_find(const struct Position *pos);

#endif
