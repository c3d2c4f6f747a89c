/* Sennichite, perpetual check by either side, and differing hands. */
#include "base/clock.h"
#include "positions.h"
#include "rules/legality.h"
#include "rules/repetition.h"
#include "rules/usimove.h"
#include "unit.h"

static void play(Position *pos, const char *moves) {
    Tokenizer tok = {sv_from(moves)};
    StrView word;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (CHECK_INT(legality_of(pos, move), KMD_LEGAL)) {
            pos_do(pos, move);
        }
    }
}

/* Black's rook checks the king on two files; the cycle is four plies. */
#define CHASE       "1k7/9/9/9/9/9/9/9/R7K b - 1"
#define CHASE_CYCLE "9i8i 8a9a 8i9i 9a8a "
/* The same cycle, but its first move is not a check. */
#define CHASE_QUIET "9i7i 8a9a 7i9i 9a8a "

static void test_draw(void) {
    const char *cycle = "5i5h 5a5b 5h5i 5b5a";
    Position pos = position_at("startpos");
    CHECK_INT(repetition_count(&pos), 1);
    CHECK(repetition_has_any(&pos, 1));
    CHECK(!repetition_has_any(&pos, 2));
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    play(&pos, cycle);
    CHECK_INT(repetition_count(&pos), 2);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    play(&pos, cycle);
    play(&pos, "5i5h 5a5b 5h5i");
    CHECK_INT(repetition_count(&pos), 3);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    play(&pos, "5b5a");
    CHECK_INT(repetition_count(&pos), 4);
    CHECK_INT(repetition_in_game(&pos), REP_DRAW);
    pos_undo(&pos);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    pos_free(&pos);
}

/* The four occurrences may have different distances and need not be consecutive cycles. */
static void test_draw_with_detours(void) {
    Position pos = position_at("startpos");
    play(&pos, "5i5h 5a5b 5h5i 5b5a 5i4h 5a6b 4h3h 6b7b 3h4h 7b6b 4h5i 6b5a 2h1h 8b9b 1h2h 9b8b");
    CHECK_INT(repetition_count(&pos), 4);
    CHECK_INT(repetition_in_game(&pos), REP_DRAW);
    CHECK(repetition_has_any(&pos, 4));
    pos_undo(&pos);
    CHECK_INT(repetition_count(&pos), 1);
    CHECK(repetition_has_any(&pos, 3));
    CHECK(!repetition_has_any(&pos, 4));
    play(&pos, "9b8b");
    play(&pos, "7g7f 3c3d");
    CHECK_INT(repetition_count(&pos), 1);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    pos_free(&pos);
}

static void test_perpetual_check_by_black(void) {
    Position pos = position_at(CHASE);
    play(&pos, CHASE_CYCLE CHASE_CYCLE);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    play(&pos, CHASE_CYCLE);
    CHECK_INT(repetition_in_game(&pos), REP_LOSS); /* black, who is to move, always gave check */
    play(&pos, "9i8i");
    CHECK_INT(repetition_in_game(&pos), REP_WIN); /* white, who is to move, was always in check */
    pos_free(&pos);
}

static void test_perpetual_check_by_white(void) {
    Position pos = position_at("k7r/9/9/9/9/9/9/9/7K1 w - 1");
    const char *cycle = "1a2a 2i1i 2a1a 1i2i";
    play(&pos, cycle);
    play(&pos, cycle);
    play(&pos, cycle);
    CHECK_INT(repetition_in_game(&pos), REP_LOSS);
    play(&pos, "1a2a");
    CHECK_INT(repetition_in_game(&pos), REP_WIN);
    pos_free(&pos);
}

/* If one move in the cycles gives no check, the repetition is a draw. Moves before the first
 * occurrence do not count. */
static void test_interrupted_checks(void) {
    Position pos = position_at(CHASE);
    play(&pos, CHASE_QUIET CHASE_CYCLE CHASE_CYCLE);
    CHECK_INT(repetition_in_game(&pos), REP_DRAW);
    play(&pos, CHASE_CYCLE);
    CHECK_INT(repetition_count(&pos), 5);
    CHECK_INT(repetition_in_game(&pos), REP_LOSS); /* the last four occurrences count */
    pos_free(&pos);
    pos = position_at(CHASE);
    play(&pos, CHASE_CYCLE CHASE_CYCLE CHASE_QUIET);
    CHECK_INT(repetition_in_game(&pos), REP_DRAW);
    pos_free(&pos);
}

/* No real position with such a cycle is known, so the numbers of checks are set by hand. */
static void test_both_check(void) {
    Position pos = position_at("startpos");
    play(&pos, "5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a");
    pos.now->check_run[BLACK] = 6;
    pos.now->check_run[WHITE] = 6;
    CHECK_INT(repetition_in_game(&pos), REP_WIN);
    pos.now->check_run[WHITE] = 5;
    CHECK_INT(repetition_in_game(&pos), REP_LOSS);
    pos.now->check_run[BLACK] = 5;
    CHECK_INT(repetition_in_game(&pos), REP_DRAW);
    pos_free(&pos);
}

