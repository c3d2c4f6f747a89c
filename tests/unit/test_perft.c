/* Tests all modes of perft: they must agree with each other, and with known counts from the start
 * position. */
#include "rules/perft.h"

#include "base/meminfo.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

static const char *const positions[] = {
    SFEN_START,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4p4/9/9/9/9/9/4K4 b 2RBGSNLP 1",
};

static uint64_t count(const char *sfen, PerftOptions options) {
    static PerftResult result;
    Position pos;
    pos_init(&pos);
    bool is_done = CHECK(pos_set_sfen(&pos, sv_from(sfen), NULL) == KMD_OK) &&
                   CHECK(perft_run(&pos, &options, NULL, &result));
    pos_free(&pos);
    return is_done ? result.total : 0;
}

static void test_start(void) {
    static const uint64_t known[] = {1, 30, 900, 25470, 719731, 19861490};
    for (int depth = 0; depth <= 5; depth++) {
        PerftOptions options = {.depth = depth, .threads = 1};
        CHECK_INT((int64_t)count(SFEN_START, options), (int64_t)known[depth]);
    }
}

static int64_t count_by_moves(Position *pos, int depth) {
    Move list[MAX_MOVES];
    int moves = gen_moves(pos, GEN_LEGAL, list);
    int64_t total = depth == 1 ? moves : 0;
    for (int i = 0; i < moves && depth > 1; i++) {
        pos_do(pos, list[i]);
        total += count_by_moves(pos, depth - 1);
        pos_undo(pos);
    }
    return total;
}

static void test_ways_agree(void) {
    for (size_t i = 0; i < COUNTOF(positions); i++) {
        for (int depth = 1; depth <= 3; depth++) {
            PerftOptions options = {.depth = depth, .threads = 1};
            Position pos;
            pos_init(&pos);
            CHECK(pos_set_sfen(&pos, sv_from(positions[i]), NULL) == KMD_OK);
            int64_t want = count_by_moves(&pos, depth);
            pos_free(&pos);
            CHECK_INT((int64_t)count(positions[i], options), want);
            options.threads = 3;
            CHECK_INT((int64_t)count(positions[i], options), want);
        }
    }
}

static void test_table(void) {
    for (size_t i = 0; i < COUNTOF(positions); i++) {
        int depth = i == 0 ? 5 : 4;
        PerftOptions options = {.depth = depth, .threads = 2};
        int64_t want = (int64_t)count(positions[i], options);
        options.hash_mb = 1;
        CHECK_INT((int64_t)count(positions[i], options), want);
        options.hash_mb = 64;
        CHECK_INT((int64_t)count(positions[i], options), want);
    }
}

/* A table that is too large is refused. Otherwise, on a system that promises more memory than it
 * has, the program would end during a count. */
static void test_too_large(void) {
    static PerftResult result;
    size_t available = meminfo_available();
    if (available == SIZE_MAX) {
        unit_skip("the system does not tell its memory");
        return;
    }
    /* Request the next power of two, because other programs are unlikely to free that much memory
     * in the meantime. */
    size_t hash_mb = 1;
    while (hash_mb <= (available >> 20) + (available >> 24)) {
        hash_mb *= 2;
    }
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV(SFEN_START), NULL), KMD_OK);
    PerftOptions options = {.depth = 1, .threads = 1, .hash_mb = hash_mb};
    CHECK(!perft_run(&pos, &options, NULL, &result));
    options.hash_mb = 1;
    CHECK(perft_run(&pos, &options, NULL, &result));
    pos_free(&pos);
}

UNIT_MAIN({"the start position", test_start}, {"all ways of counting agree", test_ways_agree},
          {"a table changes nothing", test_table},
          {"a table larger than the memory is refused", test_too_large})
