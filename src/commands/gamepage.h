/* gamepage.h: an analysed game in a few lines of text, as JSON for programs, and as an HTML page
 * for studying it.
 *
 * The page is that of web/page.h. Call the functions from one thread. */
#ifndef KMD_COMMANDS_GAMEPAGE_H
#define KMD_COMMANDS_GAMEPAGE_H

#include "commands/analysis.h"

/* Appends a line with the mistakes and the accuracy of each side that gets comments. */
void gamepage_write_text(const Analysis *analysis, StrBuf *out);

/* Appends a JSON object: the players with a summary of their moves, and for each position its move,
 * SFEN, score, lines and the loss of the move. */
void gamepage_write_json(const Analysis *analysis, StrBuf *out);

/* Appends the page. The page offers the analysed record with its comments as a KIF file. */
void gamepage_write_html(const Analysis *analysis, StrBuf *out);

#endif
