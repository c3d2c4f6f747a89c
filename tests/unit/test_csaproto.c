/* Tests of csaproto.h: every line of the protocol, summaries in odd orders, and the clocks. */
#include "csa/csaproto.h"

#include "base/base.h"
#include "unit.h"

/* Reads all lines and returns the last event that is not CSA_NOTHING. */
static CsaEvent read_lines(CsaProto *proto, const char *text) {
    StrView rest = sv_from(text), line;
    CsaEvent last = {.kind = CSA_NOTHING};
    while (sv_next_line(&rest, &line)) {
        CsaEvent event = csaproto_read(proto, line);
        last = event.kind != CSA_NOTHING ? event : last;
    }
    return last;
}

static bool is_text(StrView text, const char *wanted) {
    return sv_equal(text, sv_from(wanted));
}

static void test_lines(void) {
    static const struct {
        const char *line;
        CsaEventKind kind;
        const char *text;
        int64_t spent;
    } cases[] = {
        {"LOGIN:me OK", CSA_LOGGED_IN, NULL, -1},
        {"LOGIN:incorrect", CSA_LOGIN_REFUSED, NULL, -1},
        {"LOGIN:", CSA_UNKNOWN, NULL, -1},
        {"LOGOUT:completed", CSA_LOGGED_OUT, NULL, -1},
        {"START:20261127-x", CSA_START, "20261127-x", -1},
        {"REJECT:20261127-x by you", CSA_REJECT, "20261127-x by you", -1},
        {"+7776FU,T12", CSA_MOVE, "+7776FU", 12},
        {"-3334FU,T0\r", CSA_MOVE, "-3334FU", 0},
        {"+7776FU", CSA_MOVE, "+7776FU", -1},
        {"+7776FU,'* 30 -3334FU,T5", CSA_MOVE, "+7776FU", 5},
        {"+7776FU,T-3", CSA_MOVE, "+7776FU", -1},
        {"+7776FU,T99999999999999999999", CSA_MOVE, "+7776FU", -1},
        {"+7776FUX,T1", CSA_UNKNOWN, NULL, 1},
        {"%TORYO,T4", CSA_UNKNOWN, NULL, 4},
        {"%KACHI", CSA_UNKNOWN, NULL, -1},
        {"%%CHAT hello", CSA_UNKNOWN, NULL, -1},
        {"##[LOGIN] +OK x1", CSA_UNKNOWN, NULL, -1},
        {"##[CHAT] <you> #WIN", CSA_UNKNOWN, NULL, -1},
        {"#", CSA_UNKNOWN, NULL, -1},
        {"#SENNICHITE", CSA_REASON, "SENNICHITE", -1},
        {"#OUTE_SENNICHITE", CSA_REASON, "OUTE_SENNICHITE", -1},
        {"#ILLEGAL_MOVE", CSA_REASON, "ILLEGAL_MOVE", -1},
        {"#TIME_UP", CSA_REASON, "TIME_UP", -1},
        {"#JISHOGI", CSA_REASON, "JISHOGI", -1},
        {"#MAX_MOVES", CSA_REASON, "MAX_MOVES", -1},
        {"#CENSORED", CSA_RESULT, "CENSORED", -1},
        {"#CHUDAN", CSA_RESULT, "CHUDAN", -1},
        {"#WIN", CSA_RESULT, "WIN", -1},
        {"#LOSE", CSA_RESULT, "LOSE", -1},
        {"#DRAW", CSA_RESULT, "DRAW", -1},
        {"", CSA_NOTHING, NULL, -1},
        {"   ", CSA_NOTHING, NULL, -1},
        {"hello", CSA_UNKNOWN, NULL, -1},
        {"END Game_Summary", CSA_UNKNOWN, NULL, -1},
    };
    CsaProto proto = {0};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        CsaEvent event = csaproto_read(&proto, sv_from(cases[i].line));
        CHECK_INT(event.kind, cases[i].kind);
        CHECK(cases[i].text == NULL || is_text(event.text, cases[i].text));
        CHECK_INT(event.spent, cases[i].spent);
    }
    CHECK_INT(csaproto_read(&proto, SV("-3334FU,T1")).side, WHITE);
    csaproto_free(&proto);
}

