/* timecontrol.h: how much time a player has, and how it is told in `go`.
 *
 * Plain data and arithmetic; reads no clock. Times are nanoseconds where they are measured and
 * milliseconds where USI has them. */
#ifndef KMD_MATCH_TIMECONTROL_H
#define KMD_MATCH_TIMECONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/types.h"

/* What a player may use. Zero everywhere is no limit at all. */
typedef struct TimeControl {
    bool has_clock;      /* main_ms, inc_ms and byoyomi_ms count */
    int64_t main_ms;     /* for the whole game, or for the next number of moves: */
    int moves;           /* after each of which main_ms is added again; 0: never */
    int64_t inc_ms;      /* added after every move (Fischer) */
    int64_t byoyomi_ms;  /* for every move once main_ms is used up; not together with inc_ms */
    int64_t movetime_ms; /* for every move; 0: none */
    uint64_t nodes;      /* for every move; 0: no limit */
    int depth;           /* likewise */
    int64_t margin_ms;   /* how much later than allowed an answer may come */
} TimeControl;

/* Reads "MAIN", "MOVES/MAIN", each also with "+INC", or "inf" with MAIN as seconds or
 * minutes:seconds, fractions allowed, into the clock's part of *tc; "inf" takes the clock away.
 * False, with *tc left alone, when text is something else. */
bool timecontrol_read_clock(StrView text, TimeControl *tc) MUST_CHECK;

/* Reads seconds with a fraction, 0 to a million, into milliseconds. */
bool timecontrol_read_seconds(StrView text, int64_t *ms) MUST_CHECK;

/* True when something ends a search: a clock, a time for the move, nodes or depth. */
bool timecontrol_is_limited(const TimeControl *tc);

/* Appends the time control in words, such as "10+0.1", "60+b10" or "nodes 20000". */
void timecontrol_write(const TimeControl *tc, StrBuf *out);

/* The same for people, with the unit: "10+0.1 s". */
void timecontrol_describe(const TimeControl *tc, StrBuf *out);

/* The clocks of a game. */
typedef struct GameClock {
    TimeControl tc[COLOR_NB];
    int moves[COLOR_NB]; /* made so far */
    int64_t
        left_ns[COLOR_NB]; /* what may be used now, byoyomi not counted; includes the increment */
} GameClock;

GameClock timecontrol_start(const TimeControl *black, const TimeControl *white);

/* What `side` may use for its next move, without the margin; -1 when time does not end its turn. */
int64_t timecontrol_budget_ns(const GameClock *clock, Color side);

/* Takes the time of a move off `side`'s clock and adds the increment. False when it was more than
 * the budget and the margin: the flag has fallen. */
bool timecontrol_spend(GameClock *clock, Color side, int64_t used_ns);

/* Appends "go ...", or "go ponder ..." for `side`. As Shogidokoro and ShogiHome do it, btime and
 * wtime are what is left without the increment: usable time is btime + binc. */
void timecontrol_write_go(const GameClock *clock, Color side, bool is_ponder, StrBuf *out);

#endif
