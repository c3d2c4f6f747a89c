/* resultlog.h: the file of results. The file has one JSON object per line: first the tournament,
 * then each game when it has ended.
 *
 * What has been written survives an interruption at any moment; when the file is continued, an
 * incomplete last line is dropped. docs/match.md lists the fields. Only one thread at a time may
 * use a log. */
#ifndef KMD_MATCH_RESULTLOG_H
#define KMD_MATCH_RESULTLOG_H

#include <stdbool.h>

#include "base/journal.h"
#include "match/standings.h"

struct MatchPage;

/* Where the results go. */
typedef struct ResultLogOptions {
    const char *path; /* NULL: results are not written */
    bool resumes;     /* continue from the results in the file */
} ResultLogOptions;

typedef struct ResultLog {
    Journal journal; /* not open: nothing is written */
    StrBuf lines;    /* lines that will be written with the next game */
} ResultLog;

/* Opens options->path; does nothing if it is NULL. The games of an existing file are added to
 * *standings and to the page; a file of another tournament is rejected. A new file stays empty
 * until the first game ends. On failure returns false with the reason in *error. */
bool resultlog_open(ResultLog *log, const ResultLogOptions *options, Standings *standings,
                    struct MatchPage *page, StrBuf *error) MUST_CHECK;

/* Stores a warning, which will be written to the file with the next game. */
void resultlog_add_warning(ResultLog *log, StrView text);

/* Appends a game that has ended and flushes it. Returns false with errno set if that fails. */
bool resultlog_add_game(ResultLog *log, const Contest *contest, const ScheduledGame *game,
                        const GameResult *result) MUST_CHECK;

/* Merges the files of results of a tournament's parts: takes the engines and the schedule of
 * *contest from their first lines, and adds their games to *standings and to the page. A game that
 * is in several files counts once. Writes the lines of all files to `path` unless that is NULL. On
 * failure returns false with the reason in *error. */
bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     struct MatchPage *page, StrBuf *error) MUST_CHECK;

/* Closes the file. Returns false if the last write failed. */
bool resultlog_close(ResultLog *log);

#endif
