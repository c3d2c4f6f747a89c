/* words.h: the words that record formats share: names of pieces, digits, numbers and sides, with
 * functions to read them from the start of a text.
 *
 * The tables are constant and the functions are pure: safe from every thread. */
#ifndef KMD_RECORD_WORDS_H
#define KMD_RECORD_WORDS_H

#include "base/str.h"
#include "rules/types.h"

/* A piece's name in moves ("成銀", "龍"), and the single character for it in diagrams ("全"). */
const char *word_piece(PieceType type);
const char *word_board_piece(PieceType type);

/* The order in which pieces in hand are written. */
extern const PieceType word_hand_order[7];

/* Reads a piece's name from the start of *text: the names of word_piece and word_board_piece, and
 * alternatives found in files (王 竜 仝 今). Returns
 * NO_PIECE_TYPE and leaves *text unchanged if there is none. */
PieceType word_take_piece(StrView *text);

/* The digits 1 to 9 in kanji ("一" to "九") and full-width ("１" to "９"). */
const char *word_kanji_digit(int digit);
const char *word_wide_digit(int digit);

/* Reads a digit 1 to 9 in any of the three spellings (7 ７ 七); 0 if there is none. */
int word_take_digit(StrView *text);

/* Reads an integer 0 to high in ASCII digits. Returns -1 and leaves the text unchanged if there is
 * none. */
int word_take_number(StrView *text, int high);

/* Like word_take_number, but the digits may be full-width instead. */
int word_take_any_number(StrView *text, int high);

/* The longest time of one move: 99999:59, which every format can store. */
enum { WORD_MAX_TIME_S = 100000 * 60 - 1 };

/* Reads numbers separated by colons, such as 1:02:03 or 0:16, as seconds. Times that are too long
 * become WORD_MAX_TIME_S + 1. Returns false for anything else, such as a single number. */
bool word_take_clock(StrView *text, int64_t *seconds);

/* Reads an integer 0 to high in full-width digits. A space must follow the number,
 * because a move also starts with a full-width digit. Another full-width number must not follow, as
 * it does above a diagram. Returns -1 and leaves the text unchanged if there is none. */
int word_take_wide_number(StrView *text, int high);

/* Removes a word from the start of *text. Returns false if the text does not start with it. */
bool word_take(StrView *text, StrView word);

/* Remove spaces, tabs and ideographic spaces (U+3000) from the start, or from both ends. */
void word_skip_blanks(StrView *text);
StrView word_trim(StrView text);

/* Reads a count in kanji: 一 to 九十九; 0 if there is none. */
int word_take_count(StrView *text);

/* Appends 1 to 99 in kanji: "三", "十八". */
void word_append_count(int count, StrBuf *out);

/* Reads a side mark (▲ ☗ △ ☖ ▽ ▼); COLOR_NB if there is none. */
Color word_take_mark(StrView *text);

/* The side that wins according to the words for an ending, which name the winner or the side at
 * fault, as in "後手の時間切れ"; COLOR_NB if they name neither. */
Color word_winner(StrView text);

/* The side's mark ("▲" or "△"), and its name ("先手" or "後手"). */
const char *word_mark(Color color);
const char *word_side(Color color);

#endif
