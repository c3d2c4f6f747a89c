/* zobrist.h: the random numbers that make up the keys of a position.
 *
 * The board key is the exclusive or of a number for each piece on its square and, if white is to
 * move, another number (Zobrist 1970). The hand key is the sum of one number for each piece in
 * hand: adding or removing a piece takes one addition or subtraction, and equal hands have equal
 * keys however they came about. zobrist_init fills the tables once; afterwards they are only read.
 * The numbers are the same on every machine. */
#ifndef KMD_RULES_ZOBRIST_H
#define KMD_RULES_ZOBRIST_H

#include <stdint.h>

#include "rules/types.h"

extern uint64_t zobrist_board[PIECE_NB][SQ_NB];
extern uint64_t zobrist_hand[COLOR_NB][HAND_TYPE_NB];
extern uint64_t zobrist_side; /* part of the key if WHITE is to move */

/* Fills the tables; rules_init calls it. */
void zobrist_init(void);

#endif
