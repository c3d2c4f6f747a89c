/* gameindex.h: index.html of a folder with pages of analysed games: players, date, result, accuracy
 * and a small graph of each game.
 *
 * The page is src/study/gameindex.html, filled in with a line of JSON for each game. An existing
 * index is read first, so that games analysed at different times are in one index. One thread. */
#ifndef KMD_STUDY_GAMEINDEX_H
#define KMD_STUDY_GAMEINDEX_H

#include "study/analysis.h"

#define GAMEINDEX_NAME "index.html"

/* Appends the line of a game; `page` is the file name of its page. */
void gameindex_add(const Analysis *analysis, StrView page, StrBuf *lines);

/* Checks whether an index may be written there: nothing exists there, or an index of ours. Returns
 * 0 or an errno value; EEXIST for a page from elsewhere. */
int gameindex_check(const char *path) MUST_CHECK;

/* Writes the index: first the games of an existing index, unless they are analysed again or their
 * pages are gone, then the games of `lines`. `path` is the path of the index in `folder`. Returns 0
 * or an errno value. */
int gameindex_write(const char *folder, const char *path, const StrBuf *lines) MUST_CHECK;

#endif
