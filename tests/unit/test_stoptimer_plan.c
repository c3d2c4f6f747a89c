/* Tests how long a search may take, in cases that clients and users rely on. */
#include "search/stoptimer.h"

#include "unit.h"

static const TimeOptions usual = {
    .network_delay = 20, .network_delay2 = 50, .minimum_thinking_time = 0, .slow_mover = 100};

static TimePlan plan_for(const GoLimits *limits) {
    return stoptimer_plan(limits, &usual, BLACK, 1, 0);
}

static void without_a_clock(void) {
    GoLimits depth = {.depth = 5};
    GoLimits infinite = {.is_infinite = true, .has_clock = true, .byoyomi_ms = 1000};
    CHECK(!plan_for(&depth).is_timed);
    CHECK(!plan_for(&infinite).is_timed);
}

static void byoyomi_is_used_up(void) {
    GoLimits limits = {.has_clock = true, .byoyomi_ms = 1000};
    TimePlan plan = plan_for(&limits);
    CHECK(plan.is_timed && plan.may_be_short);
    CHECK_INT(plan.hard_ms, 950);
    CHECK_INT(plan.least_ms, 950);
    limits.byoyomi_ms = 100;
    CHECK_INT(plan_for(&limits).hard_ms, 50);
    /* If the reserve is larger than the time, half of the time is used. */
    limits.byoyomi_ms = 60;
    CHECK_INT(plan_for(&limits).hard_ms, 30);
    limits.byoyomi_ms = 0;
    CHECK(plan_for(&limits).hard_ms >= 1);
}

/* Byoyomi is used however clear the move is, because unused byoyomi is lost. */
static void byoyomi_is_used_beside_main_time(void) {
    TimeFeedback calm = {.stable_iterations = 9, .score_drop = -30, .best_share = 1.0};
    static const int64_t main_times[] = {0, 1, 50, 51, 60, 1000, 20000, 600000};
    int64_t last_hard = 0;
    for (size_t i = 0; i < sizeof(main_times) / sizeof(main_times[0]); i++) {
        GoLimits limits = {.has_clock = true, .time_ms = {main_times[i], 1}, .byoyomi_ms = 10000};
        TimePlan plan = plan_for(&limits);
        CHECK(plan.may_be_short);
        CHECK_INT(plan.least_ms, 9950);
        CHECK(stoptimer_target(&plan, &calm) >= 9950);
        CHECK(plan.hard_ms >= last_hard);
        last_hard = plan.hard_ms;
    }
    /* With ample main time, a move that needs it may take more than the byoyomi. */
    GoLimits ample = {.has_clock = true, .time_ms = {600000, 1}, .byoyomi_ms = 10000};
    CHECK(plan_for(&ample).soft_ms > 20000);
}

static void only_the_own_clock_counts(void) {
    GoLimits limits = {.has_clock = true, .time_ms = {60000, 1000}};
    TimePlan black = stoptimer_plan(&limits, &usual, BLACK, 1, 0);
    TimePlan white = stoptimer_plan(&limits, &usual, WHITE, 2, 0);
    CHECK(black.soft_ms > 5 * white.soft_ms);
    CHECK(white.hard_ms <= 950);
}

static void increments_are_usable_now(void) {
    GoLimits limits = {.has_clock = true, .inc_ms = {1000, 1000}};
    TimePlan plan = plan_for(&limits);
    CHECK(plan.soft_ms > 700 && plan.hard_ms <= 950);
    /* Byoyomi and increment add up. */
    limits.byoyomi_ms = 1000;
    CHECK(plan_for(&limits).hard_ms > 1500 && plan_for(&limits).hard_ms <= 1950);
}