/* A summary as the public server sends it. */
static void test_summary(void) {
    CsaProto proto = {0};
    CsaEvent event =
        read_lines(&proto, "BEGIN Game_Summary\nProtocol_Version:1.2\n"
                           "Protocol_Mode:Server\nFormat:Shogi 1.0\n"
                           "Declaration:Jishogi 1.1\nGame_ID:g+1\nName+:a\nName-:b\n"
                           "Your_Turn:-\nRematch_On_Draw:NO\nTo_Move:+\n"
                           "Max_Moves:256\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:300\n"
                           "Byoyomi:0\nIncrement:10\nLeast_Time_Per_Move:0\nEND Time\n"
                           "BEGIN Position\nPI\n+\n+2726FU,T12\nEND Position\n"
                           "END Game_Summary\n");
    const CsaSummary *summary = &proto.summary;
    CHECK_INT(event.kind, CSA_SUMMARY);
    CHECK_STR(summary->game_id.ptr, "g+1");
    CHECK_STR(summary->name[BLACK].ptr, "a");
    CHECK_STR(summary->name[WHITE].ptr, "b");
    CHECK(summary->us == WHITE && summary->to_move == BLACK && !summary->rematches_on_draw);
    CHECK_INT(summary->max_moves, 256);
    CHECK_STR(summary->position.ptr, "PI\n+\n+2726FU,T12\n");
    for (int side = BLACK; side <= WHITE; side++) {
        const CsaTime *time = &summary->time[side];
        CHECK(time->is_limited && !time->rounds_up);
        CHECK_INT(time->unit_ms, 1000);
        CHECK_INT(time->total_ms, 300000);
        CHECK_INT(time->byoyomi_ms, 0);
        CHECK_INT(time->increment_ms, 10000);
        CHECK_INT(time->remaining_ms, -1);
    }
    /* The next summary replaces everything. */
    event = read_lines(&proto, "BEGIN Game_Summary\nYour_Turn:+\nTo_Move:-\nGame_ID:h\n"
                               "END Game_Summary\n");
    CHECK_INT(event.kind, CSA_SUMMARY);
    CHECK_INT(summary->max_moves, 0);
    CHECK(!summary->time[BLACK].is_limited);
    CHECK_STR(summary->position.ptr, "PI\n-\n");
    /* shogi-server's game without a limit has times of 0. */
    event = read_lines(&proto, "BEGIN Game_Summary\nYour_Turn:+\nTo_Move:+\nBEGIN Time\n"
                               "Total_Time:0\nByoyomi:0\nLeast_Time_Per_Move:0\nEND Time\n"
                               "END Game_Summary\n");
    CHECK_INT(event.kind, CSA_SUMMARY);
    CHECK(!summary->time[BLACK].is_limited);
    csaproto_free(&proto);
}

/* Blocks and lines in another order, a block for each side, a unit after the times, unknown keys,
 * and no line for the side to move. */
static void test_odd_summary(void) {
    CsaProto proto = {0};
    CsaEvent event = read_lines(
        &proto, "BEGIN Game_Summary\nBEGIN Position\nP1 *  *  *  * -OU *  *  *  * \n+5554FU,T3\n"
                "END Position\nBEGIN Time+\nTotal_Time:2\nByoyomi:1\nTime_Roundup:YES\n"
                "Time_Unit:1min\nRemaining_Time+:1\nEND Time+\nBEGIN Time-\nTime_Unit:1msec\n"
                "Increment:5000\nDelay:7\nNew_Key:x\nTotal_Time:60000\nEND Time-\nTo_Move:+\n"
                "Rematch_On_Draw:YES\nNew_Key:1\nYour_Turn:+\nEND Game_Summary\n");
    const CsaTime *black = &proto.summary.time[BLACK], *white = &proto.summary.time[WHITE];
    CHECK_INT(event.kind, CSA_SUMMARY);
    CHECK(proto.summary.rematches_on_draw);
    CHECK_INT(black->unit_ms, 60000);
    CHECK_INT(black->total_ms, 120000);
    CHECK_INT(black->byoyomi_ms, 60000);
    CHECK_INT(black->remaining_ms, 60000);
    CHECK(black->rounds_up && !white->rounds_up);
    CHECK_INT(white->unit_ms, 1);
    CHECK_INT(white->total_ms, 60000);
    CHECK_INT(white->increment_ms, 5000);
    CHECK_INT(white->delay_ms, 7);
    CHECK_STR(proto.summary.position.ptr, "P1 *  *  *  * -OU *  *  *  *\n+\n+5554FU,T3\n");
    csaproto_free(&proto);
}

