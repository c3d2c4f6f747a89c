/* matchpage.h: the page of the option -html, which shows the state of a tournament and every game
 * with its board.
 *
 * The page is that of web/page.h with a JSON object that docs/match.md describes. It reloads itself
 * while games are played. Only one thread at a time may use it. */
#ifndef KMD_MATCH_MATCHPAGE_H
#define KMD_MATCH_MATCHPAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "match/contest.h"
#include "match/standings.h"

typedef enum MatchState {
    MATCH_RUNS,
    MATCH_ENDED,       /* every game was played, or the test has decided */
    MATCH_INTERRUPTED, /* interrupted by the user or a fault */
    MATCH_MERGED       /* merged from files of results */
} MatchState;

/* A game in progress. */
typedef struct PageLive {
    bool is_on;
    ScheduledGame game;
    int64_t start, last;       /* when the game and its latest move began, in seconds since 1970 */
    int64_t left_ms[COLOR_NB]; /* time left on the clocks; -1: no clock */
    StrBuf opening, moves;     /* as in GameResult */
    StrBuf notes;              /* what the players reported: items of a JSON array, one per move */
    int plies;                 /* their number */
} PageLive;

/* A game that has ended, as members of a JSON object. */
typedef struct PageGame {
    char *head; /* players, time and ending; NULL: no longer listed */
    char *body; /* the moves and what is known about them; NULL: dropped */
} PageGame;

typedef struct MatchPage {
    const char *path; /* NULL: no page is wanted */
    MatchState state;
    int64_t start, now; /* seconds since 1970; start 0: not known */
    int done_before;    /* number of games read from a file of results */
    PageGame *games;
    int count;
    size_t cap;
    size_t body_bytes;
    int dropped; /* number of games whose moves were dropped, the oldest first */
    PageLive *live;
    int slots;
    int64_t due_ns; /* when the page must be written again, by clock_ns */
} MatchPage;

/* Starts the page of a tournament. `slots` is the number of games played at once. If `path` is
 * NULL, no page is wanted, and nothing below has an effect. */
void matchpage_init(MatchPage *page, const char *path, int slots);
void matchpage_free(MatchPage *page);

/* The function of a MatchListener; its `self` is a MatchPage. Between two moves, when no clock of
 * that game is running, it writes the page if that is due: at most every five seconds, and less
 * often if writing takes a long time. If the page becomes too large to open, it drops the moves of
 * the oldest games, and many games later it no longer lists these games. */
bool matchpage_hear(void *page, const MatchEvent *event) MUST_CHECK;

/* Appends the JSON object of the page. */
void matchpage_append_json(const MatchPage *page, const Contest *contest,
                           const Standings *standings, StrBuf *out);

/* Writes the page now. Returns false with the reason in errno if that fails. */
bool matchpage_write(MatchPage *page, const Contest *contest, const Standings *standings,
                     MatchState state) MUST_CHECK;

#endif