static void no_clock_is_ever_overdrawn(void) {
    static const int64_t times[] = {0, 1, 10, 49, 50, 51, 100, 999, 5000, 60000, 3600000};
    int checked = 0;
    for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
        for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
            for (int ply = 1; ply < 400; ply += 57) {
                GoLimits limits = {.has_clock = true,
                                   .time_ms = {times[t], times[t]},
                                   .inc_ms = {times[i] / 2, 0},
                                   .byoyomi_ms = times[i] - times[i] / 2};
                TimePlan plan = stoptimer_plan(&limits, &usual, BLACK, ply, 0);
                bool is_sound = 1 <= plan.hard_ms && plan.least_ms <= plan.soft_ms &&
                                plan.soft_ms <= plan.hard_ms &&
                                (plan.hard_ms < times[t] + times[i] || times[t] + times[i] <= 1);
                checked += is_sound || !CHECK(is_sound);
            }
        }
    }
    CHECK(checked > 500);
}

static void sudden_death_lasts(void) {
    /* 200 moves that each use the soft limit never use up the reserve. */
    int64_t left = 60000;
    for (int ply = 1; ply < 400; ply += 2) {
        GoLimits limits = {.has_clock = true, .time_ms = {left, 1}};
        TimePlan plan = stoptimer_plan(&limits, &usual, BLACK, ply, 0);
        left -= plan.soft_ms;
    }
    CHECK(left > 0);
}

/* What is left of a clock without increment after so many moves, each of which loses `lost` ms that
 * the search does not see, and takes a third more time than planned; negative if time ran out. */
static int64_t left_after(int moves, int64_t left, int64_t inc, int64_t lost) {
    for (int move = 0; move < moves && left > 0; move++) {
        GoLimits limits = {.has_clock = true, .time_ms = {left, 1}, .inc_ms = {inc, inc}};
        TimePlan plan = stoptimer_plan(&limits, &usual, BLACK, 1 + 2 * move, 0);
        left += inc - lost - i64_min(plan.soft_ms * 4 / 3, plan.hard_ms);
    }
    return left;
}

/* On a busy machine every move arrives late. Without an increment, nothing gives this time back. */
static void late_moves_leave_a_reserve(void) {
    CHECK(left_after(100, 10000, 0, 40) > 0);
    CHECK(left_after(75, 10000, 0, 40) > 1000);
    CHECK(left_after(60, 5000, 0, 30) > 500);
    CHECK(left_after(110, 60000, 0, 60) > 0);
    CHECK(left_after(100, 10000, 10, 30) > 100);
    /* An increment that makes up for the losses is used as before: the reserve is 0. */
    GoLimits fischer = {.has_clock = true, .time_ms = {10000, 1}, .inc_ms = {100, 100}};
    CHECK_INT(plan_for(&fischer).soft_ms, 10000 / 50 + 100 - 20);
    GoLimits byoyomi = {.has_clock = true, .time_ms = {10000, 1}, .byoyomi_ms = 1000};
    CHECK_INT(plan_for(&byoyomi).soft_ms, 10000 / 50 + 1000 - 20);
    /* The last move before a time control needs none either. */
    GoLimits last = {.has_clock = true, .time_ms = {10000, 1}, .moves_to_go = 1};
    CHECK(plan_for(&last).hard_ms > 9900);
    /* If answers have been late, so will be the next ones. */
    TimeOptions late = usual;
    late.overrun_ms = 100;
    GoLimits sudden = {.has_clock = true, .time_ms = {10000, 1}};
    CHECK(stoptimer_plan(&sudden, &late, BLACK, 1, 0).soft_ms < plan_for(&sudden).soft_ms / 2);
}

static void movetime_comes_first(void) {
    GoLimits limits = {.has_clock = true, .time_ms = {20000, 20000}, .movetime_ms = 970};
    TimePlan plan = plan_for(&limits);
    CHECK(!plan.may_be_short);
    CHECK_INT(plan.least_ms, 950);
    CHECK_INT(plan.hard_ms, 950);
}

