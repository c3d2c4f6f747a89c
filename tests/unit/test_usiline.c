/* Tests usiline.h with lines from real engines. */
#include "play/usiline.h"
#include "unit.h"

/* The moves of the last info line. */
static StrView pv;

static UsiInfo info_of(const char *line) {
    UsiInfo info = {0};
    (void)usiline_read_info(sv_from(line), &info, &pv);
    return info;
}

static void test_info(void) {
    UsiInfo info = info_of("depth 16 seldepth 23 multipv 1 score cp 133 nodes 1478303 nps 334079 "
                           "hashfull 753 tbhits 0 time 4425 pv 7g7f 3c3d");
    CHECK(info.has_score && !info.is_bound);
    CHECK_INT(info.score, 133);
    CHECK_INT(info.depth, 16);
    CHECK_INT((int64_t)info.nodes, 1478303);
    CHECK_INT((int64_t)info_of("nodes 18446744073709551615").nodes, INT64_MAX);
    CHECK_INT(info_of("score cp -57 nodes 3 pv 7g7f").score, -57);
    UsiInfo distant = info_of("depth 9 score cp 31111111 nodes 7 pv 7g7f");
    CHECK(distant.has_score);
    CHECK_INT(distant.score, USI_SCORE_MATE);
    CHECK_INT((int64_t)distant.nodes, 7);
    CHECK_INT(info_of("score cp -100001").score, -USI_SCORE_MATE);
    CHECK_INT(info_of("score cp 99999").score, 99999);
    CHECK(!info_of("string score cp 900 nodes 7").has_score);
    CHECK(!info_of("pv 7g7f score cp 900").has_score);
    CHECK(!info_of("depth 5 score cp").has_score);
    CHECK(!info_of("score cp many nodes 4").has_score);
    CHECK(!info_of("").has_score);
    CHECK(!info_of("depth 3 multipv 2 score cp 5 pv 7g7f").has_score);
    CHECK(!info_of("depth 3 score cp 5 multipv 2 pv 7g7f").has_score);
    CHECK(info_of("depth 3 multipv 1 score cp 5 pv 7g7f").has_score);
}

static void test_mates(void) {
    CHECK(info_of("score mate 5").score > USI_SCORE_MATE);
    CHECK(info_of("score mate 3").score > info_of("score mate 5").score);
    CHECK(info_of("score mate -4").score < -USI_SCORE_MATE);
    CHECK(info_of("score mate -2").score < info_of("score mate -4").score);
    CHECK(info_of("score mate +").score > USI_SCORE_MATE);
    CHECK(info_of("score mate -").score < -USI_SCORE_MATE);
    CHECK(info_of("score mate -0").score < -USI_SCORE_MATE);
    CHECK(info_of("score mate +0").score > USI_SCORE_MATE);
}

static void test_bounds(void) {
    UsiInfo info = info_of("depth 7 score cp 10 nodes 5 pv 7g7f");
    (void)usiline_read_info(SV("depth 7 score cp 90 lowerbound nodes 9 pv 7g7f"), &info, &pv);
    CHECK_INT(info.score, 10);
    CHECK_INT((int64_t)info.nodes, 9);
    (void)usiline_read_info(SV("depth 8 score cp -80 upperbound nodes 12"), &info, &pv);
    CHECK_INT(info.score, -80);
    (void)usiline_read_info(SV("depth 8 score cp -120 nodes 15"), &info, &pv);
    CHECK_INT(info.score, -120);
    CHECK(!info.is_bound);
    CHECK(!usiline_read_info(SV("depth 9 currmove 7g7f"), &info, &pv));
    CHECK_INT(info.score, -120);
    CHECK_INT(info.depth, 9);
    CHECK(usiline_read_info(SV("depth 10 score cp 1 pv  7g7f 3c3d "), &info, &pv));
    CHECK(sv_equal(pv, SV("7g7f 3c3d")));
    CHECK(!usiline_read_info(SV("depth 10 score cp 1 multipv 2 pv 7g7f"), &info, &pv));
    CHECK(usiline_read_info(SV("depth 12 score cp 1 pv 7g7f 3c3d string book"), &info, &pv));
    CHECK(sv_equal(pv, SV("7g7f 3c3d")));
}

static void test_complaints(void) {
    CHECK(usiline_is_complaint(SV("info string error setoption: unknown option 'Bogus'")));
    CHECK(usiline_is_complaint(SV("info string Error! : failed to read nn.bin")));
    CHECK(usiline_is_complaint(SV(" info  string 2 ERRORS")));
    CHECK(!usiline_is_complaint(SV("info string loading nn.bin")));
    CHECK(!usiline_is_complaint(SV("info string terror")));
    CHECK(!usiline_is_complaint(SV("info depth 1 error")));
    CHECK(!usiline_is_complaint(SV("info string")));
    CHECK(!usiline_is_complaint(SV("error")));
    CHECK(!usiline_is_complaint(SV("")));
}

static void check_best(const char *text, const char *move, const char *ponder) {
    StrView best, reply;
    usiline_read_bestmove(sv_from(text), &best, &reply);
    CHECK(sv_equal(best, sv_from(move)));
    CHECK(sv_equal(reply, sv_from(ponder)));
}

static void test_bestmove(void) {
    check_best("7g7f", "7g7f", "");
    check_best("7g7f ponder 3c3d", "7g7f", "3c3d");
    check_best("  7g7f   ponder  3c3d \r", "7g7f", "3c3d");
    check_best("resign", "resign", "");
    check_best("", "", "");
    check_best("7g7f ponder", "7g7f", "");
    check_best("7g7f 3c3d", "7g7f", "");
}

static void test_option_names(void) {
    CHECK(sv_equal(usiline_option_name(SV("name USI_Hash type spin default 1")), SV("USI_Hash")));
    CHECK(sv_equal(usiline_option_name(SV("name Skill Level type spin")), SV("Skill Level")));
    CHECK(usiline_option_name(SV("type check")).len == 0);
    CHECK(usiline_option_name(SV("")).len == 0);
}

UNIT_MAIN({"scores, depth and nodes", test_info}, {"mates, old forms too", test_mates},
          {"bounds yield to exact scores", test_bounds}, {"bestmove", test_bestmove},
          {"names of options", test_option_names}, {"complaints", test_complaints})
