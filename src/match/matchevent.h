/* matchevent.h: what happens in a tournament, for the parts that write or show it: the file of
 * results, records, the page, the report and the live view. Each of them is a listener; nobody else
 * asks or calls them while games run.
 *
 * All events are sent under one mutex, so only one thread at a time is in a listener. */
#ifndef KMD_MATCH_MATCHEVENT_H
#define KMD_MATCH_MATCHEVENT_H

#include <stdbool.h>

#include "match/contest.h"
#include "match/standings.h"

struct Position;

typedef enum MatchEventKind {
    EVENT_KNOWN, /* a game was read from a file of results */
    EVENT_BEGIN, /* the players of a game are ready */
    EVENT_MOVE,  /* a move was played */
    EVENT_END,   /* a game has ended and is in the standings */
    EVENT_STOP   /* the slot is free again, whether its game counts or not */
} MatchEventKind;

typedef struct MatchEvent {
    MatchEventKind kind;
    int slot; /* where the game is played, from 0; not set for EVENT_KNOWN */
    const ScheduledGame *game;
    struct Position *pos;     /* the position after the last move, for EVENT_MOVE and EVENT_END; a
                                 listener leaves it unchanged */
    const GameResult *result; /* for EVENT_KNOWN, EVENT_MOVE and EVENT_END */
    const Contest *contest;
    const Standings *standings;
} MatchEvent;

typedef struct MatchListener {
    bool (*hear)(void *self, const MatchEvent *event); /* returns false if output was lost, with
                                                          the reason in errno */
    void *self;
    const char *path; /* where the output goes, for error messages; NULL: none can be lost */
} MatchListener;

/* Sends an event to all listeners in turn. Returns NULL, or the path of the first one whose output
 * was lost, with the reason in errno; the listeners after it do not hear the event. */
const char *matchevent_send(const MatchListener *listeners, int count, const MatchEvent *event);

#endif
