/* timecontrol.c: reads and prints time controls, and keeps a clock. */
#include "play/timecontrol.h"

#include "base/base.h"
#include "base/clock.h"

bool timecontrol_read_seconds(StrView text, int64_t *ms) {
    double seconds;
    if (!sv_to_double(text, 0.0, 1e6, &seconds)) {
        return false;
    }
    *ms = (int64_t)(seconds * 1000.0 + 0.5);
    return true;
}

/* Reads "SECONDS" or "MINUTES:SECONDS". */
static bool read_main(StrView text, int64_t *ms) {
    size_t colon = sv_find_byte(text, ':');
    int64_t minutes = 0;
    if (colon < text.len) {
        if (!sv_to_i64(sv_prefix(text, colon), 0, 100000, &minutes)) {
            return false;
        }
        text = sv_skip(text, colon + 1);
    }
    if (!timecontrol_read_seconds(text, ms)) {
        return false;
    }
    *ms += minutes * 60000;
    return true;
}

bool timecontrol_read_clock(StrView text, TimeControl *tc) {
    int64_t main_ms;
    int64_t inc_ms = 0;
    if (sv_equal(text, SV("inf")) || sv_equal(text, SV("infinite"))) {
        tc->has_clock = false;
        return true;
    }
    size_t plus = sv_find_byte(text, '+');
    if (!read_main(sv_prefix(text, plus), &main_ms) ||
        (plus < text.len && !timecontrol_read_seconds(sv_skip(text, plus + 1), &inc_ms))) {
        return false;
    }
    tc->has_clock = true;
    tc->main_ms = main_ms;
    tc->inc_ms = inc_ms;
    return true;
}

bool timecontrol_is_limited(const TimeControl *tc) {
    return tc->has_clock || tc->movetime_ms > 0 || tc->nodes > 0 || tc->depth > 0;
}

/* Starts a part of the text: appends a comma unless it is the first part. */
static void start_part(StrBuf *out, size_t start) {
    if (out->len > start) {
        strbuf_add_str(out, ", ");
    }
}

void timecontrol_write(const TimeControl *tc, const char *unit, StrBuf *out) {
    size_t start = out->len;
    if (tc->has_clock) {
        strbuf_addf(out, "%.12g", (double)tc->main_ms / 1000.0);
        if (tc->inc_ms > 0) {
            strbuf_addf(out, "+%.12g", (double)tc->inc_ms / 1000.0);
        }
        if (tc->byoyomi_ms > 0) {
            strbuf_addf(out, "+b%.12g", (double)tc->byoyomi_ms / 1000.0);
        }
        strbuf_add_str(out, unit);
    }
    if (tc->movetime_ms > 0) {
        start_part(out, start);
        strbuf_addf(out, "%.12g%s per move", (double)tc->movetime_ms / 1000.0, unit);
    }
    if (tc->nodes > 0) {
        start_part(out, start);
        strbuf_addf(out, "nodes %llu", (unsigned long long)tc->nodes);
    }
    if (tc->depth > 0) {
        start_part(out, start);
        strbuf_addf(out, "depth %d", tc->depth);
    }
    if (out->len == start) {
        strbuf_add_str(out, "no limit");
    }
}

/* For the first move, the main time or, if that is less, the increment is left. */
GameClock timecontrol_start(const TimeControl *black, const TimeControl *white) {
    return (GameClock){.tc = {*black, *white},
                       .left_ns = {i64_max(black->main_ms, black->inc_ms) * NS_PER_MS,
                                   i64_max(white->main_ms, white->inc_ms) * NS_PER_MS}};
}

/* The fixed time for the next move, at most what the clock has left; 0: none. */
static int64_t move_time_ms(const GameClock *clock, Color side) {
    const TimeControl *tc = &clock->tc[side];
    int64_t left_ms = clock->left_ns[side] / NS_PER_MS + tc->byoyomi_ms;
    bool is_shorter = tc->has_clock && left_ms < tc->movetime_ms;
    return is_shorter ? i64_max(left_ms, 1) : tc->movetime_ms;
}

int64_t timecontrol_budget_ns(const GameClock *clock, Color side) {
    const TimeControl *tc = &clock->tc[side];
    if (tc->movetime_ms > 0) {
        return move_time_ms(clock, side) * NS_PER_MS;
    }
    int64_t budget_ns = tc->has_clock ? clock->left_ns[side] + tc->byoyomi_ms * NS_PER_MS : -1;
    return clock->limit_ns > 0 && budget_ns >= 0 ? i64_min(budget_ns, clock->limit_ns) : budget_ns;
}

bool timecontrol_spend(GameClock *clock, Color side, int64_t used_ns) {
    const TimeControl *tc = &clock->tc[side];
    int64_t budget_ns = timecontrol_budget_ns(clock, side);
    if (budget_ns >= 0 && used_ns > budget_ns + tc->margin_ms * NS_PER_MS) {
        return false;
    }
    if (tc->has_clock) {
        clock->left_ns[side] = i64_max(clock->left_ns[side] - used_ns, 0) + tc->inc_ms * NS_PER_MS;
    }
    return true;
}

void timecontrol_write_times(const GameClock *clock, Color side, StrBuf *out) {
    int64_t left_ms[COLOR_NB] = {0, 0}, inc_ms[COLOR_NB] = {0, 0}; /* 0 without a clock */
    if (!clock->tc[side].has_clock) {
        return;
    }
    for (int i = BLACK; i <= WHITE; i++) {
        const TimeControl *tc = &clock->tc[i];
        if (tc->has_clock) {
            inc_ms[i] = tc->inc_ms;
            left_ms[i] = i64_max(clock->left_ns[i] / NS_PER_MS - tc->inc_ms, 0);
        }
    }
    strbuf_addf(out, " btime %lld wtime %lld", (long long)left_ms[BLACK],
                (long long)left_ms[WHITE]);
    if (inc_ms[side] > 0) {
        strbuf_addf(out, " binc %lld winc %lld", (long long)inc_ms[BLACK],
                    (long long)inc_ms[WHITE]);
    } else {
        strbuf_addf(out, " byoyomi %lld", (long long)clock->tc[side].byoyomi_ms);
    }
}

void timecontrol_write_go(const GameClock *clock, Color side, bool is_ponder, StrBuf *out) {
    const TimeControl *tc = &clock->tc[side];
    strbuf_add_str(out, is_ponder ? "go ponder" : "go");
    timecontrol_write_times(clock, side, out);
    if (tc->movetime_ms > 0) {
        strbuf_addf(out, " movetime %lld", (long long)move_time_ms(clock, side));
    }
    if (tc->nodes > 0) {
        strbuf_addf(out, " nodes %llu", (unsigned long long)tc->nodes);
    }
    if (tc->depth > 0) {
        strbuf_addf(out, " depth %d", tc->depth);
    }
}
