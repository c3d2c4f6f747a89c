/* gameview.h: the web page for playing through a game, with board, lines, moves and graph.
 *
 * The page is gameview.html with its style and script, into which a game is inserted as a JSON
 * object. study/gamepage.h makes that object for analysed games, and the tournament page makes it
 * for games between engines. The page needs no other files and no network access. The functions
 * have no state. */
#ifndef KMD_WEB_GAMEVIEW_H
#define KMD_WEB_GAMEVIEW_H

#include "base/str.h"

/* Appends the page of one game. `json` is the game. Readers without JavaScript see `record`, a KIF
 * that the page also offers as a file, and `pictures`, which is HTML. */
void gameview_write(StrView json, StrView record, StrView pictures, StrBuf *out);

/* Appends the page without replacing its placeholders "@DATA@", "@RECORD@" and "@PICTURES@". The
 * script of another page replaces them. */
void gameview_append_template(StrBuf *out);

#endif
