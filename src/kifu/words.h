/* words.h: the words that formats of records share: names of pieces, digits, numbers, sides, and
 * reading them from the front of a text.
 *
 * Constant tables and pure functions; safe from every thread. */
#ifndef KMD_KIFU_WORDS_H
#define KMD_KIFU_WORDS_H

#include "base/str.h"
#include "rules/types.h"

/* As in move text ("成銀", "龍"), and the one character of board diagrams ("全"). */
const char *word_piece(PieceType type);
const char *word_board_piece(PieceType type);

/* The order in which hands are written. */
extern const PieceType word_hand_order[7];

/* Takes a piece's name off the front of *text: the names above and the alternatives met in files
 * and handwriting (王 竜 全 圭 今 杏 仝 兵 and others). NO_PIECE_TYPE, with *text left alone,
 * when there is none. */
PieceType word_take_piece(StrView *text);

/* "一" to "九" and "１" to "９" for 1 to 9. */
const char *word_kanji_digit(int digit);
const char *word_wide_digit(int digit);

/* Takes a digit 1 to 9 in any of the three spellings (7 ７ 七); 0 when there is none. */
int word_take_digit(StrView *text);

/* Takes a whole number 0 to high in ASCII digits; -1, with the text as it was, when there is none.
 */
int word_take_number(StrView *text, int high);

/* Takes numbers separated by colons, 1:02:03 or 0:16, as seconds: RECORD_MAX_TIME_S + 1 for all
 * longer times. False for anything else, such as one number alone. */
bool word_take_clock(StrView *text, int64_t *seconds);

/* Takes a whole number 0 to RECORD_MAX_NODES in full-width digits if a blank follows, since a move
 * begins with such a digit too, and not another such number, as above a diagram. -1, with the text
 * as it was, when there is none. */
int word_take_wide_number(StrView *text);

/* Takes a word off the front of *text if it stands there. */
bool word_take(StrView *text, StrView word);

/* Takes blanks, tabs and ideographic blanks (U+3000) off the front, or off both ends. */
void word_skip_blanks(StrView *text);
StrView word_trim(StrView text);

/* Takes a count in kanji: 一 to 九十九; 0 when there is none. */
int word_take_count(StrView *text);

/* Appends 1 to 99 in kanji: "三", "十八". */
void word_append_count(int count, StrBuf *out);

/* Takes a side mark (▲ ☗ △ ☖ ▽ ▼); COLOR_NB when there is none. */
Color word_take_mark(StrView *text);

/* "▲" or "△", "先手" or "後手". */
const char *word_mark(Color color);
const char *word_side(Color color);

#endif
