/* timeman.h: time management: decides how long to think. Pure functions that compute times in
 * milliseconds from clocks and options; they do not read the clock. */
#ifndef KMD_SEARCH_TIMEMAN_H
#define KMD_SEARCH_TIMEMAN_H

#include "search/sinfo.h"

/* The user's time options (engine/options.c), in milliseconds. */
typedef struct TimeOptions {
    int network_delay;            /* usual transmission delay of a move */
    int network_delay2;           /* safety reserve against losing on time */
    int64_t overrun_ms;           /* how late answers of this game were; see timeman_overrun */
    int minimum_thinking_time;    /* minimum thinking time, if the clock allows it */
    int slow_mover;               /* percentage of the usual time per move */
    bool round_up_to_full_second; /* the server drops fractions of a second: use whole seconds */
    bool usi_ponder;              /* the engine may ponder */
} TimeOptions;

/* The time limits of one search, counted from the start of its clock. */
typedef struct TimePlan {
    bool is_timed;     /* false: no time limit; all other members are 0 */
    bool may_be_short; /* may answer early if the move is clear, because the saved time is kept or
                          has no other use */
    int64_t least_ms;  /* minimum time on the clock, even after long pondering */
    int64_t soft_ms;   /* start no new iteration after this; timeman_target adjusts it */
    int64_t hard_ms;   /* stop the search here; least <= soft <= hard */
} TimePlan;

/* The plan for a search by `us` at game ply `ply`. With byoyomi it uses at least the byoyomi minus
 * the reserve, even while main time remains, because unused byoyomi is lost. The receiver of the
 * answer measures a fixed move time, so the plan subtracts the usual delay. `random` selects the
 * time for GoLimits.rtime_ms. */
TimePlan timeman_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                      uint64_t random);

/* What the search knows about its best move. */
typedef struct TimeFeedback {
    int stable_iterations; /* number of consecutive finished iterations with this best move */
    int score_drop; /* drop of the score since the last iteration, in centipawns; negative: rise */
    double best_share; /* share of the nodes spent on the best move, 0 .. 1 */
} TimeFeedback;

/* Returns the soft limit, changed by how the search is going, but within least_ms .. hard_ms.
 * Sources: the use of node shares is Koivisto's (2021); stability and falling scores are common to
 * most engines. */
int64_t timeman_target(const TimePlan *plan, const TimeFeedback *feedback);

/* How long to go on searching after a ponderhit, in milliseconds; used only if the plan is timed.
 * The search has thought for search_ms already: a clear answer is given at once, and if the clock
 * would have allowed less, only the minimum time on the clock is used. `feedback` is NULL if no
 * iteration has ended yet. */
int64_t timeman_ponderhit(const TimePlan *plan, const TimeFeedback *feedback, bool is_clear,
                          int64_t search_ms);

/* When to end the search, given search_ms since it started and clock_ms since its clock started. If
 * the search has not used its target time, the result is hard_ms. Otherwise it is the current time
 * or, if whole seconds are used, the end of the current second. The result is at least least_ms,
 * and at most hard_ms unless clock_ms is already greater. */
int64_t timeman_deadline(const TimePlan *plan, const TimeOptions *options,
                         const TimeFeedback *feedback, int64_t search_ms, int64_t clock_ms);

/* The next value of TimeOptions.overrun_ms after an answer at clock_ms. A late answer counts at
 * once, but for no more than a second or half of its hard limit, because a single long pause, in
 * which the machine slept, says little about the next moves. With each answer the value shrinks by
 * an eighth. */
int64_t timeman_overrun(const TimePlan *plan, int64_t overrun_ms, int64_t clock_ms);

#endif
