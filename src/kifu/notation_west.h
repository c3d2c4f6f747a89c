/* notation_west.h: moves in letters: Hodges (P-7f), Hosking (P76), its hyphenated form as lishogi
 * has it (P-76), 81Dojo's letters (T, H, D for promoted pieces) and Kitao and Kawasaki's kanji
 * (歩-76).
 *
 * Sources: G. Hodges, Shogi magazine (1976); T. Hosking, The Art of Shogi (1997); M. Kitao and
 * T. Kawasaki, Joseki at a Glance (2011). Reads the position only; safe from any thread on its own
 * position. */
#ifndef KMD_KIFU_NOTATION_WEST_H
#define KMD_KIFU_NOTATION_WEST_H

#include "base/str.h"
#include "rules/position.h"

typedef enum WestStyle {
    WEST_HODGES,  /* P-7f  Bx2b+  S*5b  G6i-5h  N-4c= */
    WEST_NUMERIC, /* P-76  Bx22+  S*52  G69-58  N-43= */
    WEST_HOSKING, /* P76   Bx22+  S*52  G69-58  N43= */
    WEST_DOJO,    /* as Hodges, with T H D for +P +B +R */
    WEST_KITAO,   /* 歩-76 角x22+ 銀*52 金(69)-58 桂-43= 歩x (same square) */
    WEST_STYLE_NB
} WestStyle;

/* Appends a legal move. last_to is where the move before went, or SQ_NONE. */
void west_append(const Position *pos, Move move, Square last_to, WestStyle style, StrBuf *out);

/* Reads a text that is one move in any of the styles, tolerantly: both kinds of square, a hyphen or
 * none, "'" for "*", an origin where none is needed. A pawn move may leave out its letter. The move
 * is legal; MOVE_NONE otherwise, with *reason in plain English (static storage). */
Move west_read(const Position *pos, Square last_to, StrView text, const char **reason);

#endif
