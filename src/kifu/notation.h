/* notation.h: moves as people write them, in any of the notations: chooses between USI
 * (usimove.h), Japanese (notation_ja.h) and letters (notation_west.h).
 *
 * All read the position only; safe from any thread on its own position. */
#ifndef KMD_KIFU_NOTATION_H
#define KMD_KIFU_NOTATION_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "rules/types.h"

struct Position;

/* "usi", "japanese", ...: the name of a notation; NULL past the last. */
const char *notation_name(int notation);

/* Appends a legal move. */
void notation_append(const struct Position *pos, Move move, KmdNotation notation, StrBuf *out);

/* Reads a text that is one move, tolerantly: every Western notation accepts all of them, and so
 * does every Japanese one. The move is legal; MOVE_NONE otherwise, with *reason in plain English
 * (static storage). */
Move notation_read(const struct Position *pos, StrView text, KmdNotation notation,
                   const char **reason);

#endif