/* movetime includes the time until the answer arrives. */
static void movetime_keeps_the_delay(void) {
    TimeOptions far = usual;
    far.network_delay = 1000;
    static const int64_t times[] = {1, 9, 10, 100, 200, 1000, 20000};
    static const int64_t thinking[] = {1, 9, 9, 90, 180, 980, 19980};
    static const int64_t far_thinking[] = {1, 9, 9, 90, 180, 900, 19000};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        GoLimits limits = {.movetime_ms = times[i]};
        CHECK_INT(plan_for(&limits).hard_ms, thinking[i]);
        CHECK_INT(stoptimer_plan(&limits, &far, BLACK, 1, 0).hard_ms, far_thinking[i]);
    }
}

static void random_time_has_its_range(void) {
    GoLimits limits = {.rtime_ms = 100};
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (uint64_t random = 0; random < 1000; random++) {
        int64_t ms = stoptimer_plan(&limits, &usual, BLACK, 1, random).hard_ms;
        least = ms < least ? ms : least;
        most = ms > most ? ms : most;
    }
    CHECK_INT(least, 100);
    CHECK_INT(most, 300);
}

/* Before a time control, the remaining moves keep at least half of their share. */
static void later_moves_keep_their_part(void) {
    for (int moves = 2; moves <= 40; moves++) {
        GoLimits limits = {.has_clock = true, .time_ms = {20000, 20000}, .moves_to_go = moves};
        TimePlan plan = plan_for(&limits);
        CHECK(plan.soft_ms >= 20000 / moves - 100);
        CHECK(20000 - plan.hard_ms >= 20000 * (moves - 1) / (2 * moves));
        CHECK(plan.hard_ms > plan.soft_ms);
    }
    GoLimits last = {.has_clock = true, .time_ms = {20000, 20000}, .moves_to_go = 1};
    CHECK(plan_for(&last).hard_ms > 19000);
}

/* However far the score drops, time is left for later moves. */
static void no_move_takes_all(void) {
    static const int64_t times[] = {1000, 2000, 5000, 60000, 600000};
    TimeFeedback falling = {.stable_iterations = 0, .score_drop = 1000, .best_share = 0.0};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        for (int64_t inc = 0; inc <= 10000; inc += 1000) {
            GoLimits limits = {.has_clock = true, .time_ms = {times[i], 1}, .inc_ms = {inc, inc}};
            TimePlan plan = plan_for(&limits);
            CHECK(plan.hard_ms <= inc + times[i] * 35 / 100);
            CHECK(stoptimer_target(&plan, &falling) <= plan.hard_ms);
            CHECK(plan.soft_ms <= inc + times[i] / 20);
        }
    }
}

/* After a late answer, the next ones come earlier. */
static void overruns_are_remembered(void) {
    GoLimits limits = {.has_clock = true, .byoyomi_ms = 7000};
    TimeOptions late = usual;
    late.overrun_ms = 300;
    CHECK_INT(stoptimer_plan(&limits, &late, BLACK, 1, 0).hard_ms, 7000 - 50 - 450);
    late.overrun_ms = 100000;
    CHECK_INT(stoptimer_plan(&limits, &late, BLACK, 1, 0).hard_ms, 7000 / 8);
    /* Answers also come earlier if little time is left, because half of it could be lost again. */
    limits.byoyomi_ms = 300;
    late.overrun_ms = 100;
    CHECK_INT(stoptimer_plan(&limits, &late, BLACK, 1, 0).hard_ms, 300 - 50 - 150);
    late.overrun_ms = 360;
    CHECK_INT(stoptimer_plan(&limits, &late, BLACK, 1, 0).hard_ms, 300 / 8);
}

/* A late answer counts at once and then fades; a long pause counts no more than a short one. */
static void overruns_fade(void) {
    TimePlan plan = {.is_timed = true, .hard_ms = 900};
    int64_t overrun = stoptimer_overrun(&plan, 0, 1000);
    CHECK_INT(overrun, 100);
    CHECK_INT(stoptimer_overrun(&plan, overrun, 930), 87);
    CHECK_INT(stoptimer_overrun(&plan, overrun, 1200), 300);
    CHECK_INT(stoptimer_overrun(&plan, overrun, 900000), 450);
    plan.hard_ms = 60000;
    CHECK_INT(stoptimer_overrun(&plan, overrun, 900000), 1000);
    for (int i = 0; i < 40; i++) {
        overrun = stoptimer_overrun(&plan, overrun, 50000);
    }
    CHECK_INT(overrun, 0);
}

