/* Tests of timecontrol.h. The numbers for a Fischer clock are from a recorded game in which
 * ShogiHome 1.29 used 10 s + 1 s per move. */
#include "play/timecontrol.h"
#include "unit.h"

#define MS ((int64_t)1000000)

static void test_reading(void) {
    TimeControl tc = {.margin_ms = 7};
    CHECK(timecontrol_read_clock(SV("8+0.08"), &tc));
    CHECK(tc.has_clock);
    CHECK_INT(tc.main_ms, 8000);
    CHECK_INT(tc.inc_ms, 80);
    CHECK_INT(tc.margin_ms, 7);
    CHECK(timecontrol_read_clock(SV("1:30"), &tc));
    CHECK_INT(tc.main_ms, 90000);
    CHECK_INT(tc.inc_ms, 0);
    CHECK(timecontrol_read_clock(SV("0.0005"), &tc));
    CHECK_INT(tc.main_ms, 1);
    CHECK(timecontrol_read_clock(SV("inf"), &tc) && !tc.has_clock);
    static const char *const wrong[] = {"",   "+1", "a",  "1+",   "1+x",
                                        "1:", ":1", "-1", "1+-1", "1+1+1"};
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        TimeControl before = {.main_ms = 42};
        CHECK(!timecontrol_read_clock(sv_from(wrong[i]), &before));
        CHECK_INT(before.main_ms, 42);
        CHECK(!before.has_clock);
    }
}

static void check_words(const TimeControl *tc, const char *words, const char *with_unit) {
    StrBuf out = STRBUF_INIT;
    timecontrol_write(tc, "", &out);
    CHECK_STR(out.ptr, words);
    strbuf_clear(&out);
    timecontrol_write(tc, " s", &out);
    CHECK_STR(out.ptr, with_unit);
    strbuf_free(&out);
}

static void test_words(void) {
    check_words(&(TimeControl){.has_clock = true, .main_ms = 10000, .inc_ms = 100}, "10+0.1",
                "10+0.1 s");
    check_words(&(TimeControl){.has_clock = true, .byoyomi_ms = 1500}, "0+b1.5", "0+b1.5 s");
    check_words(&(TimeControl){.has_clock = true, .main_ms = 1000000001}, "1000000.001",
                "1000000.001 s");
    check_words(&(TimeControl){.nodes = 5000, .depth = 6}, "nodes 5000, depth 6",
                "nodes 5000, depth 6");
    check_words(&(TimeControl){.movetime_ms = 250}, "0.25 per move", "0.25 s per move");
    check_words(&(TimeControl){0}, "no limit", "no limit");
    CHECK(!timecontrol_is_limited(&(TimeControl){0}));
    CHECK(timecontrol_is_limited(&(TimeControl){.depth = 1}));
}

static void check_go(const GameClock *clock, Color side, bool is_ponder, const char *text) {
    StrBuf out = STRBUF_INIT;
    timecontrol_write_go(clock, side, is_ponder, &out);
    CHECK_STR(out.ptr, text);
    strbuf_free(&out);
}

static void test_fischer(void) {
    TimeControl tc = {.has_clock = true, .main_ms = 10000, .inc_ms = 1000};
    GameClock clock = timecontrol_start(&tc, &tc);
    check_go(&clock, BLACK, false, "go btime 9000 wtime 9000 binc 1000 winc 1000");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 10000 * MS);
    CHECK(timecontrol_spend(&clock, BLACK, 4391 * MS));
    check_go(&clock, BLACK, true, "go ponder btime 5609 wtime 9000 binc 1000 winc 1000");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 6609 * MS);
    CHECK(timecontrol_spend(&clock, WHITE, 4000 * MS));
    check_go(&clock, BLACK, false, "go btime 5609 wtime 6000 binc 1000 winc 1000");
    CHECK(!timecontrol_spend(&clock, BLACK, 6609 * MS + 1));
    CHECK(timecontrol_spend(&clock, BLACK, 6609 * MS));
    check_go(&clock, BLACK, false, "go btime 0 wtime 6000 binc 1000 winc 1000");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 1000 * MS);
}

