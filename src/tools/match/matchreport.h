/* matchreport.h: what a tournament shows and leaves: progress while games run, the tables at the
 * end, a file for each game, the file of results. One thread at a time. */
#ifndef KMD_MATCH_MATCHREPORT_H
#define KMD_MATCH_MATCHREPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/progress.h"
#include "tools/match/matchpage.h"
#include "tools/match/settings.h"

typedef struct MatchReport {
    FILE *stream;
    Progress progress;
} MatchReport;

/* stream is NULL or a terminal, which gets one line of progress that is rewritten, or takes a line
 * now and then. */
void matchreport_init(MatchReport *report, FILE *stream);

/* When the players of a game are ready: a line, unless settings->is_quiet. */
void matchreport_start(MatchReport *report, const MatchSettings *settings,
                       const Standings *standings, const ScheduledGame *game);

/* After a game: a line, also when quiet about a fault, and progress when it is due. */
void matchreport_game(MatchReport *report, const MatchSettings *settings,
                      const Standings *standings, const ScheduledGame *game,
                      const GameResult *result);

/* Everything that is known at the end. */
void matchreport_final(MatchReport *report, const MatchSettings *settings,
                       const Standings *standings);

/* What the user must not miss, on standard error. */
void matchreport_warning(MatchReport *report, StrView text);

/* Why the whole cannot begin or go on, on standard error. */
void matchreport_failure(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* Any other line; ends a live line first. */
void matchreport_line(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- The folder of records (gamerecord.c). --------------------------------------------------- */

/* Looks, before the first game, whether the files of games 1..total can be written to
 * settings->records_dir without replacing others, which only settings->resumes allows. True when
 * records_dir is NULL. False with the reason, which names the place, in *error. */
bool gamerecord_check(const MatchSettings *settings, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and what the players told
 * of them, the ending and, for faults and adjudications, a comment. pos stands at its end. False,
 * with the reason in errno, when it cannot be written. One thread at a time. */
bool gamerecord_save(const MatchSettings *settings, const ScheduledGame *game, const Position *pos,
                     const GameResult *result) MUST_CHECK;

/* ---- Files that grow (matchlog.c). ----------------------------------------------------------- */

/* Opens a file to write at its end; what is done stays when a match is cut off. NULL on failure,
 * with the reason appended to *error: also where it holds something already, unless `may_go_on`;
 * `advice` is then part of the reason. */
FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error);

/* True where nothing is in the file yet, and for what has no end to look at: pipes and devices. */
bool newfile_is_empty(FILE *stream);

/* Writes text and flushes; false when it cannot be written. */
bool newfile_add(FILE *stream, StrView text);

/* Reads a file that grew, and takes off it what stands behind its last line end. False with the
 * reason appended to *error. */
bool newfile_read(const char *path, StrBuf *text, StrBuf *error);

/* ---- The file of results (resultlog.c). ------------------------------------------------------ */

/* One JSON object a line: first the tournament, then each game as it ends. What has been written
 * survives an interruption at any moment; a torn last line is dropped when the file is taken up
 * again. docs/match.md lists the fields. */

typedef struct ResultLog {
    FILE *stream; /* NULL: nothing is written */
    StrBuf lines; /* that are to be written with the next game */
} ResultLog;

/* Opens settings->results_path (nothing happens when it is NULL). A file that is there already is
 * refused, or with settings->resumes read into *standings and *page, which may be NULL, and
 * continued. A new one stays empty until the first game. False with the reason in *error. */
bool resultlog_open(ResultLog *log, const MatchSettings *settings, Standings *standings,
                    MatchPage *page, StrBuf *error) MUST_CHECK;

/* Notes a warning, which goes into the file with the next game. */
void resultlog_warn(ResultLog *log, StrView text);

/* Appends a game and flushes it. False when the file cannot be written. */
bool resultlog_add(ResultLog *log, const MatchSettings *settings, const ScheduledGame *game,
                   const GameResult *result) MUST_CHECK;

/* Puts the files of settings->merge together: makes the engines and the schedule of *settings from
 * their first lines and counts their games in *standings and *page, which may be NULL; a game that
 * stands in several files counts once. What they hold is written to settings->results_path, if it
 * is set. False with the reason in *error. */
bool resultlog_merge(MatchSettings *settings, Standings *standings, MatchPage *page,
                     StrBuf *error) MUST_CHECK;

/* False when the last of it could not be written. */
bool resultlog_close(ResultLog *log);

/* ---- Warnings of engines that play on all the same. --------------------------------------------
 */

/* No more warnings of one engine are told, however different they are. */
enum { WARNINGS_PER_ENGINE = 20 };

typedef struct Warnings {
    MatchReport *report;
    ResultLog *log;        /* hears of them too; NULL: there is none */
    pthread_mutex_t *lock; /* the one under which report and log are used */
    char **told;
    int count;
    size_t cap;
} Warnings;

void warnings_free(Warnings *warnings);

/* A PlayerWatch's `warn`, with a Warnings as its context: tells "ENGINE: TEXT" unless it was told
 * before. */
void warnings_tell(void *warnings, const char *engine, StrView text);

#endif
