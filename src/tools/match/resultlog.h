/* resultlog.h: the file of results: one JSON object per line, first the tournament, then each game
 * as it ends.
 *
 * What has been written survives an interruption at any moment; when the file is continued, an
 * incomplete last line is dropped. docs/match.md lists the fields. One thread at a time. */
#ifndef KMD_MATCH_RESULTLOG_H
#define KMD_MATCH_RESULTLOG_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/match/contest.h"
#include "tools/match/standings.h"

/* Where the results go. */
typedef struct ResultPlan {
    const char *path; /* NULL: nowhere */
    bool resumes;     /* continue from the results in the file */
} ResultPlan;

/* Called for each game that is read from a file, after it has been added to the standings. */
typedef struct ResultWatch {
    void (*add)(void *context, const ScheduledGame *game, const GameResult *result);
    void *context;
} ResultWatch;

typedef struct ResultLog {
    FILE *stream; /* NULL: nothing is written */
    StrBuf lines; /* to be written with the next game */
} ResultLog;

/* Opens plan->path; does nothing if it is NULL. An existing file is refused, or with plan->resumes
 * read into *standings, passed to *watch (may be NULL) and continued. A new file stays empty until
 * the first game. Returns false with the reason in *error. */
bool resultlog_open(ResultLog *log, const ResultPlan *plan, const Contest *contest,
                    Standings *standings, const ResultWatch *watch, StrBuf *error) MUST_CHECK;

/* Notes a warning, which is written to the file with the next game. */
void resultlog_warn(ResultLog *log, StrView text);

/* Appends a game and flushes it. Returns false if that fails. */
bool resultlog_add(ResultLog *log, const Contest *contest, const ScheduledGame *game,
                   const GameResult *result) MUST_CHECK;

/* Merges files of results: takes the engines and the schedule of *contest from their first lines,
 * adds their games to *standings and passes them to *watch (may be NULL). A game in several files
 * counts once. Writes the merged results to `path` unless it is NULL. Returns false with the reason
 * in *error. */
bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     const ResultWatch *watch, StrBuf *error) MUST_CHECK;

/* Returns false if the last write failed. */
bool resultlog_close(ResultLog *log);

#endif
