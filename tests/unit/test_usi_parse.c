/* Tests the parsing of valid and invalid USI lines. */
#include "rules/position.h"

#include "engine/usi_text.h"
#include "rules/sfen.h"
#include "unit.h"

static GoLimits limits;
static UsiFault fault;

static const GoLimits *go(const char *args) {
    usi_parse_go(sv_from(args), 0, &limits, &fault);
    return &limits;
}

static void clocks(void) {
    go("btime 4612 wtime 9000 binc 1000 winc 500");
    CHECK(limits.has_clock && fault.text == NULL);
    CHECK_INT(limits.time_ms[BLACK], 4612);
    CHECK_INT(limits.time_ms[WHITE], 9000);
    CHECK_INT(limits.inc_ms[BLACK], 1000);
    CHECK_INT(limits.inc_ms[WHITE], 500);
    go("byoyomi 300");
    CHECK(limits.has_clock && !limits.is_infinite);
    CHECK_INT(limits.byoyomi_ms, 300);
    go("btime 0 wtime 0 byoyomi 0");
    CHECK(limits.has_clock && !limits.is_infinite);
    go("btime -5 byoyomi 99999999999999");
    CHECK_INT(limits.time_ms[BLACK], 0);
    CHECK(limits.byoyomi_ms > 1000000000 && fault.text == NULL);
}

/* Bots written in other languages send times as floating-point numbers. */
static void decimals(void) {
    CHECK_INT(go("movetime 1000.0 btime 600000 wtime 600000")->movetime_ms, 1000);
    CHECK_INT(go("movetime 250.75")->movetime_ms, 250);
    go("btime 60000.0 wtime 59999.9 byoyomi 0");
    CHECK(fault.text == NULL && limits.time_ms[BLACK] == 60000 && limits.time_ms[WHITE] == 59999);
    go("btime 1. wtime .5 binc 10000.00 winc +3.5 byoyomi -2.5");
    CHECK(fault.text == NULL && limits.time_ms[BLACK] == 1 && limits.time_ms[WHITE] == 0);
    CHECK(limits.inc_ms[BLACK] == 10000 && limits.inc_ms[WHITE] == 3 && limits.byoyomi_ms == 0);
    CHECK_INT((int64_t)go("nodes 5000.0")->nodes, 5000);
    CHECK_INT(go("depth 9.9")->depth, 9);
    CHECK_INT(go("mate 5000.0")->mate_ms, 5000);
    CHECK(go("btime 99999999999999999999.5")->time_ms[BLACK] > 1000000000 && fault.text == NULL);
    const char *const bad[] = {"movetime .",   "movetime 1.0.0", "movetime 1,000",
                               "movetime 1e3", "movetime 100ms", "movetime nan",
                               "movetime -.",  "movetime 1.-5"};
    for (size_t i = 0; i < COUNTOF(bad); i++) {
        CHECK(go(bad[i])->movetime_ms == 1000 && fault.text != NULL);
    }
}

/* A clock that cannot be read must not look like one that has run out. */
static void unreadable_clocks(void) {
    go("btime x wtime y byoyomi 0");
    CHECK(fault.text != NULL && limits.inc_ms[BLACK] == 1000 && limits.inc_ms[WHITE] == 1000);
    go("btime inf wtime 60000 byoyomi 0");
    CHECK(limits.inc_ms[BLACK] == 1000 && limits.inc_ms[WHITE] == 0);
    go("btime 0 wtime 0 byoyomi None");
    CHECK(limits.inc_ms[BLACK] == 1000 && limits.inc_ms[WHITE] == 1000);
    go("btime None wtime None byoyomi 3000");
    CHECK(limits.inc_ms[BLACK] == 0 && limits.byoyomi_ms == 3000);
}