/* A minimum thinking time never makes the engine lose on time. */
static void least_time_leaves_a_clock(void) {
    TimeOptions patient = usual;
    patient.minimum_thinking_time = 2000;
    int64_t left = 3000;
    for (int ply = 1; ply < 60; ply += 2) {
        GoLimits limits = {.has_clock = true, .time_ms = {left, 1}};
        left -= stoptimer_plan(&limits, &patient, BLACK, ply, 0).soft_ms;
    }
    CHECK(left > 0);
}

/* A minimum thinking time also never takes time that later moves need before a time control. */
static void least_time_leaves_their_part(void) {
    TimeOptions patient = usual;
    patient.minimum_thinking_time = 100000;
    for (int moves = 1; moves <= 1000; moves++) {
        GoLimits limits = {.has_clock = true, .time_ms = {60000, 1}, .moves_to_go = moves};
        TimePlan plan = stoptimer_plan(&limits, &patient, BLACK, 1, 0);
        CHECK(plan.least_ms <= plan.soft_ms && plan.soft_ms <= plan.hard_ms);
    }
}

static void options_change_the_plan(void) {
    GoLimits limits = {.has_clock = true, .time_ms = {60000, 60000}};
    TimePlan plan = plan_for(&limits);
    TimeOptions slow = usual;
    slow.slow_mover = 200;
    CHECK(stoptimer_plan(&limits, &slow, BLACK, 1, 0).soft_ms > plan.soft_ms * 3 / 2);
    TimeOptions patient = usual;
    patient.minimum_thinking_time = 5000;
    CHECK_INT(stoptimer_plan(&limits, &patient, BLACK, 1, 0).least_ms, 5000);
    limits.time_ms[BLACK] = 1000;
    CHECK(stoptimer_plan(&limits, &patient, BLACK, 1, 0).hard_ms <= 950);
    TimeOptions far = usual;
    far.network_delay2 = 1120;
    GoLimits byoyomi = {.has_clock = true, .byoyomi_ms = 10000};
    CHECK_INT(stoptimer_plan(&byoyomi, &far, BLACK, 1, 0).hard_ms, 8880);
}

static void targets_follow_the_search(void) {
    TimePlan plan = {
        .is_timed = true, .may_be_short = true, .least_ms = 100, .soft_ms = 1000, .hard_ms = 5000};
    TimeFeedback calm = {.stable_iterations = 9, .score_drop = 0, .best_share = 0.9};
    TimeFeedback torn = {.stable_iterations = 0, .score_drop = 0, .best_share = 0.3};
    TimeFeedback falling = {.stable_iterations = 0, .score_drop = 100, .best_share = 0.3};
    CHECK(stoptimer_target(&plan, &calm) < 1000);
    CHECK(stoptimer_target(&plan, &torn) > 1000);
    CHECK(stoptimer_target(&plan, &falling) > stoptimer_target(&plan, &torn));
    TimeFeedback extreme = {.stable_iterations = 0, .score_drop = 30000, .best_share = 0.0};
    CHECK(stoptimer_target(&plan, &extreme) <= 5000);
    plan.least_ms = 900;
    CHECK(stoptimer_target(&plan, &calm) >= 900);
    plan.least_ms = 5000;
    CHECK_INT(stoptimer_target(&plan, &calm), 5000);
}

/* The deadline of a search without pondering, which needs soft_ms or more. */
static int64_t deadline(const TimePlan *plan, const TimeOptions *options, bool is_content,
                        int64_t ms) {
    TimeFeedback calm = {.stable_iterations = 9, .score_drop = 0, .best_share = 0.9};
    TimeFeedback falling = {.stable_iterations = 0, .score_drop = 100, .best_share = 0.3};
    return stoptimer_deadline(plan, options, is_content ? &calm : &falling, ms, ms);
}

