/* matchreport.h: prints the progress of a task while games run, and the tables of a tournament at
 * its end.
 *
 * If the stream is a terminal, a view of the running tournament is drawn below all lines and
 * updated in place: progress, standings, and the games in progress with their latest scores. Only
 * one thread at a time may use a report; once games run, a thread must hold its mutex. */
#ifndef KMD_MATCH_MATCHREPORT_H
#define KMD_MATCH_MATCHREPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/livelines.h"
#include "base/progress.h"
#include "match/resultlog.h"
#include "match/standings.h"

struct Position;

/* How much is printed while games run. */
typedef struct MatchReportOptions {
    int every;     /* print progress after this many finished games, at least 1 */
    bool is_quiet; /* no line when a game begins or ends */
} MatchReportOptions;

/* A game in progress, for the live view. */
typedef struct LiveGame {
    bool is_on;
    ScheduledGame game;
    int move;                  /* number of the last move; 0 before the first */
    bool has_score[COLOR_NB];  /* the side has reported a score */
    int score[COLOR_NB];       /* the latest score, as in MoveNote */
    int64_t left_ns[COLOR_NB]; /* time left on the clock after the side's last move; -1: no clock */
} LiveGame;

/* Warnings about one engine after this many are not printed. */
enum { WARNINGS_PER_ENGINE = 20 };

typedef struct MatchReport {
    pthread_mutex_t mutex; /* guards the report, and whatever its task changes during games */
    FILE *stream;
    MatchReportOptions options;
    Progress progress;
    LiveLines lines; /* the live view, below all lines */
    LiveGame *live;  /* owned; the games in progress, by slot */
    int slots;       /* number of games played at once */
    ResultLog *log;  /* also receives the warnings about engines; may be NULL */
    char **warnings; /* owned; those about engines that have been printed */
    int warning_count;
    size_t warning_cap;
} MatchReport;

/* Initialises a report. Any stream but a terminal gets a progress line from time to time, and so
 * does a terminal that does not understand escape codes. The environment
 * variable NO_COLOR turns styles off. Free with matchreport_free. */
void matchreport_init(MatchReport *report, FILE *stream, const MatchReportOptions *options,
                      int slots);
void matchreport_free(MatchReport *report);

/* Report the beginning of a game in a slot, a move of it, and its end, which is already in the
 * standings. Prints a line when a game begins and when it ends, and progress if it is due. Quiet
 * reports print faults and progress only, and the live view replaces the lines about beginnings and
 * progress. matchreport_free_slot is called when no game is played in the slot any more. */
void matchreport_begin_game(MatchReport *report, const Standings *standings, int slot,
                            const ScheduledGame *game);
void matchreport_add_move(MatchReport *report, int slot, const struct Position *pos,
                          const GameResult *result);
void matchreport_end_game(MatchReport *report, const Standings *standings,
                          const ScheduledGame *game, const GameResult *result);
void matchreport_free_slot(MatchReport *report, int slot);

/* Draws the live view if it has changed. */
void matchreport_draw(MatchReport *report, const Standings *standings);

/* Adds the live view to an empty screen. `elapsed_ms` is the time since the tournament was started
 * or resumed. If there is not enough room, shows only the best engines and the first games, and how
 * many others there are. */
void matchreport_append_view(const MatchReport *report, const Standings *standings,
                             int64_t elapsed_ms, LiveScreen *screen);

/* Prints the complete report at the end. */
void matchreport_final(MatchReport *report, const Standings *standings);

/* Prints a warning on standard error. */
void matchreport_warning(MatchReport *report, StrView text);

/* The function for a PlayerSink's `warn`; its context is a MatchReport, whose mutex it locks. Warns
 * of an engine that continues to play, as "ENGINE: TEXT". Each warning is printed once, and at most
 * WARNINGS_PER_ENGINE about one engine. */
void matchreport_warn_of_engine(void *report, const char *engine, StrView text);

/* Prints on standard error why the task cannot start or continue. */
void matchreport_failure(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints any other line. A progress line is ended first; the live view stays below the line. */
void matchreport_line(MatchReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
