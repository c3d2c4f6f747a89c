/* Tests the mate search at the root, how the game before the root restricts it, and the moves
 * chosen at a limited strength. */
#include "search/root.h"

#include <stdlib.h>

#include "base/rng.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "search/worker.h"
#include "unit.h"

/* A mate in one by a dropped gold. */
#define MATE_SFEN "4k4/9/4P4/9/9/9/9/9/8K b G 1"

/* The position with the mate in one, after both kings have moved away and back this many times. */
static Position after_cycles(int cycles) {
    static const char *const moves[] = {"1i1h", "5a4a", "1h1i", "4a5a"};
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV(MATE_SFEN), NULL), KMD_OK);
    for (int i = 0; i < 4 * cycles; i++) {
        pos_do(&pos, usimove_read(sv_from(moves[i % 4])));
    }
    return pos;
}

/* True if the mate search finds the mate with this many nodes. */
static bool finds_mate(RootMate *mate, const Position *pos, uint64_t searched) {
    atomic_bool stop = false;
    return root_mate_slice(mate, pos, searched, 99, &stop);
}

/* If a position has occurred three times, there is no mate search, because the mate might lead to
 * its fourth occurrence. */
static void games_with_repetitions(void) {
    RootMate mate;
    root_mate_init(&mate);
    for (int cycles = 0; cycles <= 2; cycles++) {
        Position pos = after_cycles(cycles);
        root_mate_free(&mate);
        root_mate_begin(&mate, &pos, KMD_DECLARE_27);
        CHECK(!finds_mate(&mate, &pos, 0));
        /* The game is checked only when a slice is due, not in every search. */
        CHECK(!mate.is_over);
        CHECK_INT(finds_mate(&mate, &pos, 1000000), cycles < 2);
        CHECK(cycles < 2 || mate.spent == 0);
        CHECK(mate.is_over);
        pos_free(&pos);
    }
    root_mate_free(&mate);
}

/* Under the try rule a fleeing king may win. */
static void the_try_rule(void) {
    RootMate mate;
    Position pos = after_cycles(0);
    root_mate_init(&mate);
    root_mate_begin(&mate, &pos, KMD_DECLARE_TRY);
    CHECK(!finds_mate(&mate, &pos, 1000000));
    CHECK_INT((int64_t)mate.spent, 0);
    root_mate_free(&mate);
    pos_free(&pos);
}

/* Nothing from one game is used in the next: neither the result nor the contents of the table. */
static void a_new_game(void) {
    RootMate mate;
    Position pos = after_cycles(0);
    root_mate_init(&mate);
    root_mate_begin(&mate, &pos, KMD_DECLARE_27);
    CHECK(!finds_mate(&mate, &pos, 100));
    CHECK(mate.solver == NULL);
    CHECK(finds_mate(&mate, &pos, 1000000));
    CHECK_INT(mate.answer.len, 1);
    CHECK_INT(mate.answer.line[0], move_make_drop(GOLD, SQ(5, 2)));
    mate.needed = 50;
    root_mate_free(&mate);
    CHECK(mate.solver == NULL);
    root_mate_begin(&mate, &pos, KMD_DECLARE_27);
    CHECK(mate.promised == 0);
    CHECK(finds_mate(&mate, &pos, 1000000));
    root_mate_free(&mate);
    pos_free(&pos);
}

/* Short slices add up: together they need only slightly more nodes than one long slice. */
static void short_slices(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(
        pos_set_sfen(&pos,
                     SV("ln1g4+R/2s1kg3/p1ppppb2/1p5pp/6p2/1+r5gP/PL+lN2P2/1S7/4KGSNL w Bsn6p 1"),
                     NULL),
        KMD_OK);
    RootMate mate;
    root_mate_init(&mate);
    root_mate_begin(&mate, &pos, KMD_DECLARE_27);
    CHECK(finds_mate(&mate, &pos, 1000000));
    uint64_t at_once = mate.spent;
    root_mate_free(&mate);
    root_mate_begin(&mate, &pos, KMD_DECLARE_27);
    int slices = 0;
    uint64_t searched = 0;
    bool is_found = false;
    for (; !is_found && searched < 100 * at_once; slices++) {
        searched += 5000;
        is_found = finds_mate(&mate, &pos, searched);
    }
    CHECK(is_found);
    CHECK(slices > 2);
    CHECK(mate.spent < 3 * at_once);
    root_mate_free(&mate);
    pos_free(&pos);
}

/* How much worse than the best move the moves chosen at a skill level are on average. */
static double average_loss(const Skill *skill, const Score *scores, int count) {
    SearchShared *shared = calloc(1, sizeof(*shared));
    Worker *worker = calloc(1, sizeof(*worker));
    worker->shared = shared;
    shared->options = (SearchOptions){.multi_pv = 1, .skill = *skill};
    worker->state.root_move_count = count;
    for (int i = 0; i < count; i++) {
        worker->root_moves[i].score = scores[i];
    }
    Rng rng = rng_init(1);
    double loss = 0;
    for (int i = 0; i < 2000; i++) {
        int chosen = root_choose(worker, rng_next(&rng));
        CHECK(chosen >= 0 && chosen < count);
        loss += scores[0] - scores[chosen];
    }
    free(worker);
    free(shared);
    return loss / 2000;
}

static void choices(void) {
    static const Score even[] = {40, 26, 9, -9, -34, -64, -130, -260};
    static const Skill weak = {.is_limited = true, .lines = 8, .noise = 16000};
    static const Skill middle = {.is_limited = true, .lines = 8, .noise = 310};
    static const Skill strong = {.is_limited = true, .lines = 2, .noise = 4};
    double losses[] = {average_loss(&weak, even, 8), average_loss(&middle, even, 8),
                       average_loss(&strong, even, 8)};
    CHECK(losses[0] > losses[1] && losses[1] > losses[2] && losses[2] < 0.5);
    /* A move to an even game is not chosen instead of a win, but any of several wins may be. */
    static const Score winning[] = {31990, 100}, wins[] = {31990, 3000};
    CHECK(average_loss(&middle, winning, 2) < 0.5);
    CHECK(average_loss(&middle, wins, 2) > 10000);
    static const Score single[] = {-31990};
    CHECK(average_loss(&weak, single, 1) < 0.5);
}

UNIT_MAIN({"choices", choices}, {"games with repetitions", games_with_repetitions},
          {"the try rule", the_try_rule}, {"a new game", a_new_game},
          {"short slices", short_slices})
