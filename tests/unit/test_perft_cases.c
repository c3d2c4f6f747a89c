/* Compares perft_run with the counts of known positions.
 *
 * tests/data/perft-random.tsv contains positions made for this project, with counts on which two
 * independent programs agree. perft-published.tsv, gathered from public test suites, is in the
 * folder named by KOMADORI_CASES. Without KOMADORI_TEST_FULL=1, only depths up to 3 with counts
 * below 5 million are run. The working directory must be the top folder of the project. */
#include <stdio.h>

#include "base/fileio.h"
#include "rules/perft.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

enum { QUICK_DEPTH = 3 };

static const uint64_t QUICK_COUNT = 5000000;

static bool is_due(int depth, uint64_t count) {
    return unit_wants_all() || (depth <= QUICK_DEPTH && count < QUICK_COUNT);
}

static void check_count(const Position *pos, StrView name, int depth, uint64_t want) {
    static PerftResult result;
    PerftOptions options = {.depth = depth, .threads = 1};
    bool is_right = CHECK(perft_run(pos, &options, NULL, &result));
    is_right &= CHECK_INT((int64_t)result.total, (int64_t)want);
    if (!is_right) {
        printf("    depth %d of %.*s\n", depth, (int)name.len, name.ptr);
    }
}

static bool read_table(const char *folder, const char *name, StrBuf *text) {
    StrBuf path = STRBUF_INIT;
    strbuf_addf(&path, "%s/%s", folder, name);
    bool is_read = CHECK_INT(file_read(path.ptr, text), 0);
    strbuf_free(&path);
    return is_read;
}

/* The number of rows with more pieces than a set contains, which our move generator does not
 * support. */
static int oversized;

/* Checks a row with the columns sfen, depth, count and so on. */
static void check_published_row(Position *pos, StrView line) {
    StrView sfen;
    StrView depth_text;
    StrView count_text;
    int depth;
    uint64_t count;
    StrView rest = line;
    bool is_row = sv_next_field(&rest, '\t', &sfen) && sv_next_field(&rest, '\t', &depth_text) &&
                  sv_next_field(&rest, '\t', &count_text) &&
                  sv_to_int(depth_text, 1, PERFT_MAX_DEPTH, &depth) &&
                  sv_to_u64(count_text, 0, UINT64_MAX, &count);
    KmdError error = pos_set_sfen(pos, sfen, NULL);
    oversized += error == KMD_ERROR_SFEN_TOO_MANY;
    if (!CHECK(is_row && (error == KMD_OK || error == KMD_ERROR_SFEN_TOO_MANY))) {
        printf("    row %.*s\n", (int)line.len, line.ptr);
    } else if (error == KMD_OK && is_due(depth, count)) {
        check_count(pos, sfen, depth, count);
    }
}

/* Checks a row with the columns id, category, sfen, perft1, perft2 and perft3. */
static void check_random_row(Position *pos, StrView line) {
    StrView id;
    StrView category;
    StrView sfen;
    StrView rest = line;
    bool is_row = sv_next_field(&rest, '\t', &id) && sv_next_field(&rest, '\t', &category) &&
                  sv_next_field(&rest, '\t', &sfen);
    if (!CHECK(is_row) || !CHECK_INT(pos_set_sfen(pos, sfen, NULL), KMD_OK)) {
        printf("    row %.*s\n", (int)line.len, line.ptr);
        return;
    }
    StrView field;
    int depth = 1;
    for (; sv_next_field(&rest, '\t', &field); depth++) {
        uint64_t count;
        if (CHECK(sv_to_u64(field, 0, UINT64_MAX, &count)) && is_due(depth, count)) {
            check_count(pos, id, depth, count);
        }
    }
    CHECK_INT(depth, 4);
}

static void check_rows(const StrBuf *text, void (*check_row)(Position *pos, StrView line)) {
    Position pos;
    StrView rest = strbuf_view(text);
    StrView line;
    pos_init(&pos);
    CHECK(sv_next_line(&rest, &line));
    int rows = 0;
    for (; sv_next_line(&rest, &line); rows++) {
        check_row(&pos, line);
    }
    CHECK(rows > 300);
    pos_free(&pos);
}

static void test_published(void) {
    StrBuf text = STRBUF_INIT;
    if (unit_cases_dir() == NULL) {
        unit_skip("KOMADORI_CASES is not set");
        return;
    }
    if (read_table(unit_cases_dir(), "perft-published.tsv", &text)) {
        check_rows(&text, check_published_row);
        CHECK_INT(oversized, 9);
    }
    strbuf_free(&text);
}

static void test_random(void) {
    StrBuf text = STRBUF_INIT;
    if (read_table("tests/data", "perft-random.tsv", &text)) {
        check_rows(&text, check_random_row);
    }
    strbuf_free(&text);
}

typedef struct Known {
    const char *sfen;
    uint64_t count[7]; /* from depth 1; 0 ends */
} Known;

/* Tests well-known counts for the start position, a middle-game position with many captures, and
 * the position with the most legal moves. */
static void test_known(void) {
    static const Known known[] = {
        {"startpos", {30, 900, 25470, 719731, 19861490, 547581517, 15086269607}},
        {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
         {207, 28684, 4809015, 516925165}},
        {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
         {593, 105677, 53393368, 9342410965}},
    };
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(known); i++) {
        StrView sfen = sv_from(known[i].sfen);
        CHECK_INT(pos_set_sfen(&pos, sfen, NULL), KMD_OK);
        for (int depth = 1; depth <= (int)COUNTOF(known[i].count) && known[i].count[depth - 1] != 0;
             depth++) {
            uint64_t count = known[i].count[depth - 1];
            if (is_due(depth, count) || count < QUICK_COUNT) {
                check_count(&pos, sfen, depth, count);
            }
        }
    }
    pos_free(&pos);
}

UNIT_MAIN({"known counts", test_known}, {"perft-random.tsv", test_random},
          {"perft-published.tsv", test_published})
