/* ending.h: how games end: the words of KIF, CSA, USI and PSN for each ending, and the closing
 * line of KIF and KI2.
 *
 * Constant tables and pure functions: safe from every thread. */
#ifndef KMD_KIFU_ENDING_H
#define KMD_KIFU_ENDING_H

#include "base/str.h"
#include "kifu/record.h"

/* How the formats name an ending; an empty word where a format has none. */
typedef struct EndingWords {
    const char *kif; /* on the line after the last move */
    const char *csa; /* without the %; for the illegal move of the other side see csa.c */
    const char *usi; /* last token of a line of moves */
    const char *psn; /* Shogidokoro's and PSN2's */
    char usen;       /* r t j p i */
} EndingWords;

const EndingWords *ending_words(KmdEnding ending);

/* By a word of KIF (alternatives included), CSA, USI or PSN; KMD_END_NONE when unknown. A win by
 * repetition (rep_win, RepetitionWin) is the other side's perpetual check, an illegal move. CSA's
 * illegal action has the offender's sign before it: `side` is to move. */
KmdEnding ending_read_kif(StrView word);
KmdEnding ending_read_csa(StrView word, Color side);
KmdEnding ending_read_usi(StrView word);
KmdEnding ending_read_psn(StrView word);

/* Reads a closing line "まで80手で後手の勝ち" as an ending after `moves` moves, with the side to
 * move given; KMD_END_NONE when it says nothing known. */
KmdEnding ending_read_closing(StrView line, Color to_move);

/* Appends the closing line of an ending without LF; nothing when it has none. */
void ending_append_closing(const Record *record, int ending_node, StrBuf *out);

#endif
