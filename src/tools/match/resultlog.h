/* resultlog.h: the file of results, one JSON object a line: first the tournament, then each game
 * as it ends. What has been written survives an interruption at any moment; a torn last line is
 * dropped when the file is taken up again. One thread at a time. docs/match.md lists the fields. */
#ifndef KMD_MATCH_RESULTLOG_H
#define KMD_MATCH_RESULTLOG_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/match/settings.h"
#include "tools/match/standings.h"

typedef struct ResultLog {
    FILE *stream; /* NULL: nothing is written */
    StrBuf lines; /* that are to be written with the next game */
} ResultLog;

/* Opens settings->results_path (nothing happens when it is NULL). A file that is there already is
 * refused, or with settings->resumes read into *standings and continued. A new one stays empty
 * until the first game. False with the reason in *error. */
bool resultlog_open(ResultLog *log, const MatchSettings *settings, Standings *standings,
                    StrBuf *error) MUST_CHECK;

/* Notes a warning, which goes into the file with the next game. */
void resultlog_warn(ResultLog *log, StrView text);

/* Appends a game and flushes it. False when the file cannot be written. */
bool resultlog_add(ResultLog *log, const MatchSettings *settings, const ScheduledGame *game,
                   const GameResult *result) MUST_CHECK;

/* Puts the files of settings->merge together: makes the engines and the schedule of *settings from
 * their first lines and counts their games; a game that stands in several files counts once. What
 * they hold is written to settings->results_path, if it is set. False with the reason in *error. */
bool resultlog_merge(MatchSettings *settings, Standings *standings, StrBuf *error) MUST_CHECK;

/* False when the last of it could not be written. */
bool resultlog_close(ResultLog *log);

/* In gamerecord.c: the folder of -records: a file for each finished game, in any format of
 * src/kifu, for people and other programs. No state. */

/* Looks, before the first game, whether the files of games 1..total can be written to
 * settings->records_dir without replacing others, which only settings->resumes allows. True when
 * records_dir is NULL. False with the reason, which names the place, in *error. */
bool gamerecord_check(const MatchSettings *settings, int total, StrBuf *error) MUST_CHECK;

/* Writes one finished game: names, date, time control, moves with times and what the players told
 * of them, the ending and, for faults and adjudications, a comment. pos stands at its end. False,
 * with the reason in errno, when it cannot be written. One thread at a time. */
bool gamerecord_save(const MatchSettings *settings, const ScheduledGame *game, const Position *pos,
                     const GameResult *result) MUST_CHECK;

#endif
