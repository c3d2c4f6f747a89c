/* values.h: piece values. Tables and the position only; safe from every thread once
 * values_init has run. */
#ifndef KMD_EVAL_VALUES_H
#define KMD_EVAL_VALUES_H

#include "rules/types.h"

struct Position;

/* Evaluations stay within -EVAL_MAX .. EVAL_MAX, in centipawns. */
enum { EVAL_MAX = 27000 };

/* Fills the tables; to be called before all else here. */
void values_init(void);

/* The value of a piece on the board in centipawns; 0 for KING. */
int values_piece(PieceType type);

/* The value of a piece in hand. */
int values_hand_piece(PieceType type);

/* The immediate gain of a move: the captured piece and the gain by promotion. */
int values_move_gain(const struct Position *pos, Move move);

/* By type: what the side that takes such a piece gains, as the piece on the board goes and one in
 * the own hand comes; for static exchanges (movegen.h). */
const int16_t *values_capture(void);

#endif
