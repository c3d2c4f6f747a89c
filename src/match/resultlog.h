/* resultlog.h: the file of results. The file has one JSON object per line: first the tournament,
 * then each game when it has ended.
 *
 * What has been written survives an interruption at any moment; when the file is continued, an
 * incomplete last line is dropped. docs/match.md lists the fields. Only one thread at a time may
 * use a log. */
#ifndef KMD_MATCH_RESULTLOG_H
#define KMD_MATCH_RESULTLOG_H

#include <stdbool.h>
#include <stdio.h>

#include "match/contest.h"

/* Where the results go. */
typedef struct ResultLogOptions {
    const char *path; /* NULL: results are not written */
    bool resumes;     /* continue from the results in the file */
} ResultLogOptions;

typedef struct ResultLog {
    FILE *stream; /* NULL: nothing is written */
    StrBuf lines; /* lines that will be written with the next game */
} ResultLog;

/* Opens plan->path; does nothing if it is NULL. If plan->resumes is set, reads an existing file
 * into *standings, sends each of its games to `listener` and continues the file; otherwise
 * rejects an existing file. A new file stays empty until the first game ends. On failure returns
 * false with the reason in *error. */
bool resultlog_open(ResultLog *log, const ResultLogOptions *options, const Contest *contest,
                    Standings *standings, const MatchListener *listener, StrBuf *error) MUST_CHECK;

/* Stores a warning, which will be written to the file with the next game. */
void resultlog_warn(ResultLog *log, StrView text);

/* The function of a MatchListener; its `self` is a ResultLog. Appends each game that ends and
 * flushes it. */
bool resultlog_hear(void *log, const MatchEvent *event) MUST_CHECK;

/* Merges files of results: takes the engines and the schedule of *contest from their first lines,
 * adds their games to *standings and sends them to `listener`. A game that is in several files
 * counts once. Writes the merged results to `path` unless that is NULL. On failure returns false
 * with the reason in *error. */
bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     const MatchListener *listener, StrBuf *error) MUST_CHECK;

/* Closes the file. Returns false if the last write failed. */
bool resultlog_close(ResultLog *log);

#endif
