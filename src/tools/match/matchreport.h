/* matchreport.h: what a tournament prints: progress while games run, the tables at the end. One
 * thread at a time. */
#ifndef KMD_MATCH_MATCHREPORT_H
#define KMD_MATCH_MATCHREPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/progress.h"
#include "tools/match/contest.h"
#include "tools/match/standings.h"

/* How much is printed while games run. */
typedef struct ReportRules {
    int every;     /* finished games between two lines of progress, at least 1 */
    bool is_quiet; /* no line when a game begins or ends */
} ReportRules;

typedef struct MatchReport {
    FILE *stream;
    ReportRules rules;
    Progress progress;
} MatchReport;

/* stream is NULL or a terminal, which gets one line of progress that is rewritten, or takes a line
 * now and then. */
void matchreport_init(MatchReport *report, FILE *stream, const ReportRules *rules);

/* When the players of a game are ready: a line, unless report->rules.is_quiet. */
void matchreport_start(MatchReport *report, const Contest *contest, const Standings *standings,
                       const ScheduledGame *game);

/* After a game: a line, also when quiet about a fault, and progress when it is due. */
void matchreport_game(MatchReport *report, const Contest *contest, const Standings *standings,
                      const ScheduledGame *game, const GameResult *result);

/* Everything that is known at the end. */
void matchreport_final(MatchReport *report, const Contest *contest, const Standings *standings);

/* What the user must not miss, on standard error. */
void matchreport_warning(MatchReport *report, StrView text);

/* Why the whole cannot begin or continue, on standard error. */
void matchreport_failure(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* Any other line; ends a live line first. */
void matchreport_line(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
