/* gamepage.h: an analysed game in a few lines of text, as JSON for programs, and as an HTML page
 * for studying it; and the index of a folder of such pages.
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

/* Appends a row for the index: a link to the page, which is in the same folder, the players, the
 * result, and the accuracy and mistakes of both sides. */
void gamepage_add_row(const Analysis *analysis, StrView page, StrBuf *rows);

/* Appends the index: a plain table of the rows. */
void gamepage_write_index(const StrBuf *rows, StrBuf *out);

/* True if the text is such an index. */
bool gamepage_is_index(StrView text);

#endif
