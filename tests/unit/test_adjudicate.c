/* Adjudication: when scores end a game (referee.h). */
#include "play/referee.h"
#include "unit.h"

/* Passes the scores of both sides in turn, black's first; NO_SCORE means a move without a score.
 * Returns the number of the move at which a winner was declared, or 0. */
enum { NO_SCORE = 1 << 30 };

static int run(const AdjudicationOptions *options, const int *scores, int count,
               KmdWinner *winner) {
    Adjudicator adjudicator = {{0}, {0}, {0}};
    for (int i = 0; i < count; i++) {
        UsiInfo info = {.has_score = scores[i] != NO_SCORE, .score = scores[i]};
        *winner = referee_adjudicate(&adjudicator, options, (Color)(i % 2), &info, i + 1);
        if (*winner != KMD_WINNER_NONE) {
            return i + 1;
        }
    }
    return 0;
}

static void test_resign(void) {
    AdjudicationOptions options = {.resign_moves = 2, .resign_score = 500};
    KmdWinner winner;
    CHECK_INT(run(&options, (int[]){-500, 0, -600, 0}, 4, &winner), 3);
    CHECK_INT(winner, KMD_WINNER_WHITE);
    CHECK_INT(run(&options, (int[]){0, -500, 0, -500}, 4, &winner), 4);
    CHECK_INT(winner, KMD_WINNER_BLACK);
    CHECK_INT(run(&options, (int[]){-499, 0, -600, 0, -1, 0, -700}, 7, &winner), 0);
    CHECK_INT(run(&options, (int[]){-600, 0, NO_SCORE, 0, -600, 0}, 6, &winner), 0);
    /* The winner's score alone does not suffice. */
    CHECK_INT(run(&options, (int[]){900, 0, 900, 0, 900, 0}, 6, &winner), 0);
}

static void test_mutual_resign(void) {
    AdjudicationOptions options = {
        .resign_moves = 2, .resign_score = 500, .is_resign_mutual = true};
    KmdWinner winner;
    CHECK_INT(run(&options, (int[]){-600, 100, -600, 100, -600, 100}, 6, &winner), 0);
    CHECK_INT(run(&options, (int[]){-600, 600, -600, 600}, 4, &winner), 4);
    CHECK_INT(winner, KMD_WINNER_WHITE);
    CHECK_INT(run(&options, (int[]){-600, 600, -400, 600, -600, 600, -600}, 7, &winner), 7);
}

static void test_draw(void) {
    AdjudicationOptions options = {.draw_moves = 2, .draw_score = 10, .draw_from_ply = 6};
    KmdWinner winner;
    CHECK_INT(run(&options, (int[]){0, 10, -10, 5, 0, 0, 0}, 7, &winner), 6);
    CHECK_INT(winner, KMD_WINNER_DRAW);
    CHECK_INT(run(&options, (int[]){0, 0, 0, 0, 0, 11, 0, 0, 0}, 9, &winner), 0);
    CHECK_INT(run(&options, (int[]){0, 0, 0, 0, 0, 11, 0, 0, 0, 0}, 10, &winner), 10);
}

static void test_off(void) {
    AdjudicationOptions options = {0};
    KmdWinner winner;
    CHECK_INT(run(&options, (int[]){-30000, 30000, -30000, 30000, 0, 0, 0, 0}, 8, &winner), 0);
}

UNIT_MAIN({"resign rule", test_resign}, {"resign rule that asks both", test_mutual_resign},
          {"draw rule", test_draw}, {"rules that are off", test_off})
