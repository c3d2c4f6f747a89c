#include "search/timeman.h"

#include "base/base.h"

/* Own moves that are expected to come, from the first move of the game to the hundredth and after.
 * Games of shogi last 110 to 130 plies; the middle of them deserves the most time. */
#define HORIZON_START     50
#define HORIZON_LEAST     25
#define HORIZON_PLY_STEPS 5

/* The hard limit, in multiples of the soft one. */
#define HARD_FACTOR 5

/* MinimumThinkingTime takes no more than this part of the main time at once. */
#define LEAST_SHARE 10

/* A fixed time for the move keeps no more than this part of it for the way of the answer. */
#define DELAY_SHARE 10

/* What can be used for this move at the very most. */
static int64_t usable_ms(int64_t available, const TimeOptions *options) {
    int64_t reserve = i64_min(options->network_delay2_ms, available / 2);
    return i64_max(available - reserve, 1);
}

static TimePlan plan_fixed(int64_t ms) {
    return (TimePlan){.is_timed = true, .least_ms = ms, .soft_ms = ms, .hard_ms = ms};
}

static int horizon_moves(const GoLimits *limits, int ply) {
    int moves = int_max(HORIZON_START - ply / HORIZON_PLY_STEPS, HORIZON_LEAST);
    return limits->moves_to_go > 0 ? int_min(moves, limits->moves_to_go) : moves;
}

/* The most of the main time that one move may take: of what is left until a time control, so much
 * that each later move keeps half of its share at least. */
static int64_t most_of_time(const GoLimits *limits, int64_t time) {
    int moves = limits->moves_to_go;
    return moves > 0 ? time * int_min(moves + 1, 2 * HARD_FACTOR) / (2 * moves) : time;
}

static TimePlan plan_clock(const GoLimits *limits, const TimeOptions *options, Color us, int ply) {
    int64_t time = i64_max(limits->time_ms[us], 0);
    int64_t inc = i64_max(limits->inc_ms[us], 0);
    int64_t byoyomi = i64_max(limits->byoyomi_ms, 0);
    int64_t usable = usable_ms(most_of_time(limits, time) + inc + byoyomi, options);
    int64_t share = time / horizon_moves(limits, ply) + inc + byoyomi;
    int64_t soft = share * options->slow_mover / 100;
    soft += options->has_ponder ? soft / 4 : 0;
    soft -= i64_min(options->network_delay_ms, soft / 2);
    int64_t spared = usable_ms(time / LEAST_SHARE + inc + byoyomi, options);
    int64_t least = i64_min(options->minimum_thinking_ms, spared);
    least = byoyomi > 0 ? i64_max(least, usable_ms(byoyomi, options)) : least;
    least = i64_min(least, usable);
    soft = i64_clamp(soft, i64_max(least, 1), usable);
    return (TimePlan){.is_timed = true,
                      .may_be_short = true,
                      .least_ms = least,
                      .soft_ms = soft,
                      .hard_ms = i64_min(soft * HARD_FACTOR, usable)};
}

TimePlan timeman_plan(const GoLimits *limits, const TimeOptions *options, Color us, int ply,
                      uint64_t random) {
    if (limits->is_infinite) {
        return (TimePlan){.is_timed = false};
    }
    if (limits->movetime_ms > 0) {
        int64_t delay = i64_min(options->network_delay_ms, limits->movetime_ms / DELAY_SHARE);
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

int64_t timeman_target(const TimePlan *plan, const TimeFeedback *feedback) {
    /* A best move that changes asks for time, one that has stood for long does not. */
    double stability = 1.3 - 0.07 * int_min(feedback->stable_iterations, 9);
    double panic = 1.0 + 0.006 * int_clamp(feedback->score_drop, -30, 120);
    double share = 1.7 - 1.1 * feedback->best_share;
    int64_t target = (int64_t)((double)plan->soft_ms * stability * panic * share);
    return i64_clamp(target, i64_max(plan->least_ms, 1), plan->hard_ms);
}

int64_t timeman_end(const TimePlan *plan, const TimeOptions *options, int64_t elapsed_ms) {
    if (!options->is_rounded) {
        return elapsed_ms;
    }
    int64_t seconds = (elapsed_ms + options->network_delay_ms + 999) / 1000;
    int64_t end = seconds * 1000 - options->network_delay_ms;
    return i64_max(elapsed_ms, i64_min(end, plan->hard_ms));
}
