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

/* Whether an index may be written there: none stands there, or one of ours. 0 or an errno value,
 * EEXIST for a page of another origin. */
int gameindex_check(const char *path) MUST_CHECK;

/* Writes the index: the games of `lines`, and before them those of an index that is there, unless
 * they are analysed again or their pages have gone. `path` is that of the index, in `folder`. 0 or
 * an errno value. */
int gameindex_write(const char *folder, const char *path, const StrBuf *lines) MUST_CHECK;

#endif
