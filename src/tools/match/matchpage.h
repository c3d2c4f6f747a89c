/* matchpage.h: the page of -html: how a tournament stands, and every game with its board.
 *
 * The page is src/tools/match/matchpage.html with its style and script, filled in with the object
 * of matchjson.h. It is one file that needs no other, and loads itself again while games are
 * played. One thread at a time; nothing here waits. */
#ifndef KMD_MATCH_MATCHPAGE_H
#define KMD_MATCH_MATCHPAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/match/matchjson.h"
#include "tools/match/standings.h"

struct Position;

/* What the players told of the moves of a game: items of JSON arrays. */
typedef struct PageNotes {
    StrBuf scores, times, depths, lines;
    int plies;
} PageNotes;

/* A game in progress. */
typedef struct PageLive {
    bool is_on;
    ScheduledGame game;
    int64_t start, last;       /* when it and its latest move began, in seconds since 1970 */
    int64_t left_ms[COLOR_NB]; /* on the clocks; -1: there is none */
    StrBuf opening, moves;     /* as in GameResult */
    PageNotes notes;
} PageLive;

/* A game that has ended, as members of a JSON object. */
typedef struct PageGame {
    char *head; /* who, when and how; NULL: no longer listed */
    char *body; /* the moves and what is known of them; NULL: dropped */
} PageGame;

typedef struct MatchPage {
    int64_t start; /* seconds since 1970; 0: not known */
    int done_before;
    PageGame *games;
    int count;
    size_t cap;
    size_t body_bytes;
    int dropped; /* games whose moves are dropped: the oldest */
    PageLive *live;
    int slots;
    int64_t due_ns; /* when the page must be written again, by clock_ns */
} MatchPage;

/* The page of a tournament that begins now; slots: number of games at once. */
void matchpage_init(MatchPage *page, int slots);
void matchpage_free(MatchPage *page);

/* Notes that a game begins in the slot, from 0. */
void matchpage_begin(MatchPage *page, int slot, const ScheduledGame *game);

/* Notes the moves of the slot's game that are new in the result. pos stands after the last of them
 * and is as before when this returns. */
void matchpage_move(MatchPage *page, int slot, struct Position *pos, const GameResult *result);

/* Notes that the slot's game is no longer played, whether it counts or not. */
void matchpage_stop(MatchPage *page, int slot);

/* Adds a game that has ended: the one of the slot, before matchpage_stop, or with slot -1 one that
 * is known by its result alone. The moves of the oldest games are dropped once those of all would
 * make the page too large to be opened, and many games later they are no longer listed. */
void matchpage_add(MatchPage *page, int slot, const ScheduledGame *game, const GameResult *result);

/* True when the page is so old that it should be written: at most every five seconds, and less
 * often when it takes long. */
bool matchpage_is_due(const MatchPage *page);

/* Writes the page to `path`. False, with the reason in errno, when it cannot be written. */
bool matchpage_write(MatchPage *page, const char *path, const Contest *contest,
                     const Standings *standings, MatchState state) MUST_CHECK;

#endif