static void other_limits(void) {
    CHECK_INT(go("movetime 970")->movetime_ms, 970);
    CHECK_INT(go("depth 12")->depth, 12);
    CHECK_INT((int64_t)go("nodes 5000000000")->nodes, 5000000000);
    CHECK_INT(go("rtime 100")->rtime_ms, 100);
    CHECK_INT(go("movestogo 20 btime 1")->moves_to_go, 20);
    CHECK_INT(go("perft 5")->perft_depth, 5);
    CHECK(go("infinite")->is_infinite);
    CHECK(go("")->is_infinite);
    usi_parse_go(SV("searchmoves 7g7f"), 20, &limits, &fault);
    CHECK(!limits.is_infinite && limits.movetime_ms == 20 && limits.search_move_count == 1);
    usi_parse_go(SV("infinite"), 20, &limits, &fault);
    CHECK(limits.is_infinite && limits.movetime_ms == 0);
    go("foo");
    CHECK(fault.is_nonsense && sv_equal(fault.word, SV("foo")));
    go("depth 3 foo");
    CHECK(!fault.is_nonsense && fault.text == NULL && limits.depth == 3);
    CHECK(!go("depth 3")->is_infinite);
    CHECK(go("depth 3 infinite")->is_infinite);
    go("movetime 100 depth 3 nodes 50 btime 1 wtime 2 byoyomi 3 binc 4 winc 5");
    CHECK(limits.movetime_ms == 100 && limits.depth == 3 && limits.nodes == 50);
    CHECK(limits.time_ms[WHITE] == 2 && limits.byoyomi_ms == 3 && limits.inc_ms[WHITE] == 5);
}

static void ponder_and_mate(void) {
    go("ponder");
    CHECK(limits.is_ponder && !limits.has_clock && !limits.is_infinite);
    go("ponder btime 1000 wtime 2000 byoyomi 500");
    CHECK(limits.is_ponder && limits.has_clock);
    go("mate 2000");
    CHECK(limits.is_mate);
    CHECK_INT(limits.mate_ms, 2000);
    go("mate infinite");
    CHECK(limits.is_mate && !limits.is_infinite);
    CHECK_INT(limits.mate_ms, 0);
    go("mate");
    CHECK(limits.is_mate && fault.text == NULL);
    CHECK_INT(limits.mate_ms, 0);
    /* A time of zero is the smallest time. A value that is not a time gives an error, but the
     * search still answers. */
    CHECK_INT(go("mate 0")->mate_ms, 1);
    CHECK_INT(go("mate -7")->mate_ms, 1);
    CHECK(fault.text == NULL);
    go("mate abc");
    CHECK(limits.is_mate && limits.mate_ms > 0 && fault.text != NULL);
}

static void search_moves(void) {
    go("searchmoves 7g7f P*5e 8h2b+ depth 5");
    CHECK_INT(limits.search_move_count, 3);
    CHECK_INT(limits.depth, 5);
    CHECK_INT(limits.search_moves[1], move_make_drop(PAWN, SQ(5, 5)));
    go("searchmoves");
    CHECK(fault.text != NULL);
    StrBuf many = STRBUF_INIT;
    strbuf_add_str(&many, "searchmoves");
    for (int i = 0; i < 2 * MAX_MOVES; i++) {
        strbuf_add_str(&many, " 7g7f");
    }
    go(many.ptr);
    CHECK_INT(limits.search_move_count, MAX_MOVES);
    strbuf_free(&many);
}

static void faulty_limits_get_an_answer(void) {
    static const char *const lines[] = {
        "depth", "depth x", "nodes",   "byoyomi",     "byoyomi abc", "movetime 1,5",
        "btime", "rtime -", "depth +", "movetime ms", "nodes 1k",    "nodes 99999999999999999999x"};
    for (size_t i = 0; i < COUNTOF(lines); i++) {
        go(lines[i]);
        CHECK(fault.text != NULL);
        CHECK(!limits.is_infinite && limits.movetime_ms > 0);
    }
    /* A missing value does not consume the next parameter. */
    go("depth nodes 300");
    CHECK(fault.text != NULL && sv_equal(fault.word, SV("depth")));
    CHECK_INT((int64_t)limits.nodes, 300);
    /* Values out of range are clamped, not rejected. */
    CHECK_INT(go("depth 0")->depth, 1);
    CHECK(go("depth 100000")->depth > 100);
    CHECK(go("nodes 18446744073709551615")->nodes == INT64_MAX && fault.text == NULL);
    CHECK(go("mate 99999999999999999999")->mate_ms > 1000000000 && fault.text == NULL);
}

