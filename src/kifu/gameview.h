/* gameview.h: the web page for playing through a game, with board, lines, moves and graph.
 *
 * The page is gameview.html with its style and script, filled with a game as a JSON object.
 * study/gamepage.h makes that object for analysed games, the tournament page for games between
 * engines. The page needs no other files and no network. Pure functions. */
#ifndef KMD_KIFU_GAMEVIEW_H
#define KMD_KIFU_GAMEVIEW_H

#include "base/str.h"

/* Appends the page of one game. json is the game. record (a KIF, which the page offers as a file)
 * and pictures (pieces of HTML) are what a reader without JavaScript sees. */
void gameview_write(StrView json, StrView record, StrView pictures, StrBuf *out);

/* Appends the page with "@DATA@", "@RECORD@" and "@PICTURES@" unfilled, for another page whose
 * script fills them. */
void gameview_append_template(StrBuf *out);

#endif
