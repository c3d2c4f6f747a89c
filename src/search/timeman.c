/* timeman.c: computes the soft and hard limits from the clock and the expected number of moves, and
 * adjusts these limits to the course of the search. */
#include "search/timeman.h"

#include "base/base.h"
#include "search/params.h"

/* MinimumThinkingTime may use at most 1 / MIN_SHARE of the main time. */
#define MIN_SHARE 10

/* However late earlier answers were, at least 1 / LATE_SHARE of the available time is used. */
#define LATE_SHARE 8

/* An answer counts as late by at most this much, or by half of its hard limit; and what is recorded
 * shrinks by one part in OVERRUN_MOVES with each move. */
#define MOST_LATE_MS  1000
#define OVERRUN_MOVES 8

/* Without an increment, each later move is expected to lose LOSS_FACTOR network delays, for which
 * all but 1 / KEPT_SHARE of the main time may be kept. */
#define LOSS_FACTOR 2
#define KEPT_SHARE  3

/* The network delay shortens a fixed move time by at most 1 / DELAY_SHARE of it. */
#define DELAY_SHARE 10

/* The most time that may be used for this move. If an answer was late before, the next one may be
 * even later, and losing on time is worse than moving faster. So half as much again is reserved. */
static int64_t usable_ms(int64_t available, const TimeOptions *options) {
    int64_t reserve = i64_min(options->network_delay2, available / 2);
    int64_t late = options->overrun_ms + options->overrun_ms / 2;
    return i64_max(i64_max(available - reserve - late, available / LATE_SHARE), 1);
}

static TimePlan plan_fixed(int64_t ms) {
    return (TimePlan){.is_timed = true, .least_ms = ms, .soft_ms = ms, .hard_ms = ms};
}

static int horizon_moves(const GoLimits *limits, int ply) {
    int moves = int_max(P_TIME_HORIZON - ply / P_TIME_HORIZON_STEP, P_TIME_HORIZON_MIN);
    return limits->moves_to_go > 0 ? int_min(moves, limits->moves_to_go) : moves;
}

/* What is kept of the main time for what later moves lose. Each move loses some time on its way to
 * the opponent that the search does not see: in the network, in pipes, and on a busy machine. If no
 * increment gives it back, the losses add up over the rest of the game. */
static int64_t kept_for_later(const GoLimits *limits, const TimeOptions *options, Color us,
                              int moves) {
    int64_t loss = (int64_t)options->network_delay * LOSS_FACTOR + options->overrun_ms;
    loss -= i64_max(limits->inc_ms[us], 0) + i64_max(limits->byoyomi_ms, 0);
    int64_t time = i64_max(limits->time_ms[us], 0);
    return i64_min(i64_max(loss, 0) * (moves - 1), time - time / KEPT_SHARE);
}

/* The most main time that one move may use: P_TIME_MAX per cent. Before a time control, a move may
 * also use at most P_TIME_HARD_FACTOR times an equal share, and must leave each later move half of
 * its share. */
static int64_t most_of_time(const GoLimits *limits, int64_t time) {
    int moves = limits->moves_to_go;
    return moves > 0 ? time * int_min(moves + 1, 2 * P_TIME_HARD_FACTOR) / (2 * moves)
                     : (time * P_TIME_MAX + 99) / 100;
}

/* The first time after `ms` at which the server would start to count another second, but not later
 * than `most` unless `ms` itself is later. */
static int64_t end_of_second(const TimeOptions *options, int64_t ms, int64_t most) {
    int64_t seconds = (ms + options->network_delay + 999) / 1000;
    return i64_max(ms, i64_min(seconds * 1000 - options->network_delay, most));
}

