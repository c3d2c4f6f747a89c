/* gameindex.h: writes index.html for a folder with pages of analysed games. The index shows the
 * players, date, result, accuracy and a small graph of each game.
 *
 * The page is that of web/page.h with a line of JSON for each game. An existing index is read
 * first, so that games analysed at different times are in one index. Use it from one thread. */
#ifndef KMD_COMMANDS_GAMEINDEX_H
#define KMD_COMMANDS_GAMEINDEX_H

#include "base/cmdline.h"
#include "commands/analysis.h"

#define GAMEINDEX_NAME "index.html"

/* Appends the line of a game; `page` is the file name of its page. */
void gameindex_add(const Analysis *analysis, StrView page, StrBuf *lines);

/* Checks whether an index may be written at `path`: either no file exists there, or an index that
 * this module wrote. Returns 0 or an errno value; EEXIST if the file is some other page. */
int gameindex_check(const char *path) MUST_CHECK;

/* Writes the index of the folder: the games of `lines` and those of an existing index whose pages
 * are still there, sorted by the names of the pages. Appends the path of the index. Several shards
 * may run at the same time: each leaves the list of its games in the folder and writes an index
 * with the games of all lists, so the last one that ends writes the whole index. Returns 0 or an
 * errno value. */
int gameindex_write(const char *folder, const ArgPart *shard, const StrBuf *lines,
                    StrBuf *path) MUST_CHECK;

#endif
