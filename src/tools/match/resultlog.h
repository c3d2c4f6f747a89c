/* resultlog.h: the file of results: one JSON object a line, first the tournament, then each game as
 * it ends. What has been written survives an interruption at any moment; a torn last line is
 * dropped when the file is taken up again. docs/match.md lists the fields. One thread at a time. */
#ifndef KMD_MATCH_RESULTLOG_H
#define KMD_MATCH_RESULTLOG_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/match/contest.h"
#include "tools/match/standings.h"

/* Where the results go. */
typedef struct ResultPlan {
    const char *path; /* NULL: nowhere */
    bool resumes;     /* continue from what the file holds */
} ResultPlan;

/* Is told of each game that is taken over from a file, once the standings have it. */
typedef struct ResultWatch {
    void (*add)(void *context, const ScheduledGame *game, const GameResult *result);
    void *context;
} ResultWatch;

typedef struct ResultLog {
    FILE *stream; /* NULL: nothing is written */
    StrBuf lines; /* to be written with the next game */
} ResultLog;

/* Opens plan->path; nothing happens when it is NULL. A file that is there already is refused, or
 * with plan->resumes read into *standings, told to *watch (NULL: nobody) and continued. A new one
 * stays empty until the first game. False with the reason in *error. */
bool resultlog_open(ResultLog *log, const ResultPlan *plan, const Contest *contest,
                    Standings *standings, const ResultWatch *watch, StrBuf *error) MUST_CHECK;

/* Notes a warning, which goes into the file with the next game. */
void resultlog_warn(ResultLog *log, StrView text);

/* Appends a game and flushes it. False when the file cannot be written. */
bool resultlog_add(ResultLog *log, const Contest *contest, const ScheduledGame *game,
                   const GameResult *result) MUST_CHECK;

/* Puts files of results together: makes the engines and the schedule of *contest from their first
 * lines, counts their games in *standings and tells *watch (NULL: nobody) of them; a game that
 * stands in several files counts once. What they hold is written to `path`, unless it is NULL.
 * False with the reason in *error. */
bool resultlog_merge(const Args *files, const char *path, Contest *contest, Standings *standings,
                     const ResultWatch *watch, StrBuf *error) MUST_CHECK;

/* False when the last of it could not be written. */
bool resultlog_close(ResultLog *log);

#endif
