/* notation_ja.h: moves in Japanese: ７六歩, 同銀右.
 *
 * Which of several pieces moves is said by the rules of the Japan Shogi Association
 * ("棋譜の表記方法"): the other own pieces of the same kind that attack the square count, whether
 * pinned or not. Reads the position only, the move before from its history for "the same square";
 * safe from any thread on its own position. */
#ifndef KMD_KIFU_NOTATION_JA_H
#define KMD_KIFU_NOTATION_JA_H

#include "base/str.h"
#include "rules/types.h"

struct Position;

enum {
    JA_PLAIN = 0,
    JA_WIDE_SAME = 1, /* an ideographic blank after 同, as KIF and KI2 have it */
    JA_ZODIAC = 2, /* the yorozuya style: files named 子 to 申, ナル for 成, 不成 left out */
    JA_IROHA = 4,  /* ranks named い to り, the first nine letters of the old alphabet */
    JA_SQUARE = 8  /* the square instead of 同: for a reader that does not know the move before */
};

/* Appends a legal move; `style` is a set of the above. */
void notation_append_ja(const struct Position *pos, Move move, int style, StrBuf *out);

/* Takes a move in Japanese off the front of *text (no side mark): any spelling of the digits, 同 or
 * 仝 with or without a blank, 上 行 入, 引 下, 龍 竜, 不成 生, an origin in parentheses, short
 * forms of handwriting, files by the zodiac, ranks by い to り. A drop needs no 打 when no piece on
 * the board fits. MOVE_NONE, with *text as it was and *reason filled, when it is no legal move. */
Move notation_take_ja(const struct Position *pos, StrView *text, const char **reason);

/* The words of a move as JKF has them: L, C or R and U, M or D, or H for a drop; empty when none
 * are needed. Writes a NUL and returns out. */
const char *notation_relative(const struct Position *pos, Move move, char out[4]);

#endif
