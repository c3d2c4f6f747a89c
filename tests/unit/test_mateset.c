/* Collections of mate problems: their rows, and how answers are judged. */
#include "commands/mateset.h"

#include <string.h>

#include "unit.h"

static void check_view(StrView view, const char *want) {
    CHECK(sv_equal(view, sv_from(want)));
}

static void test_columns(void) {
    MateSet set;
    MateRow row;
    mateset_init(&set, SV("\xEF\xBB\xBF# problems\n\ncategory\tsfen\tknown_length\n"
                          "easy\tone\t3\r\n# no problem\n\thalf\n"));
    CHECK_INT(set.row_count, 2);
    CHECK(mateset_next(&set, &row));
    CHECK(set.row == 1 && set.line_number == 4);
    check_view(row.sfen, "one");
    check_view(row.known_length, "3");
    check_view(row.length_all_drops, "");
    check_view(row.category, "easy");
    CHECK(mateset_next(&set, &row));
    CHECK(set.row == 2 && set.line_number == 6);
    check_view(row.sfen, "half");
    check_view(row.category, "");
    CHECK(!mateset_next(&set, &row));
}

/* Without names, every line is a position. */
static void test_plain(void) {
    MateSet set;
    MateRow row;
    mateset_init(&set, SV("one\textra\ntwo"));
    CHECK_INT(set.row_count, 2);
    CHECK(mateset_next(&set, &row));
    check_view(row.sfen, "one");
    check_view(row.known_length, "");
    CHECK(mateset_next(&set, &row));
    check_view(row.sfen, "two");
    CHECK(!mateset_next(&set, &row));
    mateset_init(&set, SV("# nothing\n"));
    CHECK(set.row_count == 0 && !mateset_next(&set, &row));
}

static void test_categories(void) {
    enum { COUNTED = 66 };
    MateSet set;
    static const char names[] =
        "one of these names is a part of the other ones, from one byte to 70";
    mateset_init(&set, SV(""));
    for (size_t i = 1; i <= COUNTED; i++) {
        mateset_tally(&set, (StrView){names, i})->total++;
        mateset_tally(&set, (StrView){names, i})->total++;
    }
    CHECK_INT(set.tally_count, MATESET_CATEGORIES);
    CHECK_INT(set.tallies[0].total, 2);
    CHECK_INT(set.tallies[MATESET_CATEGORIES - 1].total, 2 * (COUNTED - MATESET_CATEGORIES + 1));
}

typedef struct Case {
    const char *known, *exact;
    MateVerdict verdict;
    int len, players_len;
    bool is_exact;
    const char *remark;
    int main_len; /* 0: players_len */
} Case;

static void check_remark(const MateRow *row, const MateSolved *solved, MateTally *tally,
                         const char *expected) {
    StrBuf remark = STRBUF_INIT;
    mateset_judge(row, solved, tally, &remark);
    CHECK(sv_equal(strbuf_view(&remark), sv_from(expected)));
    strbuf_free(&remark);
}

static void test_mates(void) {
    static const Case cases[] = {
        {"", "", MATE_FOUND, 5, 5, true, "", 0},
        {"5", "7", MATE_FOUND, 7, 5, true, "", 0},
        {"5", "7", MATE_UNKNOWN, 0, 0, false, "", 0},
        {"5", "", MATE_NONE, 0, 0, false, ", WRONG (known_length 5)", 0},
        {"nomate", "", MATE_FOUND, 5, 5, true, ", WRONG (known_length nomate)", 0},
        {"nomate", "", MATE_NONE, 0, 0, false, "", 0},
        {"", "7", MATE_FOUND, 9, 0, true, ", WRONG (length_all_drops 7)", 0},
        {"", "7", MATE_FOUND, 9, 0, false, ", other length (length_all_drops 7)", 0},
        {"", "7", MATE_FOUND, 5, 0, true, ", shorter (length_all_drops 7)", 0},
        {"5", "7", MATE_FOUND, 7, 3, true, ", other length (known_length 5)", 0},
        {"5", "7", MATE_FOUND, 7, 7, true, "", 5},
        {"7", "7", MATE_FOUND, 7, 7, true, "", 5},
        {"", "nomate", MATE_FOUND, 5, 5, true, ", WRONG (length_all_drops nomate)", 0},
        {"5", "nomate", MATE_FOUND, 5, 5, false, ", WRONG (length_all_drops nomate)", 0},
        {"nomate", "nomate", MATE_FOUND, 5, 5, true, ", WRONG (known_length nomate)", 0},
        {"?", "nomate", MATE_NONE, 0, 0, false, "", 0},
    };
    const MateProblemOptions options = {.mate.lines = 1, .brink_moves = 0};
    MateTally tally = {.total = 0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Case *test = &cases[i];
        MateRow row = {.known_length = sv_from(test->known),
                       .length_all_drops = sv_from(test->exact)};
        MateSolved solved = {
            .options = &options,
            .answer = {.verdict = test->verdict,
                       .len = test->len,
                       .has_players_len = test->players_len > 0,
                       .players_len = test->players_len,
                       .main_len = test->main_len > 0 ? test->main_len : test->players_len,
                       .is_exact = test->is_exact,
                       .nodes = 10},
            .time_ns = (int64_t)i};
        check_remark(&row, &solved, &tally, test->remark);
    }
    CHECK(tally.total == 16 && tally.decided == 15 && tally.wrong == 6 && tally.shorter == 1);
    CHECK(tally.known_lengths == 8 && tally.right_lengths == 4);
    CHECK(tally.known_players == 7 && tally.right_players == 4);
    CHECK(tally.nodes == 160 && tally.time_ns == 120 && tally.slowest_ns == 15);
}

