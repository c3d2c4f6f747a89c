/* Tests the transposition table: it returns the stored entries unchanged, and no other entries. */
#include "search/tt.h"

#include "base/parallel.h"
#include "base/rng.h"
#include "unit.h"

static TtEntry entry_of(Move move, Score score, int depth, Bound bound) {
    return (TtEntry){.move = move, .score = score, .eval = 17, .depth = depth, .bound = bound};
}

static void empty_tables(void) {
    TransTable tt;
    TtEntry entry = entry_of(5, 1, 1, BOUND_EXACT);
    tt_init(&tt);
    tt_store(&tt, 1, 0, &entry);
    CHECK(!tt_probe(&tt, 1, 0, &entry));
    CHECK_INT(tt_hashfull(&tt), 0);
    tt_prefetch(&tt, 1);
    tt_free(&tt);
}

static void values_come_back(void) {
    TransTable tt;
    tt_init(&tt);
    CHECK(tt_resize(&tt, 1));
    tt_new_search(&tt);
    static const Score scores[] = {0, 1, -1, 27000, -27000, SCORE_MATE - 5, -SCORE_MATE + 8};
    Rng rng = rng_init(1);
    for (size_t i = 0; i < sizeof(scores) / sizeof(scores[0]); i++) {
        uint64_t key = rng_next(&rng);
        TtEntry in = entry_of((Move)(1234 + i), scores[i], (int)i * 30, BOUND_LOWER);
        in.eval = i == 3 ? SCORE_NONE : -321;
        TtEntry out;
        CHECK(!tt_probe(&tt, key, 3, &out));
        tt_store(&tt, key, 3, &in);
        CHECK(tt_probe(&tt, key, 3, &out));
        CHECK_INT(out.move, in.move);
        CHECK_INT(out.score, in.score);
        CHECK_INT(out.eval, in.eval);
        CHECK_INT(out.depth, in.depth);
        CHECK_INT(out.bound, BOUND_LOWER);
    }
    tt_free(&tt);
}

static void mates_count_from_the_root(void) {
    TransTable tt;
    tt_init(&tt);
    CHECK(tt_resize(&tt, 1));
    TtEntry in = entry_of(1, score_mate_in(9), 4, BOUND_EXACT);
    TtEntry out;
    tt_store(&tt, 77, 4, &in); /* a mate 5 plies after the position */
    CHECK(tt_probe(&tt, 77, 10, &out));
    CHECK_INT(out.score, score_mate_in(15));
    in.score = score_mated_in(9);
    tt_store(&tt, 78, 4, &in);
    CHECK(tt_probe(&tt, 78, 0, &out));
    CHECK_INT(out.score, score_mated_in(5));
    tt_free(&tt);
}

static void what_stays_and_what_goes(void) {
    TransTable tt;
    tt_init(&tt);
    CHECK(tt_resize(&tt, 1));
    tt_new_search(&tt);
    TtEntry out;
    TtEntry deep = entry_of(100, 50, 20, BOUND_LOWER);
    TtEntry shallow = entry_of(200, 60, 3, BOUND_UPPER);
    TtEntry exact = entry_of(300, 70, 3, BOUND_EXACT);
    TtEntry moveless = entry_of(MOVE_NONE, 80, 22, BOUND_UPPER);
    tt_store(&tt, 9, 0, &deep);
    tt_store(&tt, 9, 0, &shallow);
    CHECK(tt_probe(&tt, 9, 0, &out) && CHECK_INT(out.depth, 20));
    CHECK_INT(out.score, 50);
    CHECK_INT(out.move, 200); /* the newer move was stored */
    tt_store(&tt, 9, 0, &moveless);
    CHECK(tt_probe(&tt, 9, 0, &out) && CHECK_INT(out.score, 80));
    CHECK_INT(out.move, 200);
    tt_store(&tt, 9, 0, &exact);
    CHECK(tt_probe(&tt, 9, 0, &out) && CHECK_INT(out.move, 300));
    /* In a full bucket the shallowest entry is replaced first, and entries of older searches are
     * replaced before those of the current search. */
    tt_clear(&tt, 1, NULL);
    for (uint64_t i = 1; i <= TT_BUCKET_SIZE; i++) {
        TtEntry entry = entry_of((Move)i, 0, (int)i * 10, BOUND_LOWER);
        tt_store(&tt, i << 32, 0, &entry);
    }
    tt_store(&tt, (uint64_t)99 << 32, 0, &exact);
    CHECK(!tt_probe(&tt, (uint64_t)1 << 32, 0, &out));
    CHECK(tt_probe(&tt, (uint64_t)2 << 32, 0, &out));
    CHECK(tt_probe(&tt, (uint64_t)99 << 32, 0, &out));
    /* A mate in one has the maximum depth but is replaced first, because it can be found again at
     * once. */
    TtEntry mate = entry_of(400, score_mate_in(1), MAX_PLY, BOUND_EXACT);
    tt_store(&tt, (uint64_t)98 << 32, 0, &mate);
    CHECK(tt_probe(&tt, (uint64_t)98 << 32, 0, &out));
    tt_store(&tt, (uint64_t)97 << 32, 0, &exact);
    CHECK(!tt_probe(&tt, (uint64_t)98 << 32, 0, &out));
    tt_free(&tt);
}

