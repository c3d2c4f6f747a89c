/* Compares mate1 with brute force, and tests positions that contain one difficulty each. */
#include "mate/mate1.h"

#include <stdio.h>

#include "randpos.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static bool is_mate(Position *pos, Move move) {
    pos_do(pos, move);
    bool mates = pos_in_check(pos) && !gen_has_move(pos);
    pos_undo(pos);
    return mates;
}

static Move brute_force(Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        if (is_mate(pos, list[i])) {
            return list[i];
        }
    }
    return MOVE_NONE;
}

static bool agrees(Position *pos) {
    Move want = brute_force(pos);
    Move got = mate1_find(pos);
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    bool is_legal = false;
    for (int i = 0; i < count; i++) {
        is_legal |= list[i] == got;
    }
    bool is_right = want == MOVE_NONE ? got == MOVE_NONE : is_legal && is_mate(pos, got);
    if (!is_right) {
        char want_text[USI_MOVE_SIZE];
        char got_text[USI_MOVE_SIZE];
        StrBuf sfen = STRBUF_INIT;
        pos_get_sfen(pos, &sfen);
        printf("    %s: %s, brute force says %s\n", sfen.ptr, usimove_write(got, got_text),
               usimove_write(want, want_text));
        strbuf_free(&sfen);
    }
    return is_right;
}

static void test_random(void) {
    int rounds = unit_wants_all() ? 2000000 : 200000;
    Rng rng = rng_init(20240517);
    Position pos;
    pos_init(&pos);
    int mates = 0;
    int faults = 0;
    for (int i = 0; i < rounds && faults < 10; i++) {
        randpos_set(&rng, &pos, 4 + i % 16);
        faults += !agrees(&pos);
        mates += mate1_find(&pos) != MOVE_NONE;
    }
    CHECK_INT(faults, 0);
    CHECK(mates > rounds / 50);
    pos_free(&pos);
}

typedef struct Case {
    const char *sfen;
    const char *move; /* the only mate, or "none" */
} Case;

static void test_traps(void) {
    static const Case cases[] = {
        /* a gold in front of the king, and the same without its guard */
        {"4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"},
        {"4k4/9/9/4P4/9/9/9/9/9 b G 1", "none"},
        /* only a pawn could be dropped, which must not mate */
        {"6Gnk/7ns/7SN/9/9/9/9/9/9 b P 1", "none"},
        /* the guard is pinned to its own king, but a piece on the board may still give mate */
        {"4k4/9/4P4/9/9/9/9/9/4K4 b Gr 1", "G*5b"},
        /* a distant check that a pawn can block, and one on a file that already has a pawn */
        {"k8/9/1G7/9/9/9/9/9/9 b Rp 1", "none"},
        /* the only block, a pawn in front of our king, checks our king without mating it */
        {"k8/2K6/P8/9/9/9/1p7/9/3R5 b p 1", "none"},
    };
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        char text[USI_MOVE_SIZE];
        CHECK_INT(pos_set_sfen(&pos, sv_from(cases[i].sfen), NULL), KMD_OK);
        CHECK(agrees(&pos));
        CHECK_STR(usimove_write(mate1_find(&pos), text), cases[i].move);
    }
    pos_free(&pos);
}

static void test_no_king(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("9/9/4P4/9/9/9/9/9/4K4 b G 1"), NULL), KMD_OK);
    CHECK_INT(mate1_find(&pos), MOVE_NONE);
    pos_free(&pos);
}

UNIT_MAIN({"mate1 agrees with brute force on random positions", test_random},
          {"mate1 sees through the traps", test_traps},
          {"mate1 knows no mate without a king", test_no_king})
