/* timeman.h: time management: how long to think. Pure functions from clocks and options to
 * milliseconds; nothing here reads a clock. */
#ifndef KMD_SEARCH_TIMEMAN_H
#define KMD_SEARCH_TIMEMAN_H

#include "search/sinfo.h"

/* The user's options for clocks. */
typedef struct TimeOptions {
    int network_delay_ms;    /* usual delay of a move on its way */
    int network_delay2_ms;   /* kept in reserve against the loss on time */
    int64_t overrun_ms;      /* how late answers of this game have come after their hard limits */
    int minimum_thinking_ms; /* think at least so long where the clock allows it */
    int slow_mover;          /* per cent of the usual time per move */
    bool is_rounded;         /* the server drops fractions of a second: use whole seconds */
    bool has_ponder;         /* the opponent's time is used too */
} TimeOptions;

/* How long one search may think, from the moment its clock runs. */
typedef struct TimePlan {
    bool is_timed;     /* false: time plays no part, the rest is 0 */
    bool may_be_short; /* a clear answer may come at once: the time saved is kept or worthless */
    int64_t least_ms;  /* do not end before this, however long it has pondered */
    int64_t soft_ms;   /* start no further iteration after this, adjusted by timeman_target */
    int64_t hard_ms;   /* the search is stopped here; least <= soft <= hard */
} TimePlan;

/* The plan for `us` to move with number `ply`. It is never shorter than the byoyomi less
 * the reserve, be there main time or not: every later move has as much for nothing. A fixed time is
 * meant to hold where the answer arrives: it is used up to the usual delay. `random` decides what
 * GoLimits.rtime_ms leaves open. */
TimePlan timeman_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                      uint64_t random);

/* The search's findings about its best move. */
typedef struct TimeFeedback {
    int stable_iterations; /* finished iterations in a row with this best move */
    int score_drop;        /* centipawns lost since the last iteration; negative when gained */
    double best_share;     /* part of the nodes spent on the best move, 0 .. 1 */
} TimeFeedback;

/* The soft limit as the search has gone so far, within least_ms .. hard_ms. Sources: the use of
 * node shares is Koivisto's (2021); stability and falling scores are common to most engines. */
int64_t timeman_target(const TimePlan *plan, const TimeFeedback *feedback);

/* When a search is to end by what it knows search_ms after it began and clock_ms after its clock
 * began to run: at hard_ms while it has not had its time; else now, or with whole seconds where the
 * server would start counting another one. Never before least_ms, nor beyond hard_ms unless
 * clock_ms is. */
int64_t timeman_deadline(const TimePlan *plan, const TimeOptions *options,
                         const TimeFeedback *feedback, int64_t search_ms, int64_t clock_ms);

#endif
