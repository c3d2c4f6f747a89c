/* csaproto.h: the CSA server protocol, versions 1.1 to 1.2.1: lines of the server in, events out;
 * and the clocks as the server counts them.
 *
 * Pure functions on text and plain data: no connection, no engine, no clock of the system is read.
 * Source: the description of the protocol by the Computer Shogi Association (2003, last changed in
 * 2014), and what the public shogi-server sends. */
#ifndef KMD_CSA_CSAPROTO_H
#define KMD_CSA_CSAPROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "play/timecontrol.h"
#include "rules/types.h"

/* A side's time control, in milliseconds. */
typedef struct CsaTime {
    bool is_limited; /* a time above 0 was given; without one, nothing limits the game */
    int64_t unit_ms; /* the unit of all times, also of T in moves */
    int64_t total_ms;
    int64_t byoyomi_ms;
    int64_t increment_ms; /* added before each move, so it counts for the first move too */
    int64_t delay_ms;     /* time of each move that does not count */
    int64_t least_ms;     /* the least time that a move counts */
    int64_t remaining_ms; /* for a game that is resumed; -1: not given */
    bool rounds_up;       /* a part of a unit counts as a whole unit, instead of nothing */
} CsaTime;

/* What the server tells about a game before it begins. */
typedef struct CsaSummary {
    StrBuf game_id;
    StrBuf name[COLOR_NB]; /* not empty, and neither is game_id, once the summary is complete */
    Color us;              /* the side that this client plays */
    bool has_us;           /* that is known */
    Color to_move;         /* the side that begins */
    bool rematches_on_draw;
    int max_moves; /* the game is a draw after this many moves; 0: no limit */
    CsaTime time[COLOR_NB];
    StrBuf position; /* the start position and the moves played so far, as CSA text */
} CsaSummary;

typedef enum CsaEventKind {
    CSA_NOTHING,       /* an empty line, or a line inside a summary */
    CSA_LOGGED_IN,     /* LOGIN:name OK */
    CSA_LOGIN_REFUSED, /* LOGIN:incorrect */
    CSA_LOGGED_OUT,    /* LOGOUT:completed */
    CSA_SUMMARY,       /* a summary is complete: see csaproto_take_summary */
    CSA_BAD_SUMMARY,   /* a summary ended that lacks something or contradicts itself */
    CSA_START,         /* START:id */
    CSA_REJECT,        /* REJECT:id by name */
    CSA_MOVE,          /* +7776FU,T12 */
    CSA_REASON,        /* why the game ends: #RESIGN, #TIME_UP, ... */
    CSA_RESULT,        /* #WIN, #LOSE, #DRAW, #CENSORED or #CHUDAN */
    CSA_UNKNOWN        /* anything else, which a client ignores, such as %TORYO,T12 */
} CsaEventKind;

typedef struct CsaEvent {
    CsaEventKind kind;
    Color side;    /* of a move */
    StrView text;  /* the move without its time, the word after #, an id, or what is wrong
                      with a summary; a part of the line or static */
    int64_t spent; /* time of a move in the server's units; -1: not given */
} CsaEvent;

/* The state of reading. Zero-initialise; free with csaproto_free. */
typedef struct CsaProto {
    CsaSummary summary; /* valid after CSA_SUMMARY until the next BEGIN Game_Summary */
    enum { CSA_OUTSIDE, CSA_IN_SUMMARY, CSA_IN_TIME, CSA_IN_POSITION } place;
    Color time_side; /* of the time block; COLOR_NB: both */
    bool has_to_move;
    const char *fault; /* the first fault of the summary */
} CsaProto;

void csaproto_free(CsaProto *proto);

/* Moves the summary that was read last to *summary, so that later lines of the server leave it
 * unchanged. *summary must be zero-initialised or hold an earlier one. */
void csaproto_take_summary(CsaProto *proto, CsaSummary *summary);

void csaproto_free_summary(CsaSummary *summary);

/* Reads a line without its line end. Texts in the event are valid as long as the line. */
CsaEvent csaproto_read(CsaProto *proto, StrView line);

/* The clocks of both sides, as the server counts them. */
typedef struct CsaClock {
    CsaTime time[COLOR_NB];
    int64_t left_ms[COLOR_NB]; /* without the increment of the next move */
} CsaClock;

CsaClock csaproto_clock(const CsaSummary *summary);

/* Subtracts the time of a move, in the server's units, and adds the increment. */
void csaproto_spend(CsaClock *clock, Color side, int64_t spent);

/* The clocks for `go`, when `us` is to move. `reserve_ms` is the part of our time that the engine
 * must not use: the delay of the connection and a margin. If the
 * server rounds up, one more unit is reserved. At least a millisecond is left. The limits in *tc
 * are kept. */
GameClock csaproto_engine_clock(const CsaClock *clock, Color us, int64_t reserve_ms,
                                const TimeControl *tc);

/* Sets limits to the next move, so that another process can go on if the engine hangs: it is
 * stopped when it has used three quarters of its main time, or when it has been quiet until only
 * twice the time for a start, `start_ms`, and a short search is left, unless that is more than half
 * of the time for the move, which a healthy engine would lose. */
void csaproto_limit_move(GameClock *go, Color us, int64_t start_ms);

#endif
