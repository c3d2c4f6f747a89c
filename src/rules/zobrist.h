/* zobrist.h: the random numbers of which the keys of a position consist.
 *
 * The board key is the exclusive or of a number per piece and square, and of one for white to move
 * (Zobrist 1970). The hand key is the sum of a number per piece in hand, so one more or one fewer
 * is one addition, and equal hands give equal keys however they arose. Filled once by
 * zobrist_init, then only read; the numbers are the same on every machine. */
#ifndef KMD_RULES_ZOBRIST_H
#define KMD_RULES_ZOBRIST_H

#include <stdint.h>

#include "rules/types.h"

extern uint64_t zobrist_board[PIECE_NB][SQ_NB];
extern uint64_t zobrist_hand[COLOR_NB][HAND_TYPE_NB];
extern uint64_t zobrist_side; /* in the key when WHITE is to move */

/* Fills the tables; rules_init calls it. */
void zobrist_init(void);

#endif
