/* gameview.h: the page on which a game is played through: board, lines, moves and graph.
 *
 * It is gameview.html with its style and script, filled in with a game as a JSON object: for games
 * that were analysed that of study/gamepage.h, for games between engines one that the page of their
 * tournament makes. It needs no other file and no network. Pure functions. */
#ifndef KMD_KIFU_GAMEVIEW_H
#define KMD_KIFU_GAMEVIEW_H

#include "base/str.h"

/* Appends the page of one game. record (a KIF, which the page offers as a file) and pictures
 * (pieces of HTML) are what a reader without JavaScript sees; json is the game. */
void gameview_write(StrView json, StrView record, StrView pictures, StrBuf *out);

/* Appends the page with the places "@DATA@", "@RECORD@" and "@PICTURES@" still to be filled, for
 * another page that does so in its script. */
void gameview_append_template(StrBuf *out);

#endif
