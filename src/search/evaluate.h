/* evaluate.h: the hand-written evaluation: material, hands, and how near pieces stand to the kings.
 * Reads the position only. */
#ifndef KMD_SEARCH_EVALUATE_H
#define KMD_SEARCH_EVALUATE_H

#include "rules/types.h"
#include "search/score.h"

struct Position;

/* Fills the tables; to be called before any evaluation. */
void evaluate_init(void);

/* What a piece on the board is worth, in centipawns; 0 for KING. */
Score piece_value(PieceType type);

/* What a move gains at once: what it takes, and what a promotion adds. */
Score move_gain(const struct Position *pos, Move move);

/* By type: what the side that takes such a piece gains, as the piece on the board goes and one in
 * the own hand comes; for static exchanges (see.h). */
const int16_t *capture_values(void);

/* The side to move's view, within -SCORE_EVAL_MAX .. SCORE_EVAL_MAX. Kings may be missing. */
Score evaluate(const struct Position *pos);

#endif
