/* contest.h: the data shared by all parts of a match: engines, schedule, openings and rules, and
 * the events of its games. The contest is filled in before the first game, by settings.c or from
 * result files, and only read while games run. */
#ifndef KMD_MATCH_CONTEST_H
#define KMD_MATCH_CONTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "match/elo.h"
#include "match/openings.h"
#include "match/schedule.h"
#include "match/standings.h"
#include "play/player.h"
#include "play/referee.h"
#include "rules/outcome.h"

/* If zero-initialised, there is nothing to free. Texts that are not const are owned; the
 * others are owned elsewhere. */
typedef struct Contest {
    EngineSpec *engines; /* owned, including their members */
    int engine_count;
    Schedule schedule;
    bool has_no_end; /* the SPRT ends the match; the number of rounds is only an upper limit */
    OpeningsOptions openings_rules;
    Openings openings; /* owned */
    OutcomeRules rules;
    double repetition; /* see Standings */
    AdjudicationOptions adjudication;
    SprtTest sprt;     /* sprt.alpha 0: none */
    int concurrency;   /* number of games played at once */
    const char *event; /* NULL: not given; likewise `site` */
    const char *site;
    Args command; /* the words of the command line */
} Contest;

/* ---- What happens in a tournament, for the parts that write or show it: the file of results,
 * records, the page, the report and the live view. Each of them is a listener; nobody else asks or
 * calls them while games run. All events are sent under one mutex, so only one thread at a time is
 * in a listener. ---- */

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

#endif