static void options(void) {
    StrView name;
    StrView value;
    CHECK(usi_parse_setoption(SV("name USI_Hash value 64"), &name, &value));
    CHECK(sv_equal(name, SV("USI_Hash")) && sv_equal(value, SV("64")));
    CHECK(usi_parse_setoption(SV("name Clear Hash"), &name, &value));
    CHECK(sv_equal(name, SV("Clear Hash")) && value.len == 0);
    CHECK(usi_parse_setoption(SV("name File value /a b/c value d.txt "), &name, &value));
    CHECK(sv_equal(name, SV("File")) && sv_equal(value, SV("/a b/c value d.txt")));
    CHECK(usi_parse_setoption(SV("name File value  <empty> "), &name, &value));
    CHECK(sv_equal(name, SV("File")) && value.len == 0);
    CHECK(usi_parse_setoption(SV("  name   X   value "), &name, &value));
    CHECK(sv_equal(name, SV("X")) && value.len == 0);
    CHECK(!usi_parse_setoption(SV(""), &name, &value));
    CHECK(!usi_parse_setoption(SV("name"), &name, &value));
    CHECK(!usi_parse_setoption(SV("name value 3"), &name, &value));
    CHECK(!usi_parse_setoption(SV("USI_Hash value 3"), &name, &value));
}

static bool position(Position *pos, const char *args) {
    return usimove_position(sv_from(args), pos, &fault);
}

static const char *sfen_of(const Position *pos) {
    static StrBuf text;
    strbuf_clear(&text);
    pos_get_sfen(pos, &text);
    return text.ptr;
}

static void positions(void) {
    Position pos;
    pos_init(&pos);
    CHECK(position(&pos, "startpos"));
    CHECK_STR(sfen_of(&pos), SFEN_START);
    CHECK(position(&pos, "startpos moves"));
    CHECK(position(&pos, "startpos moves 7g7f 3c3d 8h2b+"));
    CHECK_INT(pos_moves_done(&pos), 3);
    CHECK(position(&pos, "sfen " SFEN_START));
    CHECK(position(&pos, SFEN_START " moves 2g2f"));
    CHECK(position(&pos, "sfen " SFEN_START " moves "));
    CHECK_STR(sfen_of(&pos), SFEN_START);
    CHECK(position(&pos, "\tsfen  4k4/9/9/9/9/9/9/9/4K4  w  -  moves 5a5b"));
    CHECK_STR(sfen_of(&pos), "9/4k4/9/9/9/9/9/9/4K4 b - 2");
    /* The word of any ending may stand behind the moves. */
    CHECK(position(&pos, "startpos moves 7g7f rep_draw") && CHECK_INT(pos_moves_done(&pos), 1));
    CHECK(position(&pos, "startpos moves 7g7f 3c3d win") && CHECK_INT(pos_moves_done(&pos), 2));
    pos_free(&pos);
}

static void bad_positions(void) {
    Position pos;
    pos_init(&pos);
    static const char *const lines[] = {"",
                                        "moves 7g7f",
                                        "sfen",
                                        "start",
                                        "startpos 7g7f",
                                        "startpos moves 7g7f moves 3c3d",
                                        "startpos moves 7g7e",
                                        "startpos moves none",
                                        "startpos moves win 7g7f",
                                        "startpos moves 7g7f 3c3d 8h2b++",
                                        "sfen 9/9/9/9/9/9/9/9 b - 1"};
    for (size_t i = 0; i < COUNTOF(lines); i++) {
        CHECK(!position(&pos, lines[i]));
        CHECK(fault.text != NULL);
    }
    CHECK(!position(&pos, "startpos moves 7g7f 3c3d 2b8h"));
    CHECK_INT(fault.place, 3);
    CHECK(sv_equal(fault.word, SV("2b8h")));
    pos_free(&pos);
}

UNIT_MAIN({"clocks", clocks}, {"decimals", decimals}, {"unreadable clocks", unreadable_clocks},
          {"other limits", other_limits}, {"ponder and mate", ponder_and_mate},
          {"searchmoves", search_moves},
          {"faulty limits get an answer", faulty_limits_get_an_answer}, {"setoption", options},
          {"positions", positions}, {"bad positions", bad_positions})
