/* gameindex.h: index.html of a folder with pages of analysed games: who played, when, how it ended,
 * how accurate both were, and the course of each game as a small graph.
 *
 * The page is src/cmd/gameindex.html, filled in with a line of JSON for each game. An index that is
 * there is read again, so that games analysed at different times come together. One thread. */
#ifndef KMD_CMD_GAMEINDEX_H
#define KMD_CMD_GAMEINDEX_H

#include "cmd/analysis.h"

#define GAMEINDEX_NAME "index.html"

/* Appends the line of a game; `page` is the file name of its page. */
void gameindex_add(const Analysis *analysis, StrView page, StrBuf *lines);

/* Whether an index may be written there: none stands there, or one of ours. 0 or an errno value,
 * EEXIST for a page of somebody else's. */
int gameindex_check(const char *path) MUST_CHECK;

/* Writes the index: the games of `lines`, and before them those of an index that is there, unless
 * they are analysed anew or their pages have gone. `path` is that of the index, in `folder`. 0 or
 * an errno value. */
int gameindex_write(const char *folder, const char *path, const StrBuf *lines) MUST_CHECK;

#endif
