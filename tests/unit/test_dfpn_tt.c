/* The table of the mate search: hands, lengths, replacement. */
#include "mate/dfpn.h"

#include "base/rng.h"
#include "unit.h"

static MateValue open_value(uint64_t pn, uint64_t dn, uint32_t work) {
    return (MateValue){.pn = pn, .dn = dn, .work = work, .depth = 5, .loop = MATE_NO_LOOP};
}

static MateValue mate_value(Hand hand, int len) {
    return (MateValue){.pn = 0,
                       .dn = MATE_NUMBER_MAX,
                       .hand = hand,
                       .work = 1,
                       .len = (int16_t)len,
                       .loop = MATE_NO_LOOP,
                       .move = 77};
}

static MateValue none_value(Hand hand, int len) {
    return (MateValue){
        .pn = MATE_NUMBER_MAX, .hand = hand, .work = 1, .len = (int16_t)len, .loop = MATE_NO_LOOP};
}

static void test_hands(void) {
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    Hand gold = hand_unit(GOLD);
    Hand pawn = hand_unit(PAWN);
    MateValue mate = mate_value(gold, 7);
    dfpn_tt_store(table, (MateKey){123, gold + pawn}, &mate);
    MateValue value;
    CHECK(dfpn_tt_probe(table, (MateKey){123, gold}, MATE_LEN_FREE, &value) && value.pn == 0);
    CHECK(dfpn_tt_probe(table, (MateKey){123, 2 * gold + pawn}, 7, &value) && value.pn == 0);
    CHECK_INT(value.move, 77);
    CHECK_INT(value.len, 7);
    CHECK(!dfpn_tt_probe(table, (MateKey){123, pawn}, MATE_LEN_FREE, &value));
    CHECK(!dfpn_tt_probe(table, (MateKey){124, gold}, MATE_LEN_FREE, &value));
    CHECK(!dfpn_tt_probe(table, (MateKey){123, 2 * gold}, 5, &value));
    MateValue none = none_value(pawn, MATE_LEN_FREE);
    dfpn_tt_store(table, (MateKey){123, 0}, &none);
    CHECK(dfpn_tt_probe(table, (MateKey){123, pawn}, 99, &value) && value.dn == 0);
    CHECK(!dfpn_tt_probe(table, (MateKey){123, 2 * pawn}, 99, &value));
    dfpn_tt_free(table);
}

static void test_lengths(void) {
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    MateKey key = {.board = 99, .hand = 0};
    MateValue none = none_value(0, 6);
    MateValue open = open_value(3, 4, 10);
    dfpn_tt_store(table, key, &open);
    dfpn_tt_store(table, key, &none);
    MateValue value;
    CHECK(dfpn_tt_probe(table, key, 6, &value) && value.dn == 0);
    CHECK(dfpn_tt_probe(table, key, 8, &value) && value.pn == 3 && value.dn == 4);
    MateValue mate = mate_value(0, 9);
    dfpn_tt_store(table, key, &mate);
    CHECK(dfpn_tt_probe(table, key, 5, &value) && value.dn == 0);
    CHECK(dfpn_tt_probe(table, key, 9, &value) && value.pn == 0);
    dfpn_tt_new_search(table, false);
    CHECK(!dfpn_tt_probe(table, key, 9, &value));
    dfpn_tt_free(table);
}

/* Kept entries are still found, but without their search depths. Failures that depend on the path
 * are removed. */
static void test_keeping(void) {
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    MateKey key = {.board = 99, .hand = 0};
    MateValue open = open_value(3, 4, 10);
    MateValue failed = none_value(0, 20);
    MateValue value;
    dfpn_tt_store(table, key, &open);
    dfpn_tt_store_loop(table, 42, &failed);
    dfpn_tt_new_search(table, true);
    CHECK(dfpn_tt_probe(table, key, 9, &value) && value.pn == 3 && value.depth > 5);
    CHECK(!dfpn_tt_probe_loop(table, 42, 1, &value));
    open.depth = 7;
    dfpn_tt_store(table, key, &open);
    CHECK(dfpn_tt_probe(table, key, 9, &value) && value.depth == 7);
    dfpn_tt_new_search(table, false);
    CHECK(!dfpn_tt_probe(table, key, 9, &value));
    dfpn_tt_free(table);
}

