/* page.h: writes the web pages: of a game, and of a tournament.
 *
 * Both pages are one template (page.html) with one style (style.css) and one script (words.js,
 * kit.js, board.js, game.js, match.js), and differ in their data, a JSON value that the caller
 * makes. A page is a single file that needs no network. The function has no state. */
#ifndef KMD_WEB_PAGE_H
#define KMD_WEB_PAGE_H

#include "base/str.h"

typedef enum PageKind {
    PAGE_GAME, /* data: what commands/gamepage.h writes */
    PAGE_MATCH /* data: what match/matchpage.h writes */
} PageKind;

/* Appends a page. Readers without JavaScript see `plain`, which is plain text; the page of a game
 * also offers it as a file. */
void page_write(PageKind kind, StrView json, StrView plain, StrBuf *out);

#endif
