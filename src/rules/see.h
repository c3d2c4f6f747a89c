/* see.h: static exchange evaluation: the material balance of captures on one square. Reads
 * the position only; safe from any thread on its own position. */
#ifndef KMD_RULES_SEE_H
#define KMD_RULES_SEE_H

#include "rules/types.h"

struct Position;

/* True when the exchange that `move` begins wins at least `threshold`, each side taking with its
 * least valuable piece and stopping when that is better. value[type] is what taking a piece of the
 * type wins: in shogi what it was worth on the board and what it will be worth in the hand. Pins
 * and further promotions are not looked at; a king captures last, and only an unguarded piece.
 * Source: the swap-off algorithm of chess programs, with a threshold (Romstad, 2000s). */
bool see_reaches(const struct Position *pos, Move move, int threshold, const int16_t *value);

#endif
