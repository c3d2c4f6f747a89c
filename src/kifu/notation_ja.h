/* notation_ja.h: moves in Japanese, as books and KI2 files write them: ７六歩, 同銀右, ５八金左上.
 *
 * Which of several pieces moves is said by the rules of the Japan Shogi Association
 * ("棋譜の表記方法"): the other own pieces of the same kind that attack the square count, whether
 * pinned or not. Reads the position only; safe from any thread on its own position. */
#ifndef KMD_KIFU_NOTATION_JA_H
#define KMD_KIFU_NOTATION_JA_H

#include "base/str.h"
#include "rules/position.h"

enum {
    JA_PLAIN = 0,
    JA_WIDE_SAME = 1, /* an ideographic blank behind 同, as KIF and KI2 have it */
    JA_ZODIAC = 2, /* the yorozuya style: files named 子 to 申, ナル for 成, 不成 left out */
    JA_IROHA = 4   /* ranks named い to り, the first nine letters of the old alphabet */
};

/* Appends a legal move. last_to is where the move before went, or SQ_NONE. */
void ja_append(const Position *pos, Move move, Square last_to, int style, StrBuf *out);

/* The words of a move as JKF has them: L, C or R and U, M or D, or H for a drop; empty when none
 * are needed. Writes a NUL and returns out. */
const char *ja_relative(const Position *pos, Move move, char out[4]);

/* Takes a move off the front of *text (no side mark): any spelling of the digits, 同 or 仝 with or
 * without a blank, 上 行 入, 引 下, 龍 竜, 不成 生, an origin in parentheses, short forms of
 * handwriting, files by the zodiac, ranks by い to り. A drop needs no 打 when no piece on the
 * board fits. The move is legal; MOVE_NONE otherwise, with *text as it was and *reason in plain
 * English (static storage).
 */
Move ja_take(const Position *pos, Square last_to, StrView *text, const char **reason);

/* As ja_take, for a text that is one move and nothing else. */
Move ja_read(const Position *pos, Square last_to, StrView text, const char **reason);

#endif
