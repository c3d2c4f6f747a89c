/* movetext.h: position queries shared by all notations, and squares in digits and letters. Reads
 * the position only; safe from any thread on its own position. */
#ifndef KMD_RECORD_MOVETEXT_H
#define KMD_RECORD_MOVETEXT_H

#include "base/str.h"
#include "rules/bitboard.h"
#include "rules/types.h"

struct Position;

/* The destination of the last move; SQ_NONE at the start. */
Square movetext_last_to(const struct Position *pos);

/* The side to move's pieces of this type that attack a square, including pinned ones. All notations
 * disambiguate among these pieces. */
Bitboard movetext_candidates(const struct Position *pos, PieceType type, Square to);

/* True if a legal move promotes or could have promoted. */
bool movetext_has_choice(const struct Position *pos, Move move);

/* Appends a square as 7f or as 76. */
void movetext_append_square(Square sq, bool has_letter, StrBuf *out);

#endif