static void deadlines_follow_the_search(void) {
    TimePlan plan = {.is_timed = true, .may_be_short = true, .soft_ms = 1000, .hard_ms = 5000};
    CHECK_INT(deadline(&plan, &usual, true, 300), 5000);
    CHECK_INT(deadline(&plan, &usual, true, 1200), 1200);
    CHECK_INT(deadline(&plan, &usual, false, 1200), 5000);
    CHECK_INT(deadline(&plan, &usual, true, 6000), 6000);
    plan.least_ms = 900; /* pondering was long enough, but unused byoyomi would be lost */
    TimeFeedback calm = {.stable_iterations = 9, .score_drop = 0, .best_share = 0.9};
    CHECK_INT(stoptimer_deadline(&plan, &usual, &calm, 7000, 200), 900);
    CHECK_INT(stoptimer_deadline(&plan, &usual, &calm, 7000, 950), 950);
}

static void whole_seconds_for_servers(void) {
    TimePlan plan = {.is_timed = true, .may_be_short = true, .soft_ms = 1000, .hard_ms = 5000};
    TimeOptions server = usual;
    server.round_up_to_full_second = true;
    server.network_delay = 120;
    CHECK_INT(deadline(&plan, &server, true, 1200), 1880);
    CHECK_INT(deadline(&plan, &server, true, 1880), 1880);
    CHECK_INT(deadline(&plan, &server, true, 1900), 2880);
    CHECK_INT(deadline(&plan, &server, true, 4950), 5000);
    CHECK_INT(deadline(&plan, &server, true, 6000), 6000);
    /* If the score has dropped since then, the search needs more than the rest of the second. */
    CHECK_INT(deadline(&plan, &server, false, 1500), 5000);
}

static void the_rest_of_a_second_is_for_nothing(void) {
    TimeOptions server = usual;
    server.network_delay = 120;
    GoLimits clock = {.has_clock = true, .time_ms = {60000, 60000}};
    CHECK_INT(stoptimer_plan(&clock, &server, BLACK, 1, 0).least_ms, 0);
    server.round_up_to_full_second = true;
    TimePlan plan = stoptimer_plan(&clock, &server, BLACK, 1, 0);
    CHECK_INT(plan.least_ms, 880);
    CHECK(plan.least_ms <= plan.soft_ms && plan.soft_ms <= plan.hard_ms);
    clock.time_ms[BLACK] = 500; /* no whole second is left */
    CHECK(stoptimer_plan(&clock, &server, BLACK, 1, 0).least_ms < 100);
}

UNIT_MAIN({"moves to go", later_moves_keep_their_part}, {"least time", least_time_leaves_a_clock},
          {"no move takes all", no_move_takes_all},
          {"overruns are remembered", overruns_are_remembered}, {"overruns fade", overruns_fade},
          {"least time and moves to go", least_time_leaves_their_part},
          {"without a clock time plays no part", without_a_clock},
          {"byoyomi is used up but for the reserve", byoyomi_is_used_up},
          {"byoyomi is used beside main time", byoyomi_is_used_beside_main_time},
          {"only the own clock counts", only_the_own_clock_counts},
          {"increments are usable now", increments_are_usable_now},
          {"no clock is ever overdrawn", no_clock_is_ever_overdrawn},
          {"sudden death lasts 200 moves", sudden_death_lasts},
          {"late moves leave a reserve", late_moves_leave_a_reserve},
          {"movetime comes before the clocks", movetime_comes_first},
          {"movetime keeps the delay of the answer", movetime_keeps_the_delay},
          {"random time has its range", random_time_has_its_range},
          {"options change the plan", options_change_the_plan},
          {"targets follow the search", targets_follow_the_search},
          {"deadlines follow the search", deadlines_follow_the_search},
          {"whole seconds for servers that count them", whole_seconds_for_servers},
          {"the rest of a second is for nothing", the_rest_of_a_second_is_for_nothing})
