/* Tests of openings.h. */
#include "tools/match/openings.h"

#include "rules/rules.h"
#include "rules/sfen.h"
#include "unit.h"

static const OutcomeRules usual = {KMD_DECLARE_27, 0};

static bool load(const char *text, Openings *openings, OpeningsError *error) {
    rules_init();
    return openings_read(sv_from(text), &usual, openings, error);
}

static void check_position(const Openings *openings, int number, const char *usi,
                           const char *sfen) {
    Position pos;
    StrBuf text = STRBUF_INIT;
    pos_init(&pos);
    CHECK_STR(openings_set(openings, number, &pos), usi);
    pos_get_sfen(&pos, &text);
    CHECK_STR(text.ptr, sfen);
    strbuf_free(&text);
    pos_free(&pos);
}

#define TWO_PIECES "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
#define AFTER_76   "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"

static void test_forms(void) {
    Openings openings;
    OpeningsError error;
    CHECK(load("# a comment\n\n" TWO_PIECES "\r\nstartpos\nstartpos moves 7g7f\n"
               "  position startpos moves 7g7f\nsfen " SFEN_START " moves 7g7f\nstartpos moves",
               &openings, &error));
    CHECK_INT(openings.count, 6);
    check_position(&openings, 0, "sfen " TWO_PIECES, TWO_PIECES);
    check_position(&openings, 1, "startpos", SFEN_START);
    check_position(&openings, 2, "startpos moves 7g7f", AFTER_76);
    check_position(&openings, 3, "startpos moves 7g7f", AFTER_76);
    check_position(&openings, 4, "sfen " SFEN_START " moves 7g7f", AFTER_76);
    check_position(&openings, 5, "startpos", SFEN_START);
    check_position(&openings, 6, "sfen " TWO_PIECES, TWO_PIECES);
    openings_free(&openings);
}

static void test_refusals(void) {
    static const struct {
        const char *text;
        int line;
    } wrong[] = {
        {"startpos\nstartpos moves 7g7e\n", 2},
        {"startpos\n\nstartpos moves 7g7f xyz\n", 3},
        {"lnsgkgsnl/9 b - 1\n", 1},
        {"4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1\n", 1}, /* mated */
        {"", 0},
        {"# nothing\n", 1},
    };
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        Openings openings;
        OpeningsError error;
        CHECK(!load(wrong[i].text, &openings, &error));
        CHECK_INT(error.line, wrong[i].line);
        CHECK(error.text != NULL && openings.count == 0);
    }
}

/* The words reach engines and are added to: whatever stands between them in the file. */
static void test_blanks(void) {
    Openings openings;
    OpeningsError error;
    CHECK(load("position\tstartpos\tmoves\t7g7f  3c3d\nsfen  " SFEN_START "\tmoves\n", &openings,
               &error));
    CHECK_INT(openings.count, 2);
    CHECK_STR(openings.lines[0], "startpos moves 7g7f 3c3d");
    CHECK_STR(openings.lines[1], "sfen " SFEN_START);
    openings_free(&openings);
}

/* Editors on Windows put a mark before a text in UTF-8. */
static void test_mark(void) {
    Openings openings;
    OpeningsError error;
    CHECK(load("\xEF\xBB\xBF"
               "startpos\nstartpos moves 7g7f\n",
               &openings, &error));
    CHECK_INT(openings.count, 2);
    CHECK_STR(openings.lines[0], "startpos");
    openings_free(&openings);
    CHECK(load("\xEF\xBB\xBF# remark\nstartpos\n", &openings, &error));
    CHECK_INT(openings.count, 1);
    openings_free(&openings);
}

/* An opening that ends the game by the rules of the match would be a game without a move. */
static void test_rules(void) {
    const OutcomeRules two_plies = {KMD_DECLARE_27, 2};
    const OutcomeRules try_rule = {KMD_DECLARE_TRY, 0};
    const char *tried = "startpos\n4K4/9/9/9/9/9/9/9/4k4 w - 1\n";
    Openings openings;
    OpeningsError error;
    rules_init();
    CHECK(openings_read(SV("startpos moves 7g7f\n"), &two_plies, &openings, &error));
    openings_free(&openings);
    CHECK(!openings_read(SV("startpos moves 7g7f 3c3d\n"), &two_plies, &openings, &error));
    CHECK_INT(error.line, 1);
    CHECK(load(tried, &openings, &error));
    openings_free(&openings);
    CHECK(!openings_read(sv_from(tried), &try_rule, &openings, &error));
    CHECK_INT(error.line, 2);
}

static void test_shuffle(void) {
    StrBuf text = STRBUF_INIT;
    for (int file = 1; file <= 9; file++) {
        strbuf_addf(&text, "startpos moves %dg%df\n", file, file);
    }
    Openings a;
    Openings b;
    OpeningsError error;
    CHECK(load(text.ptr, &a, &error) && load(text.ptr, &b, &error));
    uint64_t in_order = openings_hash(&a);
    CHECK(in_order == openings_hash(&b));
    openings_shuffle(&a, 1);
    openings_shuffle(&b, 1);
    CHECK(openings_hash(&a) == openings_hash(&b));
    CHECK(openings_hash(&a) != in_order);
    openings_shuffle(&b, 2);
    CHECK(openings_hash(&a) != openings_hash(&b));
    int seen = 0;
    for (int i = 0; i < b.count; i++) {
        seen |= 1 << (b.lines[i][15] - '1');
    }
    CHECK_INT(seen, (1 << 9) - 1);
    openings_free(&a);
    openings_free(&b);
    strbuf_free(&text);
}

static void test_first(void) {
    Openings openings;
    OpeningsError error;
    CHECK(load("startpos\nstartpos moves 7g7f\nstartpos moves 2g2f\n", &openings, &error));
    uint64_t in_order = openings_hash(&openings);
    openings_begin_at(&openings, 0);
    CHECK(openings_hash(&openings) == in_order);
    openings_begin_at(&openings, 2);
    CHECK_INT(openings.count, 3);
    CHECK_STR(openings.lines[0], "startpos moves 2g2f");
    CHECK_STR(openings.lines[1], "startpos");
    CHECK_STR(openings.lines[2], "startpos moves 7g7f");
    openings_free(&openings);
}

static void test_missing_file(void) {
    Openings openings;
    OpeningsError error;
    rules_init();
    CHECK(!openings_load("/no/such/file", &usual, &openings, &error));
    CHECK(error.line == 0 && error.text != NULL && openings.count == 0);
}

static void test_start(void) {
    Openings openings;
    rules_init();
    openings_start(&openings);
    check_position(&openings, 17, "startpos", SFEN_START);
    openings_free(&openings);
}

UNIT_MAIN({"all forms of lines", test_forms},
          {"files that are refused, with the line", test_refusals},
          {"blanks between words", test_blanks}, {"a byte-order mark", test_mark},
          {"openings end no game under the rules of the match", test_rules},
          {"shuffling keeps every opening", test_shuffle}, {"another first opening", test_first},
          {"a file that is not there", test_missing_file}, {"no file: the start", test_start})
