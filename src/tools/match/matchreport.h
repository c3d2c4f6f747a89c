/* matchreport.h: what the user sees: progress while games run, and the tables at the end. Writes
 * to the stream it is given; one thread at a time. */
#ifndef KMD_MATCH_MATCHREPORT_H
#define KMD_MATCH_MATCHREPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/match/settings.h"
#include "tools/match/standings.h"

typedef struct MatchReport {
    FILE *stream;
    bool is_terminal;   /* one line that is rewritten, instead of a line now and then */
    bool has_live_line; /* the cursor stands behind such a line */
} MatchReport;

/* Before a game: a line, unless settings->is_quiet. */
void matchreport_start(MatchReport *report, const MatchSettings *settings,
                       const Standings *standings, const ScheduledGame *game);

/* After a game: a line, also when quiet about a fault, and progress when it is due. */
void matchreport_game(MatchReport *report, const MatchSettings *settings,
                      const Standings *standings, const ScheduledGame *game,
                      const GameResult *result);

/* How far things are: on a terminal in place of the line before. */
void matchreport_progress_line(MatchReport *report, const char *text);

/* Everything that is known at the end. */
void matchreport_final(MatchReport *report, const MatchSettings *settings,
                       const Standings *standings);

/* Points of one engine against another in all their encounters; false when they do not meet. */
bool matchreport_points(const Standings *standings, int row, int column, double *points);

/* What the user must not miss, on standard error. */
void matchreport_warning(MatchReport *report, StrView text);

/* Any other line; ends a live line first. */
void matchreport_line(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* In matchhtml.c: the page of -html: how a tournament stands, as tables and curves, in one file
 * that needs no other. */

/* Writes settings->html_path. False, with the reason in errno, when it cannot be written. */
bool matchhtml_write(const MatchSettings *settings, const Standings *standings) MUST_CHECK;

#endif
