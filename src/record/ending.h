/* ending.h: the endings of games: the Japanese words, the closing line of KIF and KI2, and look-up
 * in a format's list of words. Each format's own file contains its list.
 *
 * The tables are constant and the functions are pure: safe from every thread. */
#ifndef KMD_RECORD_ENDING_H
#define KMD_RECORD_ENDING_H

#include "base/str.h"
#include "record/record.h"

/* A format's word for an ending. A list ends with a row without a word. If several rows have the
 * same ending, the word of the first is written. If several rows have the same word, the first
 * gives its meaning. */
typedef struct EndingWord {
    const char *word;
    KmdEnding ending;
} EndingWord;

/* ending_word returns the word for an ending, or "" if the list has none. ending_read returns
 * the ending for a word, or KMD_END_NONE if it is unknown. */
const char *ending_word(const EndingWord *words, KmdEnding ending);
KmdEnding ending_read(const EndingWord *words, StrView word);

/* KIF's words with their alternatives, and a function that returns the word to show to users; that
 * word is empty for KMD_END_NONE and KMD_END_OTHER. */
extern const EndingWord ending_japanese[];
const char *ending_name(KmdEnding ending);

/* Reads a closing line such as "まで80手で後手の勝ち" as an ending, given the side to move;
 * KMD_END_NONE if it is not understood, or names a winner for which there is no such ending, as
 * 先手の勝ち with 先手 to move. */
KmdEnding ending_read_closing(StrView line, Color to_move);

/* Appends the closing line for an ending, without LF. `before` is the number of moves before the
 * first one, and `words` those for KMD_END_OTHER. */
void ending_append_closing(const Record *record, int ending_node, int before, StrView words,
                           StrBuf *out);

#endif
