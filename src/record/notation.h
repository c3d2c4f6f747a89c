/* notation.h: reads and writes moves in any notation. Selects between USI (usimove.h), Japanese
 * (notation_ja.h) and Western notations (notation_west.h).
 *
 * All functions only read the position; safe from any thread on its own position. */
#ifndef KMD_RECORD_NOTATION_H
#define KMD_RECORD_NOTATION_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "rules/types.h"

struct Position;

/* The name of a notation, such as "usi" or "japanese"; NULL after the last. */
const char *notation_name(int notation);

/* Appends a legal move in this notation. */
void notation_append(const struct Position *pos, Move move, KmdNotation notation, StrBuf *out);

/* Reads a text that is one move. The reader is tolerant: the Western notations accept each other's
 * moves, and so do the Japanese ones. Returns a legal move, or MOVE_NONE with *reason in plain
 * English (static storage). */
Move notation_read(const struct Position *pos, StrView text, KmdNotation notation,
                   const char **reason);

#endif
