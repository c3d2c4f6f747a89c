/* movetext.h: what the notations and formats ask about a move when they put it into words. */
#ifndef KMD_KIFU_MOVETEXT_H
#define KMD_KIFU_MOVETEXT_H

#include "base/str.h"
#include "rules/position.h"

/* The pieces of a kind of the side to move that attack a square, pinned ones included: the rules of
 * all notations compare with these. */
Bitboard movetext_candidates(const Position *pos, PieceType type, Square to);

/* True when a legal move promotes or could have promoted. */
bool movetext_has_choice(const Position *pos, Move move);

/* Appends a square as 7f, or as 76. */
void movetext_append_square(Square sq, bool has_letter, StrBuf *out);

#endif