static void test_line_takes_first_repetition(void) {
    Position pos = position_at("startpos");
    play(&pos, "5i5h 5a5b 5h5i");
    CHECK_INT(repetition_in_line(&pos, 100), REP_NONE);
    play(&pos, "5b5a");
    CHECK_INT(repetition_in_line(&pos, 100), REP_DRAW);
    CHECK_INT(repetition_in_line(&pos, 4), REP_DRAW);
    CHECK_INT(repetition_in_line(&pos, 3), REP_NONE);
    CHECK_INT(repetition_in_line(&pos, 0), REP_NONE);
    pos_free(&pos);
    pos = position_at(CHASE);
    play(&pos, CHASE_CYCLE);
    CHECK_INT(repetition_in_line(&pos, 100), REP_LOSS);
    play(&pos, "9i8i");
    CHECK_INT(repetition_in_line(&pos, 100), REP_WIN);
    pos_free(&pos);
    pos = position_at(CHASE);
    play(&pos, CHASE_QUIET);
    CHECK_INT(repetition_in_line(&pos, 100), REP_DRAW);
    pos_free(&pos);
}

/* Black loses a pawn, and both sides return to their squares. */
static void test_hands(void) {
    Position pos = position_at("k8/9/9/r8/9/9/9/9/8K b P 1");
    play(&pos, "P*5d 9d5d 1i2h 5d9d 2h2i 9a8a 2i1i 8a9a");
    CHECK_INT(repetition_in_line(&pos, 8), REP_INFERIOR);
    CHECK_INT(repetition_in_line(&pos, 7), REP_NONE);
    CHECK_INT(repetition_count(&pos), 1);
    CHECK_INT(repetition_in_game(&pos), REP_NONE);
    pos_free(&pos);
    pos = position_at("k8/9/9/r8/9/9/9/9/8K w P 1");
    play(&pos, "9a8a P*5d 9d5d 1i2h 5d9d 2h2i 8a9a 2i1i");
    CHECK_INT(repetition_in_line(&pos, 8), REP_SUPERIOR);
    CHECK_INT(repetition_count(&pos), 1);
    pos_free(&pos);
}

/* Of two earlier positions with this board, the later one counts. */
static void test_equal_before_unequal(void) {
    Position pos = position_at("k8/9/9/r8/9/9/9/9/8K b P 1");
    play(&pos, "P*5d 9d5d 1i2h 5d9d 2h2i 9a8a 2i1i 8a9a");
    play(&pos, "1i2h P*2g 2h2g 9a8a 2g2h 8a9b 2h1i 9b9a");
    CHECK_INT(repetition_in_line(&pos, 32), REP_SUPERIOR);
    pos_free(&pos);
}

/* One pawn less and one lance more: neither hand is better. */
static void test_hands_that_do_not_compare(void) {
    Position pos = position_at("k8/9/9/r8/9/9/1R7/9/8K b Pl 1");
    play(&pos, "P*5d 9d5d 1i2i L*5f 8g5g 5d9d 5g5f 9a9b 5f8f 9b9a 8f8g 9a9b 2i1i 9b9a");
    CHECK_INT(hand_count(pos.hand[BLACK], LANCE), 1);
    CHECK_INT(hand_count(pos.hand[WHITE], PAWN), 1);
    CHECK_INT(repetition_in_line(&pos, 100), REP_NONE);
    CHECK_INT(repetition_count(&pos), 1);
    pos_free(&pos);
}

/* A null move interrupts repetitions. */
static void test_null_moves(void) {
    Position pos = position_at("startpos");
    pos_do_null(&pos);
    pos_do_null(&pos);
    CHECK_INT(repetition_count(&pos), 1);
    CHECK_INT(repetition_in_line(&pos, 100), REP_NONE);
    play(&pos, "5i5h 5a5b 5h5i 5b5a");
    CHECK_INT(repetition_count(&pos), 2);
    CHECK_INT(repetition_in_line(&pos, 100), REP_DRAW);
    pos_free(&pos);
}

/* No position occurs twice, because the keys are made different by hand, but a repetition test must
 * look through the whole game. Its time must not grow with the square of the length. */
static void test_long_game(void) {
    enum { CYCLES = 25000, PLIES = 4 * CYCLES, MAX_MS = 3000 };
    Position pos = position_at("startpos");
    for (int i = 0; i < CYCLES; i++) {
        play(&pos, "4i4h 6a6b 4h4i 6b6a");
    }
    CHECK(repetition_has_any(&pos, 4));
    for (int i = 0; i <= PLIES; i++) {
        pos.states[i].board_key = (uint64_t)i;
    }
    int64_t start = clock_ms();
    CHECK(!repetition_has_any(&pos, 2));
    pos.states[0].board_key = PLIES;
    CHECK(repetition_has_any(&pos, 2));
    CHECK(!repetition_has_any(&pos, 3));
    CHECK_TIMELY(clock_ms() - start < MAX_MS);
    pos_free(&pos);
}

UNIT_MAIN({"the fourth occurrence is a draw", test_draw},
          {"occurrences may lie anywhere", test_draw_with_detours},
          {"black checks perpetually", test_perpetual_check_by_black},
          {"white checks perpetually", test_perpetual_check_by_white},
          {"interrupted checks are a draw", test_interrupted_checks},
          {"both check: the last to check loses", test_both_check},
          {"the search stops at the second occurrence", test_line_takes_first_repetition},
          {"better and worse hands", test_hands},
          {"an equal position behind an unequal one", test_equal_before_unequal},
          {"hands that do not compare", test_hands_that_do_not_compare},
          {"null moves", test_null_moves},
          {"a long game is looked through quickly", test_long_game})
