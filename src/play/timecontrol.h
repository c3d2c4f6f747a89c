/* timecontrol.h: how much time a player has, and how `go` states it.
 *
 * Plain data and arithmetic; reads no clock. Measured times are in nanoseconds, times of the USI
 * protocol in milliseconds. */
#ifndef KMD_PLAY_TIMECONTROL_H
#define KMD_PLAY_TIMECONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/types.h"

/* The limits of a player. All zero means no limit. */
typedef struct TimeControl {
    bool has_clock;      /* main_ms, inc_ms and byoyomi_ms are in use */
    int64_t main_ms;     /* main time for the whole game */
    int64_t inc_ms;      /* added after every move (Fischer) */
    int64_t byoyomi_ms;  /* time for every move once main_ms is used up; not together with inc_ms */
    int64_t movetime_ms; /* fixed time for every move, or what a clock has left if that is less;
                            0: none */
    uint64_t nodes;      /* node limit for every move; 0: no limit */
    int depth;           /* depth limit for every move; 0: no limit */
    int64_t margin_ms;   /* how late an answer may come without losing */
} TimeControl;

/* Reads the clock's part of *tc from "MAIN" or "MAIN+INC", or from "inf". MAIN is in seconds or
 * minutes:seconds; fractions are allowed. "inf" removes the clock. Returns false and leaves *tc
 * unchanged if text is anything else. */
bool timecontrol_read_clock(StrView text, TimeControl *tc) MUST_CHECK;

/* Reads seconds with a fraction, 0 to a million, as milliseconds. */
bool timecontrol_read_seconds(StrView text, int64_t *ms) MUST_CHECK;

/* True if something limits a search: a clock, a time for the move, nodes or depth. */
bool timecontrol_is_limited(const TimeControl *tc);

/* Appends the time control in words, such as "10+0.1", "60+b10" or "nodes 20000". `unit` follows
 * times in seconds: "" or, for human readers, " s". */
void timecontrol_write(const TimeControl *tc, const char *unit, StrBuf *out);

/* The clocks of both sides in a game. */
typedef struct GameClock {
    TimeControl tc[COLOR_NB];
    int64_t left_ns[COLOR_NB]; /* time available now, without byoyomi but with the increment */
    int64_t limit_ns;          /* the player is stopped after this time for one move; 0: never */
    int64_t quiet_ns;          /* the player is stopped after this time if it has printed nothing in
                                  the second half of it; 0: never */
} GameClock;

GameClock timecontrol_start(const TimeControl *black, const TimeControl *white);

/* The time that `side` has for its next move, without the margin; -1 if its time is not limited. */
int64_t timecontrol_budget_ns(const GameClock *clock, Color side);

/* Subtracts the time of a move from `side`'s clock and adds the increment. Returns false if the
 * move took longer than the budget plus the margin; the side then loses on time. */
bool timecontrol_spend(GameClock *clock, Color side, int64_t used_ns);

/* Appends the times for `side` as they follow "go", beginning with a space: btime, wtime and either
 * binc and winc or byoyomi. Appends nothing if the side has no clock. */
void timecontrol_write_times(const GameClock *clock, Color side, StrBuf *out);

/* Appends a line "go ..." or "go ponder ..." for `side`. As in Shogidokoro and ShogiHome, btime and
 * wtime are the times left without the increment: the usable time is btime + binc. */
void timecontrol_write_go(const GameClock *clock, Color side, bool is_ponder, StrBuf *out);

#endif
