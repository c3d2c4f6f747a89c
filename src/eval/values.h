/* values.h: piece values. Reads only tables and the position; safe from every thread after
 * values_init. */
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

/* The immediate material gain of a move, by capture and promotion. */
int values_move_gain(const struct Position *pos, Move move);

/* By type: the material gained by capturing such a piece, which leaves the board and enters the
 * hand; used for static exchange evaluation (see.h). */
const int16_t *values_capture(void);

#endif