/* If there are far more positions than the table can hold, the ones that took the most work
 * stay. */
static void test_eviction(void) {
    enum { MANY = 200000, GREAT = 100 };
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    Rng rng = rng_init(1);
    MateKey great[GREAT];
    for (int i = 0; i < MANY; i++) {
        MateKey key = {.board = rng_next(&rng), .hand = 0};
        if (i < GREAT) {
            great[i] = key;
        }
        MateValue open = open_value(2, 2, i < GREAT ? 100000 : 1);
        dfpn_tt_store(table, key, &open);
        MateValue value;
        if (!dfpn_tt_probe(table, key, MATE_LEN_FREE, &value)) {
            CHECK(false);
            break;
        }
    }
    int found = 0;
    for (int i = 0; i < GREAT; i++) {
        MateValue value;
        found += dfpn_tt_probe(table, great[i], MATE_LEN_FREE, &value);
    }
    CHECK_INT(found, GREAT);
    CHECK(dfpn_tt_hashfull(table) > 950);
    dfpn_tt_free(table);
}

/* The table grows as it fills: it loses almost nothing before it is full, it looks empty to a
 * progress line at first, and a new search finds nothing. */
static void test_growth(void) {
    enum { MANY = 60000, LOOPS = 3000 };
    MateTable *table = dfpn_tt_new((size_t)4 << 20);
    for (int search = 0; search < 2; search++) {
        int found = 0;
        int loops = 0;
        MateValue value;
        MateValue failed = none_value(0, 20);
        Rng rng = rng_init(7);
        CHECK_INT(dfpn_tt_hashfull(table), 0);
        for (int i = 0; i < MANY; i++) {
            MateValue open = open_value((uint64_t)i + 1, 2, 1);
            dfpn_tt_store(table, (MateKey){rng_next(&rng), 0}, &open);
        }
        rng = rng_init(7);
        for (int i = 0; i < MANY; i++) {
            MateKey key = {rng_next(&rng), 0};
            found += dfpn_tt_probe(table, key, 9, &value) && value.pn == (uint64_t)i + 1;
        }
        for (int i = 0; i < LOOPS; i++) {
            dfpn_tt_store_loop(table, (uint64_t)i + 1, &failed);
        }
        for (int i = 0; i < LOOPS; i++) {
            loops += dfpn_tt_probe_loop(table, (uint64_t)i + 1, 20, &value);
        }
        CHECK(found > MANY * 998 / 1000 && loops > LOOPS * 95 / 100);
        CHECK(dfpn_tt_hashfull(table) > 300 && dfpn_tt_hashfull(table) < 700);
        dfpn_tt_new_search(table, false);
        found = dfpn_tt_probe_loop(table, 1, 20, &value);
        rng = rng_init(7);
        for (int i = 0; i < MANY; i++) {
            found += dfpn_tt_probe(table, (MateKey){rng_next(&rng), 0}, 9, &value);
        }
        CHECK_INT(found, 0);
    }
    dfpn_tt_free(table);
}

static void test_loops(void) {
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    MateValue failed = none_value(0, 20);
    failed.loop = 3;
    dfpn_tt_store_loop(table, 1234567, &failed);
    MateValue value = open_value(1, 1, 1);
    CHECK(dfpn_tt_probe_loop(table, 1234567, 20, &value) && value.dn == 0 && value.loop == 3);
    CHECK(!dfpn_tt_probe_loop(table, 1234567, 21, &value));
    CHECK(!dfpn_tt_probe_loop(table, 1234568, 20, &value));
    failed.loop = -1;
    dfpn_tt_store_loop(table, 42, &failed);
    CHECK(dfpn_tt_probe_loop(table, 42, 1, &value) && value.loop == -1);
    dfpn_tt_free(table);
}

UNIT_MAIN({"hands dominate as they should", test_hands},
          {"lengths bound what is known", test_lengths}, {"what a new search keeps", test_keeping},
          {"small trees give way", test_eviction}, {"the table grows", test_growth},
          {"failures on a path", test_loops})
