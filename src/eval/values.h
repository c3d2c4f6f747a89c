/* values.h: piece values. The functions only read tables and the position: safe from every thread
 * after values_init. */
#ifndef KMD_EVAL_VALUES_H
#define KMD_EVAL_VALUES_H

#include "rules/types.h"

struct Position;

/* Evaluations lie within -EVAL_MAX .. EVAL_MAX centipawns. */
enum { EVAL_MAX = 27000 };

/* Fills the tables. Call it before any other function here. */
void values_init(void);

/* The value of a piece on the board in centipawns; 0 for KING. */
int values_piece(PieceType type);

/* The value of a piece in hand, in centipawns. */
int values_hand_piece(PieceType type);

/* The immediate material gain of a move from capturing and promoting. */
int values_move_gain(const struct Position *pos, Move move);

/* An array indexed by piece type: the material gained by capturing such a piece, which leaves the
 * board and enters the hand. Static exchange evaluation (see.h) uses it. */
const int16_t *values_for_see(void);

#endif
