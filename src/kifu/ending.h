/* ending.h: the endings of games: looking up a format's words for them, the Japanese words, and the
 * closing line of KIF and KI2. Each format lists its own words in its own file.
 *
 * Constant tables and pure functions: safe from every thread. */
#ifndef KMD_KIFU_ENDING_H
#define KMD_KIFU_ENDING_H

#include "base/str.h"
#include "kifu/record.h"

/* A format's word for an ending. A list ends with a row without a word. If several rows have the
 * same ending, the first one is written; if several have the same word, the first one gives its
 * meaning. */
typedef struct EndingWord {
    const char *word;
    KmdEnding ending;
} EndingWord;

/* The word for an ending, or "" if the list has none; and the ending for a word, or KMD_END_NONE if
 * unknown. */
const char *ending_word(const EndingWord *words, KmdEnding ending);
KmdEnding ending_read(const EndingWord *words, StrView word);
KmdEnding ending_read_nocase(const EndingWord *words, StrView word);

/* The words of KIF and their alternatives; and the word shown to users, which is empty for
 * KMD_END_NONE and KMD_END_OTHER. */
extern const EndingWord ending_japanese[];
const char *ending_name(KmdEnding ending);

/* Reads a closing line such as "まで80手で後手の勝ち" as an ending, given the side to move;
 * KMD_END_NONE if it is not understood. */
KmdEnding ending_read_closing(StrView line, Color to_move);

/* Appends the closing line for an ending, without LF; nothing if it has none. */
void ending_append_closing(const Record *record, int ending_node, StrBuf *out);

#endif
