/* The hunt for a mate at the root: what the game before it forbids. */
#include "search/matehunt.h"

#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* A mate in one by a dropped gold. */
#define MATE_SFEN "4k4/9/4P4/9/9/9/9/9/8K b G 1"

/* The mate after so many times of both kings going away and coming back. */
static Position after_cycles(int cycles) {
    static const char *const moves[] = {"1i1h", "5a4a", "1h1i", "4a5a"};
    Position pos;
    rules_init();
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV(MATE_SFEN), NULL), KMD_OK);
    for (int i = 0; i < 4 * cycles; i++) {
        pos_do(&pos, usimove_read(sv_from(moves[i % 4])));
    }
    return pos;
}

/* Does it find the mate, having been given so many nodes? */
static bool finds_mate(MateHunt *hunt, const Position *pos, uint64_t searched) {
    atomic_bool stop = false;
    MateHuntLimits limits = {
        .searched = searched, .left = UINT64_MAX, .longest_mate = 99, .stop = &stop};
    return matehunt_slice(hunt, pos, &limits);
}

/* Where a position has come three times the fourth might lie on the way of the mate. */
static void games_with_repetitions(void) {
    MateHunt hunt;
    matehunt_init(&hunt);
    for (int cycles = 0; cycles <= 2; cycles++) {
        Position pos = after_cycles(cycles);
        matehunt_forget(&hunt);
        matehunt_begin(&hunt, &pos, KMD_DECLARE_27);
        CHECK(!finds_mate(&hunt, &pos, 0));
        /* The game is looked through when a slice is due, and not for every search. */
        CHECK(!hunt.is_over);
        CHECK_INT(finds_mate(&hunt, &pos, 1000000), cycles < 2);
        CHECK(cycles < 2 || hunt.spent == 0);
        CHECK(hunt.is_over);
        pos_free(&pos);
    }
    matehunt_free(&hunt);
}

/* Under the try rule a king that flees may win. */
static void the_try_rule(void) {
    MateHunt hunt;
    Position pos = after_cycles(0);
    matehunt_init(&hunt);
    matehunt_begin(&hunt, &pos, KMD_DECLARE_TRY);
    CHECK(!finds_mate(&hunt, &pos, 1000000));
    CHECK_INT((int64_t)hunt.spent, 0);
    matehunt_free(&hunt);
    pos_free(&pos);
}

/* Nothing of one game is left in the next: neither what it found nor where in the table. */
static void a_new_game(void) {
    MateHunt hunt;
    Position pos = after_cycles(0);
    matehunt_init(&hunt);
    matehunt_begin(&hunt, &pos, KMD_DECLARE_27);
    CHECK(!finds_mate(&hunt, &pos, 100));
    CHECK(hunt.solver == NULL);
    CHECK(finds_mate(&hunt, &pos, 1000000));
    CHECK_INT(hunt.answer.len, 1);
    CHECK_INT(hunt.answer.line[0], move_make_drop(GOLD, SQ(5, 2)));
    hunt.needed = 50;
    matehunt_forget(&hunt);
    CHECK(hunt.solver == NULL);
    matehunt_begin(&hunt, &pos, KMD_DECLARE_27);
    CHECK(hunt.promised == 0);
    CHECK(finds_mate(&hunt, &pos, 1000000));
    matehunt_free(&hunt);
    pos_free(&pos);
}

/* What short slices find out adds up: together they take little more than one long slice. */
static void short_slices(void) {
    Position pos;
    rules_init();
    pos_init(&pos);
    CHECK_INT(
        pos_set_sfen(&pos,
                     SV("ln1g4+R/2s1kg3/p1ppppb2/1p5pp/6p2/1+r5gP/PL+lN2P2/1S7/4KGSNL w Bsn6p 1"),
                     NULL),
        KMD_OK);
    MateHunt hunt;
    matehunt_init(&hunt);
    matehunt_begin(&hunt, &pos, KMD_DECLARE_27);
    CHECK(finds_mate(&hunt, &pos, 1000000));
    uint64_t at_once = hunt.spent;
    matehunt_forget(&hunt);
    matehunt_begin(&hunt, &pos, KMD_DECLARE_27);
    int slices = 0;
    uint64_t searched = 0;
    bool is_found = false;
    for (; !is_found && searched < 100 * at_once; slices++) {
        searched += 5000;
        is_found = finds_mate(&hunt, &pos, searched);
    }
    CHECK(is_found);
    CHECK(slices > 2);
    CHECK(hunt.spent < 3 * at_once);
    matehunt_free(&hunt);
    pos_free(&pos);
}

UNIT_MAIN({"games with repetitions", games_with_repetitions}, {"the try rule", the_try_rule},
          {"a new game", a_new_game}, {"short slices", short_slices})
