/* pieces.h: names of pieces and numbers for boards on screens and in pictures. */
#ifndef KMD_KIFU_PIECES_H
#define KMD_KIFU_PIECES_H

#include "komadori/kifu.h"

/* One kanji ("歩", "全"), or letters as in SFEN ("p", "+S"; white's in lower case). */
const char *pieces_kanji(KmdPieceType type);
const char *pieces_letters(KmdPieceType type, KmdColor color);

/* "一" to "九" for 1 to 9. */
const char *pieces_kanji_digit(int digit);

/* The types a hand may hold in the order to show them: rook first. */
enum { PIECES_HAND_TYPES = 7 };
extern const KmdPieceType pieces_hand_order[PIECES_HAND_TYPES];

#endif
