/* matchreport.h: prints the progress of a tournament while games run, and the tables at its end.
 * Only one thread at a time may use it. */
#ifndef KMD_MATCH_MATCHREPORT_H
#define KMD_MATCH_MATCHREPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/livelines.h"
#include "base/progress.h"
#include "match/contest.h"
#include "match/liveview.h"
#include "match/resultlog.h"

/* How much is printed while games run. */
typedef struct MatchReportOptions {
    int every;     /* print progress after this many finished games, at least 1 */
    bool is_quiet; /* no line when a game begins or ends */
    bool is_plain; /* print to a terminal in the same way as to a file */
} MatchReportOptions;

typedef struct MatchReport {
    FILE *stream;
    MatchReportOptions options;
    Progress progress;
    LiveLines lines; /* the live view, below all lines */
} MatchReport;

/* Initialises a report. If `stream` is a terminal, its last lines are updated in place. Any other
 * stream gets a progress line from time to time, and so does a terminal if rules->is_plain or if it
 * does not understand escape codes. The environment variable NO_COLOR turns styles off. */
void matchreport_init(MatchReport *report, FILE *stream, const MatchReportOptions *options);

/* Draws the live view (liveview.h) below all lines if report->lines.is_live and the view has
 * changed. */
void matchreport_draw(MatchReport *report, const Contest *contest, const Standings *standings,
                      const LiveView *view);

/* The function of a MatchListener; its `self` is a MatchReport. Prints a line when a game begins
 * and when it ends, and progress if it is due. Quiet reports print faults and progress only, and
 * the live view replaces the lines about beginnings and progress. */
bool matchreport_hear(void *report, const MatchEvent *event);

/* Prints the complete report at the end. */
void matchreport_final(MatchReport *report, const Contest *contest, const Standings *standings);

/* Prints a warning on standard error. */
void matchreport_warning(MatchReport *report, StrView text);

/* Warnings about engines that continue to play. Each one is reported once, and at most
 * WARNINGS_PER_ENGINE for one engine. */
enum { WARNINGS_PER_ENGINE = 20 };

typedef struct EngineWarnings {
    MatchReport *report;
    ResultLog *log;        /* also receives the warnings; may be NULL */
    pthread_mutex_t *lock; /* the lock that guards report and log */
    char **told;
    int count;
    size_t cap;
} EngineWarnings;

/* The function for a PlayerSink's `warn`; its context is an EngineWarnings. Reports
 * "ENGINE: TEXT". */
void matchreport_warn_of_engine(void *warnings, const char *engine, StrView text);

void matchreport_free_warnings(EngineWarnings *warnings);

/* Prints on standard error why the tournament cannot start or continue. */
void matchreport_failure(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints any other line. A progress line is ended first; the live view stays below the line. */
void matchreport_line(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