static void clearing_and_resizing(void) {
    TransTable tt;
    TtEntry entry = entry_of(1, 2, 3, BOUND_EXACT);
    tt_init(&tt);
    CHECK(tt_resize(&tt, 3));
    tt_new_search(&tt);
    for (uint64_t i = 0; i < 100000; i++) {
        tt_store(&tt, i * 0x9E3779B97F4A7C15u, 0, &entry);
    }
    CHECK(tt_hashfull(&tt) > 200);
    tt_new_search(&tt);
    CHECK_INT(tt_hashfull(&tt), 0);
    CHECK(tt_probe(&tt, 7 * 0x9E3779B97F4A7C15u, 0, &entry));
    tt_clear(&tt, 3, NULL);
    CHECK(!tt_probe(&tt, 7 * 0x9E3779B97F4A7C15u, 0, &entry));
    CHECK(!tt.is_used);
    entry = entry_of(1, 2, 3, BOUND_EXACT);
    tt_store(&tt, 5, 0, &entry);
    /* A size larger than the memory of any machine is refused, and the table stays unchanged. */
    CHECK(!tt_resize(&tt, TT_MAX_MB));
    CHECK_INT((int64_t)tt.mb, 3);
    CHECK(tt_probe(&tt, 5, 0, &entry));
    CHECK(tt_resize(&tt, 1));
    CHECK(!tt_probe(&tt, 5, 0, &entry));
    tt_free(&tt);
}

static void count_tick(void *context) {
    (*(int *)context)++;
}

static void long_clears_can_be_watched(void) {
    TransTable tt;
    TtEntry entry = entry_of(1, 2, 3, BOUND_EXACT);
    tt_init(&tt);
    CHECK(tt_resize(&tt, 8));
    tt_new_search(&tt);
    tt_store(&tt, 5, 0, &entry);
    int ticks = 0;
    _Atomic bool cancel = true;
    Watch watch = {.cancel = &cancel, .tick = count_tick, .context = &ticks};
    tt_clear(&tt, 2, &watch);
    CHECK(tt.is_used);
    CHECK_INT(ticks, 0);
    cancel = false;
    tt_clear(&tt, 1, &watch);
    CHECK(ticks > 1);
    CHECK(!tt.is_used && tt.is_faulted_in);
    CHECK(!tt_probe(&tt, 5, 0, &entry));
    tt_free(&tt);
}

enum { THREADS = 4, ROUNDS = 200000, KEYS = 4000 };

/* A move that depends on the key and the depth. It is never MOVE_NONE, because then the table would
 * keep the old move. */
static Move move_for(uint64_t key, int depth) {
    return (Move)((((key >> 40) + (uint64_t)depth) & 0x7FFF) | 1);
}

/* Runs on all threads: writes entries whose fields belong together, and checks that the fields of
 * the entries it reads belong together. */
static void hammer(void *context, int index) {
    TransTable *tt = context;
    Rng rng = rng_init((uint64_t)index);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t key = (rng_below(&rng, KEYS) + 1) * 0x9E3779B97F4A7C15u;
        TtEntry entry;
        if (tt_probe(tt, key, 0, &entry) && entry.move != move_for(key, entry.depth)) {
            tt->mb = 0; /* the check below compares this member */
        }
        int depth = (int)rng_below(&rng, 100);
        entry = entry_of(move_for(key, depth), 1, depth, BOUND_EXACT);
        tt_store(tt, key, 0, &entry);
    }
}

static void torn_entries_are_not_there(void) {
    TransTable tt;
    tt_init(&tt);
    CHECK(tt_resize(&tt, 1));
    parallel_run(THREADS, hammer, &tt);
    CHECK_INT((int64_t)tt.mb, 1);
    tt_free(&tt);
}

static void scores_sharpen_evaluations(void) {
    TtEntry exact = entry_of(1, 50, 1, BOUND_EXACT);
    TtEntry least = entry_of(1, 50, 1, BOUND_LOWER);
    TtEntry most = entry_of(1, 50, 1, BOUND_UPPER);
    TtEntry mate = entry_of(1, score_mate_in(3), 1, BOUND_EXACT);
    CHECK_INT(tt_refine(&exact, 10), 50);
    CHECK_INT(tt_refine(&exact, 90), 50);
    CHECK_INT(tt_refine(&least, 10), 50);
    CHECK_INT(tt_refine(&least, 90), 90);
    CHECK_INT(tt_refine(&most, 10), 10);
    CHECK_INT(tt_refine(&most, 90), 50);
    CHECK_INT(tt_refine(&mate, 10), 10);
}

UNIT_MAIN({"a table without memory holds nothing", empty_tables},
          {"values come back", values_come_back},
          {"mates count from the root", mates_count_from_the_root},
          {"scores sharpen evaluations", scores_sharpen_evaluations},
          {"what stays and what goes", what_stays_and_what_goes},
          {"clearing and resizing", clearing_and_resizing},
          {"long clears can be watched and cancelled", long_clears_can_be_watched},
          {"torn entries are not there", torn_entries_are_not_there})
