/* liveview.h: the view of a running tournament on a terminal: progress, standings, and the games in
 * progress with their latest scores.
 *
 * Keeps track of the games and composes lines of text; matchreport.h draws them in place. This
 * module reads no clock and prints nothing. Only one thread at a time may use it. */
#ifndef KMD_MATCH_LIVEVIEW_H
#define KMD_MATCH_LIVEVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/livelines.h"
#include "match/contest.h"

/* A game in progress. */
typedef struct LiveGame {
    bool is_on;
    ScheduledGame game;
    int move;                  /* number of the last move; 0 before the first */
    bool has_score[COLOR_NB];  /* the side has reported a score */
    int score[COLOR_NB];       /* the latest score, as in MoveNote */
    int64_t left_ns[COLOR_NB]; /* time left on the clock after the side's last move; -1: no clock */
} LiveGame;

typedef struct LiveView {
    LiveGame *games; /* owned; indexed by slot */
    int slots;
    int done_before; /* games that were finished before this run; 0 unless set */
} LiveView;

/* Initialises a view. `slots` is the number of games played at once. */
void liveview_init(LiveView *view, int slots);
void liveview_free(LiveView *view);

/* The function of a MatchListener; its `self` is a LiveView. */
bool liveview_hear(void *view, const MatchEvent *event);

/* Adds the view to an empty screen. `elapsed_ms` is the time since the tournament was started or
 * resumed. If there is not enough room, shows only the best engines and the first games, and how
 * many others there are. */
void liveview_append(const LiveView *view, const Contest *contest, const Standings *standings,
                     int64_t elapsed_ms, LiveScreen *screen);

#endif
