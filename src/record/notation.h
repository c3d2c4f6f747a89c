/* notation.h: moves as text: in USI (7g7f), in Japanese (７六歩, 同銀右) and in Western letters
 * (P-7f).
 *
 * Japanese moves are disambiguated by the rules of the Japan Shogi Association ("棋譜の表記方法"):
 * all other own pieces of the same type that attack the square count, pinned or not. Only reads the
 * position and, for 同, the last move in its history; safe from any thread on its own position. */
#ifndef KMD_RECORD_NOTATION_H
#define KMD_RECORD_NOTATION_H

#include "base/str.h"
#include "record/record.h"
#include "rules/types.h"

struct Position;

/* The name of a notation, such as "usi" or "japanese"; NULL after the last. */
const char *notation_name(int notation);

/* Appends a legal move in this notation. */
void notation_append(const struct Position *pos, Move move, KmdNotation notation, StrBuf *out);

/* Reads a text that is one move. Returns a legal move, or MOVE_NONE with *reason in plain English
 * (static storage). */
Move notation_read(const struct Position *pos, StrView text, KmdNotation notation,
                   const char **reason);

enum {
    JA_PLAIN = 0,
    JA_WIDE_SAME = 1, /* an ideographic space after 同, as in KIF and KI2 */
    JA_SQUARE = 2     /* the square instead of 同, for readers that do not know the last move */
};

/* Appends a legal move in Japanese. `style` is a set of JA_ flags. */
void notation_append_ja(const struct Position *pos, Move move, int style, StrBuf *out);

/* Reads a move in Japanese, without a side mark, from the start of *text. Accepts any spelling of
 * the digits, 同 or 仝 with or without a space, 上 行 入, 引 下, 龍 竜, 不成 生, and an origin in
 * parentheses. A drop needs no 打 if no piece on the board could make the move. If there is no
 * legal move, returns MOVE_NONE with *text unchanged and the reason in *reason. */
Move notation_take_ja(const struct Position *pos, StrView *text, const char **reason);

/* Reads a move that need not be legal. Returns false, with *text unchanged, if the text does not
 * name an origin or 打 and the piece that moves is not clear. */
bool notation_take_illegal_ja(const struct Position *pos, StrView *text, IllegalMove *illegal);

/* Appends a move that need not be legal as KIF does, with its origin or 打, and 同 if it goes to
 * last_to. */
void notation_append_origin_ja(IllegalMove move, Square last_to, StrBuf *out);

/* Writes JKF's disambiguating letters and a NUL to out, and returns out. The letters are L, C or R,
 * then U, M or D; or H for a drop. The result is empty if no letters are needed. */
const char *notation_relative(const struct Position *pos, Move move, char out[4]);

/* Appends a legal move in Western letters (Hodges 1976): P-7f, Bx2b+, S*5b, G6i-5h. */
void notation_append_west(const struct Position *pos, Move move, StrBuf *out);

/* True if a legal move promotes or could have promoted. */
bool notation_may_promote(const struct Position *pos, Move move);

/* The destination of the last move; SQ_NONE at the start. */
Square notation_last_to(const struct Position *pos);

/* Appends a square as 76. */
void notation_append_square(Square sq, StrBuf *out);

#endif