static TimePlan plan_clock(const GoLimits *limits, const TimeOptions *options, Color us, int ply) {
    int64_t time = i64_max(limits->time_ms[us], 0);
    int64_t inc = i64_max(limits->inc_ms[us], 0);
    int64_t byoyomi = i64_max(limits->byoyomi_ms, 0);
    int moves = horizon_moves(limits, ply);
    int64_t spare = time - kept_for_later(limits, options, us, moves);
    int64_t usable = usable_ms(most_of_time(limits, spare) + inc + byoyomi, options);
    int64_t share = spare / moves + inc + byoyomi;
    int64_t soft = share * options->slow_mover / 100;
    soft += options->usi_ponder ? soft / P_TIME_PONDER_DIVISOR : 0;
    soft -= i64_min(options->network_delay, soft / 2);
    int64_t spared = usable_ms(time / MIN_SHARE + inc + byoyomi, options);
    int64_t least = i64_min(options->minimum_thinking_time, spared);
    least = byoyomi > 0 ? i64_max(least, usable_ms(byoyomi, options)) : least;
    least = i64_min(least, usable);
    int64_t whole = end_of_second(options, least, INT64_MAX);
    least = options->round_up_to_full_second && whole <= usable ? whole : least;
    soft = i64_clamp(soft, i64_max(least, 1), usable);
    return (TimePlan){.is_timed = true,
                      .may_be_short = true,
                      .least_ms = least,
                      .soft_ms = soft,
                      .hard_ms = i64_min(soft * P_TIME_HARD_FACTOR, usable)};
}

TimePlan timeman_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                      uint64_t random) {
    if (limits->is_infinite) {
        return (TimePlan){.is_timed = false};
    }
    if (limits->movetime_ms > 0) {
        int64_t delay = i64_min(options->network_delay, limits->movetime_ms / DELAY_SHARE);
        return plan_fixed(limits->movetime_ms - delay);
    }
    if (limits->rtime_ms > 0) {
        uint64_t range = (uint64_t)limits->rtime_ms * 2 + 1;
        return plan_fixed(limits->rtime_ms + (int64_t)(random % range));
    }
    if (limits->has_clock) {
        return plan_clock(limits, options, us, ply);
    }
    return (TimePlan){.is_timed = false};
}

static double thousandths(int number) {
    return number / 1000.0;
}

int64_t timeman_target(const TimePlan *plan, const TimeFeedback *feedback) {
    int stable = int_min(feedback->stable_iterations, P_TIME_STABLE_MAX);
    int drop = int_clamp(feedback->score_drop, -P_TIME_GAIN_MAX, P_TIME_DROP_MAX);
    /* If the best move keeps changing, the search needs more time than if it has been stable for
     * long. */
    double stability = thousandths(P_TIME_STABLE_BASE) - thousandths(P_TIME_STABLE_SLOPE) * stable;
    double panic = 1.0 + thousandths(P_TIME_DROP_SLOPE) * drop;
    double share = thousandths(P_TIME_SHARE_BASE);
    share -= thousandths(P_TIME_SHARE_SLOPE) * feedback->best_share;
    int64_t target = (int64_t)((double)plan->soft_ms * stability * panic * share);
    return i64_clamp(target, i64_max(plan->least_ms, 1), plan->hard_ms);
}

int64_t timeman_ponderhit(const TimePlan *plan, const TimeFeedback *feedback, bool is_clear,
                          int64_t search_ms) {
    bool is_adjusted = plan->may_be_short && feedback != NULL;
    if (is_adjusted && is_clear) {
        return 0;
    }
    int64_t enough_ms = is_adjusted ? timeman_target(plan, feedback) : plan->soft_ms;
    return search_ms >= enough_ms ? plan->least_ms : plan->hard_ms;
}

int64_t timeman_deadline(const TimePlan *plan, const TimeOptions *options,
                         const TimeFeedback *feedback, int64_t search_ms, int64_t clock_ms) {
    if (search_ms < timeman_target(plan, feedback)) {
        return plan->hard_ms;
    }
    int64_t end = i64_max(clock_ms, plan->least_ms);
    return options->round_up_to_full_second ? end_of_second(options, end, plan->hard_ms) : end;
}

int64_t timeman_overrun(const TimePlan *plan, int64_t overrun_ms, int64_t clock_ms) {
    int64_t late = i64_min(clock_ms - plan->hard_ms, i64_min(MOST_LATE_MS, plan->hard_ms / 2));
    return i64_max(overrun_ms - (overrun_ms + OVERRUN_MOVES - 1) / OVERRUN_MOVES, late);
}
