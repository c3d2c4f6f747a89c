/* notation.h: moves as people write them: in Japanese (７六歩, 同銀右) and in letters (P-7f, P76).
 *
 * Which of several pieces moves is said in Japanese by the rules of the Japan Shogi Association
 * ("棋譜の表記方法"): the other own pieces of the same kind that attack the square count, whether
 * pinned or not. Letters: G. Hodges, Shogi magazine (1976); T. Hosking, The Art of Shogi (1997);
 * 81Dojo; M. Kitao and T. Kawasaki, Joseki at a Glance (2011). All read the position only, the move
 * before from its history for "the same square"; safe from any thread on its own position. */
#ifndef KMD_KIFU_NOTATION_H
#define KMD_KIFU_NOTATION_H

#include "base/str.h"
#include "komadori/kifu.h"
#include "rules/position.h"

/* "usi", "japanese", ...: the name of a notation; NULL past the last. */
const char *notation_name(int notation);

/* The square the move before went to; SQ_NONE at the start. */
Square notation_last_to(const Position *pos);

/* Appends a legal move. */
void notation_append(const Position *pos, Move move, KmdNotation notation, StrBuf *out);

/* Reads a text that is one move, tolerantly: any of the letters' notations for each of them, and
 * any of the Japanese ones for each of those. The move is legal; MOVE_NONE otherwise, with *reason
 * in plain English (static storage). */
Move notation_read(const Position *pos, StrView text, KmdNotation notation, const char **reason);

/* ---- parts, for the formats ------------------------------------------------------------------ */

enum {
    JA_PLAIN = 0,
    JA_WIDE_SAME = 1, /* an ideographic blank behind 同, as KIF and KI2 have it */
    JA_ZODIAC = 2, /* the yorozuya style: files named 子 to 申, ナル for 成, 不成 left out */
    JA_IROHA = 4,  /* ranks named い to り, the first nine letters of the old alphabet */
    JA_SQUARE = 8  /* the square in place of 同: for a reader that does not know the move before */
};

void notation_append_ja(const Position *pos, Move move, int style, StrBuf *out);
void notation_append_west(const Position *pos, Move move, KmdNotation style, StrBuf *out);

/* Takes a move in Japanese off the front of *text (no side mark): any spelling of the digits, 同 or
 * 仝 with or without a blank, 上 行 入, 引 下, 龍 竜, 不成 生, an origin in parentheses, short
 * forms of handwriting, files by the zodiac, ranks by い to り. A drop needs no 打 when no piece on
 * the board fits. MOVE_NONE, with *text as it was and *reason filled, when it is no legal move. */
Move notation_take_ja(const Position *pos, StrView *text, const char **reason);

/* As notation_read for letters: both kinds of square, a hyphen or none, "'" for "*", an origin
 * where none is needed. A pawn move may leave out its letter. */
Move notation_read_west(const Position *pos, StrView text, const char **reason);

/* The words of a move as JKF has them: L, C or R and U, M or D, or H for a drop; empty when none
 * are needed. Writes a NUL and returns out. */
const char *notation_relative(const Position *pos, Move move, char out[4]);

/* The pieces of a kind of the side to move that attack a square, pinned ones included: the rules of
 * all notations compare with these. */
Bitboard notation_candidates(const Position *pos, PieceType type, Square to);

/* True when a legal move promotes or could have promoted. */
bool notation_has_choice(const Position *pos, Move move);

/* Appends a square as 7f, or as 76. */
void notation_append_square(Square sq, bool has_letter, StrBuf *out);

#endif
