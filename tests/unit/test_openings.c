/* Tests of openings.h. */
#include "match/openings.h"

#include <string.h>

#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

static const OutcomeRules usual = {KMD_DECLARE_27, 0};

/* The error message for the text that was read last. */
static char said[200];

static bool read_lines(const char *text, int plies, const OutcomeRules *rules, Openings *openings) {
    StrBuf error = STRBUF_INIT;
    bool is_good = openings_read(sv_from(text), plies, rules, openings, &error);
    size_t len = sv_prefix(strbuf_view(&error), sizeof(said) - 1).len;
    memcpy(said, error.ptr != NULL ? error.ptr : "", len);
    said[len] = '\0';
    strbuf_free(&error);
    return is_good;
}

static bool load(const char *text, Openings *openings) {
    return read_lines(text, -1, &usual, openings);
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
#define AFTER_26   "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2"
#define AFTER_66   "lnsgkgsnl/1r5b1/ppppppppp/9/9/3P5/PPP1PPPPP/1B5R1/LNSGKGSNL w - 2"
#define AFTER_76   "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"

static void test_forms(void) {
    Openings openings;
    CHECK(load("# a comment\n\n" TWO_PIECES "\r\nstartpos\nstartpos moves 7g7f\n"
               "  position startpos moves 2g2f\nsfen " SFEN_START " moves 6g6f\n"
               "sfen " AFTER_76 " moves",
               &openings));
    CHECK_INT(openings.count, 6);
    check_position(&openings, 0, "sfen " TWO_PIECES, TWO_PIECES);
    check_position(&openings, 1, "startpos", SFEN_START);
    check_position(&openings, 2, "startpos moves 7g7f", AFTER_76);
    check_position(&openings, 3, "startpos moves 2g2f", AFTER_26);
    check_position(&openings, 4, "sfen " SFEN_START " moves 6g6f", AFTER_66);
    check_position(&openings, 5, "sfen " AFTER_76, AFTER_76);
    check_position(&openings, 6, "sfen " TWO_PIECES, TWO_PIECES);
    openings_free(&openings);
}

static void test_refusals(void) {
    static const struct {
        const char *text;
        const char *said;
    } wrong[] = {
        {"startpos\nstartpos moves 7g7e\n", ", line 2: "},
        {"startpos\n\nstartpos moves 7g7f xyz\n", ", line 3: "},
        {"lnsgkgsnl/9 b - 1\n", ", line 1: "},
        {"startpos\nstartpos moves 7g7f pass\n", ", line 2: a side passes"},
        {"4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1\n", ", line 1: the game is over"}, /* mated */
        {"", ": no openings"},
        {"# nothing\n", ": no openings"},
    };
    for (size_t i = 0; i < COUNTOF(wrong); i++) {
        Openings openings;
        CHECK(!load(wrong[i].text, &openings));
        CHECK(sv_starts_with(sv_from(said), sv_from(wrong[i].said)) && openings.count == 0);
    }
}

/* Lines are sent to engines and extended, so they have single spaces, whatever the file
 * contains. */
static void test_blanks(void) {
    Openings openings;
    CHECK(load("position\tstartpos\tmoves\t7g7f  3c3d\nsfen  " SFEN_START "\tmoves\n", &openings));
    CHECK_INT(openings.count, 2);
    CHECK_STR(openings.lines[0], "startpos moves 7g7f 3c3d");
    CHECK_STR(openings.lines[1], "sfen " SFEN_START);
    openings_free(&openings);
}

/* Editors on Windows put a byte-order mark before UTF-8 text. */
static void test_mark(void) {
    Openings openings;
    CHECK(load("\xEF\xBB\xBF"
               "startpos\nstartpos moves 7g7f\n",
               &openings));
    CHECK_INT(openings.count, 2);
    CHECK_STR(openings.lines[0], "startpos");
    openings_free(&openings);
    CHECK(load("\xEF\xBB\xBF# remark\nstartpos\n", &openings));
    CHECK_INT(openings.count, 1);
    openings_free(&openings);
}

/* An opening that already ends the game under the rules is rejected, because the game would have no
 * moves. */
static void test_rules(void) {
    const OutcomeRules two_plies = {KMD_DECLARE_27, 2};
    const OutcomeRules try_rule = {KMD_DECLARE_TRY, 0};
    const char *tried = "startpos\n4K4/9/9/9/9/9/9/9/4k4 w - 1\n";
    Openings openings;
    CHECK(read_lines("startpos moves 7g7f\n", -1, &two_plies, &openings));
    openings_free(&openings);
    CHECK(!read_lines("startpos moves 7g7f 3c3d\n", -1, &two_plies, &openings));
    CHECK(sv_starts_with(sv_from(said), SV(", line 1: ")));
    CHECK(load(tried, &openings));
    openings_free(&openings);
    CHECK(!read_lines(tried, -1, &try_rule, &openings));
    CHECK(sv_starts_with(sv_from(said), SV(", line 2: ")));
}

/* Only the requested number of moves is taken from each line. */
static void test_plies(void) {
    Openings openings;
    CHECK(read_lines("startpos moves 7g7f 3c3d 2g2f\nstartpos\n", 2, &usual, &openings));
    CHECK_STR(openings.lines[0], "startpos moves 7g7f 3c3d");
    CHECK_STR(openings.lines[1], "startpos");
    openings_free(&openings);
    CHECK(read_lines("startpos moves 7g7f 3c3d\n", 0, &usual, &openings));
    CHECK_STR(openings.lines[0], "startpos");
    openings_free(&openings);
}

/* Equal openings count once, at the place of the first: after moves have been cut off, and in both
 * spellings of the start position. */
static void test_duplicates(void) {
    Openings openings;
    CHECK(read_lines("startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n"
                     "startpos  moves 7g7f 8c8d\nsfen " SFEN_START " moves 7g7f\n"
                     "startpos\nsfen " SFEN_START "\nsfen " TWO_PIECES "\n" TWO_PIECES "\n",
                     1, &usual, &openings));
    CHECK_INT(openings.count, 4);
    CHECK_STR(openings.lines[0], "startpos moves 7g7f");
    CHECK_STR(openings.lines[1], "startpos moves 2g2f");
    CHECK_STR(openings.lines[2], "startpos");
    CHECK_STR(openings.lines[3], "sfen " TWO_PIECES);
    openings_free(&openings);
    StrBuf text = STRBUF_INIT;
    for (int i = 0; i < 3000; i++) {
        strbuf_addf(&text, "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - %d\n",
                    i % 1000 + 1);
    }
    CHECK(load(text.ptr, &openings));
    CHECK_INT(openings.count, 1000);
    openings_free(&openings);
    strbuf_free(&text);
}

static void test_shuffle(void) {
    StrBuf text = STRBUF_INIT;
    for (int file = 1; file <= 9; file++) {
        strbuf_addf(&text, "startpos moves %dg%df\n", file, file);
    }
    Openings a;
    Openings b;
    CHECK(load(text.ptr, &a) && load(text.ptr, &b));
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
    CHECK(load("startpos\nstartpos moves 7g7f\nstartpos moves 2g2f\n", &openings));
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
    const OpeningsOptions from = {.path = "/no/such/file"};
    Openings openings = {0};
    StrBuf error = STRBUF_INIT;
    CHECK(!openings_load(&from, &usual, &openings, &error));
    CHECK_STR(error.ptr, "/no/such/file: No such file or directory");
    CHECK_INT(openings.count, 0);
    strbuf_free(&error);
}

static void test_start(void) {
    const OpeningsOptions from = {.path = NULL};
    Openings openings;
    StrBuf error = STRBUF_INIT;
    CHECK(openings_load(&from, &usual, &openings, &error));
    check_position(&openings, 17, "startpos", SFEN_START);
    openings_free(&openings);
}

UNIT_MAIN({"all forms of lines", test_forms},
          {"files that are refused, with the line", test_refusals},
          {"blanks between words", test_blanks}, {"a byte-order mark", test_mark},
          {"openings end no game under the rules of the match", test_rules},
          {"so many moves of each", test_plies}, {"equal openings count once", test_duplicates},
          {"shuffling keeps every opening", test_shuffle}, {"another first opening", test_first},
          {"a file that is not there", test_missing_file}, {"no file: the start", test_start})