static void test_bad_summary(void) {
    static const char *const lines[] = {"Your_Turn:x",
                                        "To_Move:",
                                        "Max_Moves:-1",
                                        "Max_Moves:x",
                                        "Format:Go 1.0",
                                        "BEGIN Time\nTime_Unit:x",
                                        "BEGIN Time\nTotal_Time:x",
                                        "BEGIN Time\nByoyomi:-5"};
    for (size_t i = 0; i < COUNTOF(lines); i++) {
        CsaProto proto = {0};
        StrBuf text = STRBUF_INIT;
        strbuf_addf(&text,
                    "BEGIN Game_Summary\nYour_Turn:+\nTo_Move:+\n%s\nEND Time\n"
                    "END Game_Summary\n",
                    lines[i]);
        CHECK_INT(read_lines(&proto, text.ptr).kind, CSA_BAD_SUMMARY);
        strbuf_free(&text);
        csaproto_free(&proto);
    }
    CsaProto proto = {0};
    CHECK_INT(read_lines(&proto, "BEGIN Game_Summary\nTo_Move:+\nEND Game_Summary\n").kind,
              CSA_BAD_SUMMARY);
    CHECK_INT(read_lines(&proto, "BEGIN Game_Summary\nYour_Turn:+\nEND Game_Summary\n").kind,
              CSA_BAD_SUMMARY);
    csaproto_free(&proto);
}

static CsaClock clock_of(CsaTime time) {
    CsaSummary summary = {.time = {time, time}};
    return csaproto_clock(&summary);
}

/* The increment is added before each move, as the server does it, so the first move has it too. */
static void test_increment(void) {
    const TimeControl none = {0};
    CsaClock clock = clock_of((CsaTime){.is_limited = true,
                                        .unit_ms = 1000,
                                        .total_ms = 300000,
                                        .increment_ms = 10000,
                                        .remaining_ms = -1});
    GameClock go = csaproto_engine_clock(&clock, BLACK, 500, &none);
    StrBuf text = STRBUF_INIT;
    timecontrol_write_go(&go, BLACK, false, &text);
    CHECK_STR(text.ptr, "go btime 299500 wtime 300000 binc 10000 winc 10000");
    CHECK_INT(timecontrol_budget_ns(&go, BLACK), INT64_C(309500000000));
    csaproto_spend(&clock, BLACK, 4);
    CHECK_INT(clock.left_ms[BLACK], 306000);
    CHECK_INT(clock.left_ms[WHITE], 300000);
    csaproto_spend(&clock, BLACK, 316);
    CHECK_INT(clock.left_ms[BLACK], 0);
    /* Without main time, the reserve comes out of the increment. */
    go = csaproto_engine_clock(&clock, BLACK, 500, &none);
    strbuf_clear(&text);
    timecontrol_write_go(&go, BLACK, false, &text);
    CHECK_STR(text.ptr, "go btime 0 wtime 300000 binc 9500 winc 10000");
    strbuf_free(&text);
}

static void test_byoyomi(void) {
    const TimeControl none = {0};
    CsaTime time = {.is_limited = true, .unit_ms = 1000, .total_ms = 60000, .byoyomi_ms = 10000};
    time.remaining_ms = 3000;
    CsaClock clock = clock_of(time);
    GameClock go = csaproto_engine_clock(&clock, WHITE, 1000, &none);
    StrBuf text = STRBUF_INIT;
    timecontrol_write_go(&go, WHITE, false, &text);
    CHECK_STR(text.ptr, "go btime 3000 wtime 3000 byoyomi 9000");
    csaproto_spend(&clock, WHITE, 11);
    CHECK_INT(clock.left_ms[WHITE], 0);
    /* Rounding up costs another unit. */
    clock.time[WHITE].rounds_up = true;
    go = csaproto_engine_clock(&clock, WHITE, 1000, &none);
    CHECK_INT(timecontrol_budget_ns(&go, WHITE), INT64_C(8000000000));
    /* However much is reserved, something is left. */
    go = csaproto_engine_clock(&clock, WHITE, 1000000, &none);
    CHECK_INT(timecontrol_budget_ns(&go, WHITE), 1000000);
    /* A game without a clock keeps the engine's own limit. */
    const TimeControl nodes = {.nodes = 1000};
    clock = clock_of((CsaTime){.unit_ms = 1000, .remaining_ms = -1});
    go = csaproto_engine_clock(&clock, BLACK, 1000, &nodes);
    strbuf_clear(&text);
    timecontrol_write_go(&go, BLACK, false, &text);
    CHECK_STR(text.ptr, "go nodes 1000");
    strbuf_free(&text);
}

