/* ending.h: how games end: looking up a format's word for an ending, the Japanese words, and the
 * closing line of KIF and KI2. Each format lists its own words in its own file.
 *
 * Constant tables and pure functions: safe from every thread. */
#ifndef KMD_KIFU_ENDING_H
#define KMD_KIFU_ENDING_H

#include "base/str.h"
#include "kifu/record.h"

/* A word of a format for an ending. A list of them ends with a row without a word. Of several rows
 * with one ending the first is written, of several with one word the first is what it means. */
typedef struct EndingWord {
    const char *word;
    KmdEnding ending;
} EndingWord;

/* The word for an ending, empty where the list has none; and the ending of a word, KMD_END_NONE
 * where it is unknown. */
const char *ending_word(const EndingWord *words, KmdEnding ending);
KmdEnding ending_read(const EndingWord *words, StrView word);
KmdEnding ending_read_nocase(const EndingWord *words, StrView word);

/* The words of KIF, with alternatives; and what people are shown: empty for KMD_END_NONE and
 * KMD_END_OTHER. */
extern const EndingWord ending_japanese[];
const char *ending_name(KmdEnding ending);

/* Reads a closing line "まで80手で後手の勝ち" as an ending after `moves` moves, with the side to
 * move given; KMD_END_NONE when it says nothing known. */
KmdEnding ending_read_closing(StrView line, Color to_move);

/* Appends the closing line of an ending without LF; nothing when it has none. */
void ending_append_closing(const Record *record, int ending_node, StrBuf *out);

#endif
