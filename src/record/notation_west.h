/* notation_west.h: moves in letters and digits: P-7f, P76.
 *
 * Sources: Hodges, Shogi magazine (1976); Hosking, The Art of Shogi (1997); 81Dojo; Kitao and
 * Kawasaki, Joseki at a Glance (2011). Only reads the position; safe from any thread on its own
 * position. */
#ifndef KMD_RECORD_NOTATION_WEST_H
#define KMD_RECORD_NOTATION_WEST_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "rules/types.h"

struct Position;

/* Appends a legal move; `style` is one of the Western notations. */
void notation_append_west(const struct Position *pos, Move move, KmdNotation style, StrBuf *out);

/* notation_read for Western notations. Accepts both kinds of squares, a missing hyphen, "'" instead
 * of "*", an unnecessary origin, and pawn moves without a letter. */
Move notation_read_west(const struct Position *pos, StrView text, const char **reason);

#endif
