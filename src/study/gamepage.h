/* gamepage.h: an analysed game as JSON, for programs, and as a page of HTML to study it with.
 *
 * The page is that of kifu/gameview.h: it needs no other file and no network. Plain functions for
 * one thread. */
#ifndef KMD_STUDY_GAMEPAGE_H
#define KMD_STUDY_GAMEPAGE_H

#include "study/analysis.h"

/* Appends a JSON object: players with a summary of their moves, and for each position its move,
 * SFEN, score, lines and what the move cost. */
void gamepage_write_json(const Analysis *analysis, StrBuf *out);

/* Appends the page. The record is the analysed one with its comments, which the page offers as
 * KIF. */
void gamepage_write_html(const Analysis *analysis, StrBuf *out);

#endif