static void test_byoyomi(void) {
    TimeControl tc = {.has_clock = true, .main_ms = 2000, .byoyomi_ms = 1000, .margin_ms = 50};
    GameClock clock = timecontrol_start(&tc, &tc);
    check_go(&clock, BLACK, false, "go btime 2000 wtime 2000 byoyomi 1000");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 3000 * MS);
    CHECK(timecontrol_spend(&clock, BLACK, 2500 * MS));
    check_go(&clock, WHITE, false, "go btime 0 wtime 2000 byoyomi 1000");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 1000 * MS);
    CHECK(timecontrol_spend(&clock, BLACK, 1050 * MS)); /* within the margin */
    CHECK(!timecontrol_spend(&clock, BLACK, 1051 * MS));
}

static void test_other_limits(void) {
    TimeControl nodes = {.nodes = 20000};
    TimeControl time = {.movetime_ms = 500};
    GameClock clock = timecontrol_start(&nodes, &time);
    check_go(&clock, BLACK, false, "go nodes 20000");
    check_go(&clock, WHITE, false, "go movetime 500");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), -1);
    CHECK_INT(timecontrol_budget_ns(&clock, WHITE), 500 * MS);
    CHECK(timecontrol_spend(&clock, BLACK, 1000000 * MS));
    CHECK(timecontrol_spend(&clock, WHITE, 500 * MS));
    CHECK(timecontrol_spend(&clock, WHITE, 500 * MS)); /* each move has the whole byoyomi */
    CHECK(!timecontrol_spend(&clock, WHITE, 501 * MS));
    /* A player with a clock and a node limit, against a player without a clock. */
    TimeControl both = {.has_clock = true, .main_ms = 60000, .nodes = 100, .depth = 3};
    clock = timecontrol_start(&both, &nodes);
    check_go(&clock, BLACK, false, "go btime 60000 wtime 0 byoyomi 0 nodes 100 depth 3");
}

/* A fixed time for each move never outlasts the clock beside it. */
static void test_move_time(void) {
    TimeControl tc = {.has_clock = true, .main_ms = 1000, .inc_ms = 100, .movetime_ms = 400};
    GameClock clock = timecontrol_start(&tc, &tc);
    check_go(&clock, BLACK, false, "go btime 900 wtime 900 binc 100 winc 100 movetime 400");
    CHECK(!timecontrol_spend(&clock, BLACK, 401 * MS));
    CHECK(timecontrol_spend(&clock, BLACK, 400 * MS));
    CHECK(timecontrol_spend(&clock, BLACK, 400 * MS));
    CHECK(timecontrol_spend(&clock, BLACK, 400 * MS)); /* every increment is used up */
    check_go(&clock, BLACK, false, "go btime 0 wtime 900 binc 100 winc 100 movetime 100");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 100 * MS);
    CHECK(!timecontrol_spend(&clock, BLACK, 101 * MS));
    tc = (TimeControl){.has_clock = true, .byoyomi_ms = 300, .movetime_ms = 400};
    clock = timecontrol_start(&tc, &tc);
    check_go(&clock, BLACK, false, "go btime 0 wtime 0 byoyomi 300 movetime 300");
    /* An engine is not asked for a move in no time. */
    tc = (TimeControl){.has_clock = true, .main_ms = 400, .movetime_ms = 400, .margin_ms = 50};
    clock = timecontrol_start(&tc, &tc);
    CHECK(timecontrol_spend(&clock, BLACK, 400 * MS));
    check_go(&clock, BLACK, false, "go btime 0 wtime 400 byoyomi 0 movetime 1");
}

/* If the main time is less than the increment, the first move has the increment. */
static void test_increment_only(void) {
    TimeControl tc = {.has_clock = true, .main_ms = 0, .inc_ms = 200};
    GameClock clock = timecontrol_start(&tc, &tc);
    check_go(&clock, BLACK, false, "go btime 0 wtime 0 binc 200 winc 200");
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 200 * MS);
    CHECK(timecontrol_spend(&clock, BLACK, 150 * MS));
    CHECK_INT(timecontrol_budget_ns(&clock, BLACK), 250 * MS);
}

UNIT_MAIN({"clocks are read, or refused whole", test_reading},
          {"time controls in words", test_words},
          {"Fischer increments as GUIs send them", test_fischer},
          {"byoyomi and margin", test_byoyomi},
          {"nodes, depth and time for a move", test_other_limits},
          {"a time for each move", test_move_time},
          {"nothing but an increment", test_increment_only})
