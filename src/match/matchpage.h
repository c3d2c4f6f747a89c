/* matchpage.h: the page of the option -html, which shows the state of a tournament and every game
 * with its board.
 *
 * The page is that of web/page.h with a JSON object that docs/match.md describes. It reloads itself
 * while games are played. Only one thread at a time may use it. */
#ifndef KMD_MATCH_MATCHPAGE_H
#define KMD_MATCH_MATCHPAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "match/standings.h"

struct Position;

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
    int64_t start;    /* seconds since 1970 */
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

/* Add a game that was read from a file of results, the beginning of a game in a slot, a move of it,
 * and its end. After a move, `pos` is the position after it, which is left unchanged. If the page
 * becomes too large to open, it drops the moves of the oldest games, and many games later it no
 * longer lists these games. matchpage_free_slot is called when no game is played in the slot any
 * more. */
void matchpage_add_known(MatchPage *page, const ScheduledGame *game, const GameResult *result);
void matchpage_begin_game(MatchPage *page, int slot, const ScheduledGame *game);
void matchpage_add_move(MatchPage *page, int slot, struct Position *pos, const GameResult *result);
void matchpage_end_game(MatchPage *page, int slot, const GameResult *result);
void matchpage_free_slot(MatchPage *page, int slot);

/* Appends the JSON object of the page; `now` is in seconds since 1970. */
void matchpage_append_json(const MatchPage *page, const Standings *standings, MatchState state,
                           int64_t now, StrBuf *out);

/* Writes the page now. Returns false with the reason in errno if that fails. */
bool matchpage_write(MatchPage *page, const Standings *standings, MatchState state) MUST_CHECK;

/* Writes the page of a running tournament if that is due: at most every five seconds, and less
 * often if writing takes a long time. To be called between two moves, when no clock of that game
 * runs. */
bool matchpage_write_if_due(MatchPage *page, const Standings *standings) MUST_CHECK;

#endif