/* A time for each move that the engine's user has set must not outlast the clock. */
static void test_move_time(void) {
    const TimeControl five = {.movetime_ms = 5000};
    CsaTime time = {.is_limited = true,
                    .unit_ms = 1000,
                    .total_ms = 60000,
                    .increment_ms = 4000,
                    .remaining_ms = -1};
    CsaClock clock = clock_of(time);
    GameClock go = csaproto_engine_clock(&clock, BLACK, 1000, &five);
    StrBuf text = STRBUF_INIT;
    timecontrol_write_go(&go, BLACK, false, &text);
    CHECK_STR(text.ptr, "go btime 59000 wtime 60000 binc 4000 winc 4000 movetime 5000");
    csaproto_spend(&clock, BLACK, 64);
    go = csaproto_engine_clock(&clock, BLACK, 1000, &five);
    strbuf_clear(&text);
    timecontrol_write_go(&go, BLACK, false, &text);
    CHECK_STR(text.ptr, "go btime 0 wtime 60000 binc 3000 winc 4000 movetime 3000");
    CHECK_INT(timecontrol_budget_ns(&go, BLACK), INT64_C(3000000000));
    /* In byoyomi. */
    time = (CsaTime){.is_limited = true, .unit_ms = 1000, .byoyomi_ms = 4000, .remaining_ms = -1};
    clock = clock_of(time);
    go = csaproto_engine_clock(&clock, WHITE, 500, &five);
    CHECK_INT(timecontrol_budget_ns(&go, WHITE), INT64_C(3500000000));
    /* Without a clock, only this time counts. */
    clock = clock_of((CsaTime){.unit_ms = 1000, .remaining_ms = -1});
    go = csaproto_engine_clock(&clock, WHITE, 500, &five);
    CHECK_INT(timecontrol_budget_ns(&go, WHITE), INT64_C(5000000000));
    strbuf_free(&text);
}

/* An engine that hangs is stopped early enough to start another process, which takes 150 ms here,
 * whatever the time control. */
static void test_limits(void) {
    static const struct {
        int total_ms, byoyomi_ms, increment_ms;
        int limit_ms; /* of a search that goes on printing */
        int quiet_ms; /* of one that does not; 0: there is no time for another start */
    } cases[] = {
        {600000, 0, 0, 449775, 599200}, {60000, 0, 0, 44775, 59200}, {0, 30000, 0, 29700, 29200},
        {0, 2000, 0, 1700, 1200},       {0, 1000, 0, 700, 0},        {4000, 10000, 0, 12700, 13200},
        {0, 0, 10000, 9700, 9200},      {0, 0, 1250, 950, 0},
    };
    const TimeControl none = {0};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        CsaClock clock = clock_of((CsaTime){.is_limited = true,
                                            .unit_ms = 1000,
                                            .total_ms = cases[i].total_ms,
                                            .byoyomi_ms = cases[i].byoyomi_ms,
                                            .increment_ms = cases[i].increment_ms,
                                            .remaining_ms = -1});
        GameClock go = csaproto_engine_clock(&clock, WHITE, 300, &none);
        csaproto_limit_move(&go, WHITE, 150);
        CHECK_INT(go.limit_ns / 1000000, cases[i].limit_ms);
        CHECK_INT(go.quiet_ns / 1000000, cases[i].quiet_ms);
    }
    CsaClock unlimited = clock_of((CsaTime){.unit_ms = 1000, .remaining_ms = -1});
    GameClock go = csaproto_engine_clock(&unlimited, WHITE, 300, &none);
    csaproto_limit_move(&go, WHITE, 150);
    CHECK(go.limit_ns == 0 && go.quiet_ns == 0);
}

UNIT_MAIN({"lines", test_lines}, {"a summary", test_summary}, {"odd summaries", test_odd_summary},
          {"bad summaries", test_bad_summary}, {"an increment", test_increment},
          {"byoyomi", test_byoyomi}, {"a time for each move", test_move_time},
          {"limits for an engine that hangs", test_limits})
