/* see.h: static exchange evaluation: the material balance of a series of captures on one square.
 * The function only reads the position: safe from any thread on its own position. */
#ifndef KMD_RULES_SEE_H
#define KMD_RULES_SEE_H

#include "rules/types.h"

struct Position;

/* True if the exchange that `move` starts gains at least `threshold`. Each side captures with its
 * least valuable piece, and stops when stopping is better. value[type] is the gain from capturing a
 * piece of the type: in shogi, its value on the board plus its value in hand. Pins and further
 * promotions are ignored. A king captures last, and only if the piece is unguarded. Source: the
 * swap-off algorithm of chess programs, with a threshold (Romstad, 2000s). */
bool see_reaches(const struct Position *pos, Move move, int threshold, const int16_t *value);

#endif