static void test_brinkmates(void) {
    static const Case cases[] = {
        {"2", "", MATE_FOUND, 2, 0, true, "", 0},
        {"none", "", MATE_FOUND, 2, 0, true, ", WRONG (known_length none)", 0},
        {"none", "", MATE_NONE, 0, 0, false, "", 0},
        {"2", "", MATE_NONE, 0, 0, false, ", WRONG (known_length 2)", 0},
        {"4", "", MATE_NONE, 0, 0, false, "", 0}, /* the known brinkmate is longer than the search
                                                  looked for */
        {"2", "", MATE_FOUND, 1, 0, false, ", WRONG (known_length 2)", 0},
        {"2", "", MATE_FOUND, 3, 0, true, ", WRONG (known_length 2)", 0},
        {"2", "", MATE_FOUND, 3, 0, false, ", other length (known_length 2)", 0},
    };
    const MateProblemOptions options = {.mate.lines = 1, .brink_moves = 3};
    MateTally tally = {.total = 0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Case *test = &cases[i];
        MateRow row = {.known_length = sv_from(test->known)};
        MateSolved solved = {.answer = {.verdict = test->verdict, .is_exact = test->is_exact},
                             .moves = test->len,
                             .options = &options};
        check_remark(&row, &solved, &tally, test->remark);
    }
    CHECK(tally.total == 8 && tally.decided == 8 && tally.wrong == 4);
    CHECK(tally.known_lengths == 6 && tally.right_lengths == 1);
}

static void test_helpmates(void) {
    static const Case cases[] = {
        {"3", "", MATE_FOUND, 3, 0, true, "", 0},
        {"", "3", MATE_FOUND, 3, 0, true, "", 0},
        {"3", "", MATE_UNKNOWN, 0, 0, false, "", 0},
        {"3", "", MATE_FOUND, 5, 0, true, ", WRONG (known_length 3)", 0},
        {"5", "", MATE_FOUND, 3, 0, true, ", shorter (known_length 5)", 0},
        {"5", "", MATE_NONE, 0, 0, false, ", WRONG (known_length 5)", 0},
        {"7", "", MATE_NONE, 0, 0, false, "", 0}, /* longer than the search looked for */
        {"nomate", "", MATE_FOUND, 3, 0, true, ", WRONG (known_length nomate)", 0},
        {"nomate", "", MATE_NONE, 0, 0, false, "", 0},
        {"", "nomate", MATE_FOUND, 3, 0, true, ", WRONG (length_all_drops nomate)", 0},
        {"?", "nomate", MATE_NONE, 0, 0, false, "", 0},
    };
    const MateProblemOptions options = {.mate.lines = 1, .help_plies = 5};
    MateTally tally = {.total = 0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Case *test = &cases[i];
        MateRow row = {.known_length = sv_from(test->known),
                       .length_all_drops = sv_from(test->exact)};
        MateSolved solved = {
            .answer = {.verdict = test->verdict, .len = test->len, .is_exact = test->is_exact},
            .options = &options};
        check_remark(&row, &solved, &tally, test->remark);
    }
    CHECK(tally.total == 11 && tally.decided == 10 && tally.wrong == 4 && tally.shorter == 1);
    CHECK(tally.known_lengths == 7 && tally.right_lengths == 2 && tally.known_players == 0);
}

static void test_faults(void) {
    static const char *const lengths[] = {"", "?", "3", "nomate", "none", "0", "3x", "-1"};
    enum { GOOD_FOR_MATES = 4 };
    const MateProblemOptions mates = {.mate.lines = 1}, brinkmates = {.brink_moves = 3};
    for (int i = 0; i < (int)(sizeof(lengths) / sizeof(lengths[0])); i++) {
        StrView length = sv_from(lengths[i]);
        MateRow known = {.known_length = length}, exact = {.length_all_drops = length};
        CHECK((mateset_fault(&known, &mates) == NULL) == (i < GOOD_FOR_MATES));
        CHECK((mateset_fault(&exact, &mates) == NULL) == (i < GOOD_FOR_MATES));
        CHECK((mateset_fault(&known, &brinkmates) == NULL) == (i < 6 && i != 3));
        CHECK(mateset_fault(&exact, &brinkmates) == NULL); /* of no interest */
    }
}

UNIT_MAIN({"columns", test_columns}, {"plain", test_plain}, {"categories", test_categories},
          {"mates", test_mates}, {"brinkmates", test_brinkmates}, {"helpmates", test_helpmates},
          {"faults", test_faults})
