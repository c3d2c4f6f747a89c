#include <stdlib.h>

#include "random_net.h"
#include "train/samples.h"
#include "unit.h"

enum { MOVES = 4 };

/* Makes a game of four moves with these scores, and fills in the labels that samples_find_labels
 * gives it. */
static void labels_of(const int16_t scores[MOVES], KmdWinner winner, PackReason reason,
                      double lookahead, int16_t labels[MOVES]) {
    PackedGame game = {.winner = winner, .reason = reason};
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    packed_game_begin(&game, &start);
    for (int i = 0; i < MOVES; i++) {
        packed_game_add(&game, MOVE_NONE, scores[i]);
    }
    game.winner = winner;
    game.reason = reason;
    samples_find_labels(&game, 0, lookahead, labels);
    packed_game_free(&game);
    pos_free(&pos);
}

static void test_scores(void) {
    static const int16_t scores[MOVES] = {PACK_NO_SCORE, 120, -31000, 9000};
    int16_t labels[MOVES];
    labels_of(scores, KMD_WINNER_BLACK, PACK_MATE, 0, labels);
    CHECK_INT(labels[0], PACK_NO_SCORE);
    CHECK_INT(labels[1], 120);
    CHECK(labels[2] < -8000 && labels[2] > -9000); /* a mate counts as almost certain */
    CHECK_INT(labels[3], 9000);
}

/* With a lookahead of 1, all labels come from the end of the game: from the last score if the game
 * was adjudicated, from the result if it was played out. */
static void test_full_share(void) {
    static const int16_t scores[MOVES] = {500, 40, 300, -200};
    int16_t labels[MOVES];
    labels_of(scores, KMD_WINNER_BLACK, PACK_ADJUDICATED, 1, labels);
    CHECK_INT(labels[0], 200);
    CHECK_INT(labels[1], -200);
    CHECK_INT(labels[2], 200);
    CHECK_INT(labels[3], -200);
    labels_of(scores, KMD_WINNER_WHITE, PACK_MATE, 1, labels);
    CHECK(labels[0] < -8000);
    CHECK_INT(labels[1], -labels[0]);
    CHECK_INT(labels[3], -labels[0]);
    labels_of(scores, KMD_WINNER_DRAW, PACK_REPETITION, 1, labels);
    CHECK_INT(labels[0], 0);
    CHECK_INT(labels[3], 0);
}

/* A position of which no move is known need not be near the end of its game. */
static void test_no_move(void) {
    static const int16_t scores[MOVES] = {PACK_NO_SCORE, PACK_NO_SCORE, PACK_NO_SCORE, 200};
    int16_t labels[MOVES];
    labels_of(scores, KMD_WINNER_BLACK, PACK_NO_MOVE, 0.9, labels);
    CHECK_INT(labels[3], 200);
}

static void test_half_share(void) {
    static const int16_t scores[MOVES] = {PACK_NO_SCORE, 200, -200, 600};
    int16_t labels[MOVES];
    labels_of(scores, KMD_WINNER_NONE, PACK_UNKNOWN, 0.5, labels);
    CHECK_INT(labels[0], PACK_NO_SCORE);
    CHECK_INT(labels[3], 600);
    CHECK(labels[2] > -402 && labels[2] < -390); /* the mean of -200 and -600 as chances */
    CHECK(labels[1] > 290 && labels[1] < 302);
}

/* A mate keeps its label and affects the labels before it. */
static void test_mate_ahead(void) {
    static const int16_t scores[MOVES] = {PACK_NO_SCORE, 0, -31990, 31991};
    int16_t labels[MOVES];
    labels_of(scores, KMD_WINNER_WHITE, PACK_MATE, 0.5, labels);
    CHECK(labels[2] < -8000);
    CHECK_INT(labels[3], -labels[2]);
    CHECK(labels[1] > 1500 && labels[1] < 1580); /* a winning chance of three in four */
}

/* An opponent of another kind may miss a chance, so later scores say nothing about earlier
 * positions. */
static void test_unequal(void) {
    PackedGame game = {.move_count = 0};
    Setup start = setup_start();
    int16_t labels[2];
    packed_game_begin(&game, &start);
    packed_game_add(&game, MOVE_NONE, 100);
    packed_game_add(&game, MOVE_NONE, 3000);
    game.winner = KMD_WINNER_WHITE;
    game.reason = PACK_MATE;
    samples_find_labels(&game, 0, 0.5, labels);
    CHECK(labels[0] < -500);
    for (int i = 0; i < 2; i++) {
        game.is_unequal = i == 0;
        game.evaluation[WHITE] = (uint64_t)i;
        samples_find_labels(&game, 0, 0.5, labels);
        CHECK_INT(labels[0], 100);
        CHECK_INT(labels[1], 3000);
    }
    packed_game_free(&game);
}

/* Winning chances are mixed, not scores, so with half the scale all labels are half as large. */
static void test_scale(void) {
    PackedGame game = {.move_count = 0};
    Setup start = setup_start();
    int16_t whole[2];
    int16_t half[2];
    packed_game_begin(&game, &start);
    packed_game_add(&game, MOVE_NONE, 800);
    packed_game_add(&game, MOVE_NONE, -2400);
    game.winner = KMD_WINNER_BLACK;
    game.reason = PACK_MATE;
    samples_find_labels(&game, 1000, 0.5, whole);
    game.moves[0].score = 400;
    game.moves[1].score = -1200;
    samples_find_labels(&game, 500, 0.5, half);
    CHECK(whole[0] > 800 && abs(whole[0] - 2 * half[0]) <= 1);
    CHECK(whole[1] < -2400 && abs(whole[1] - 2 * half[1]) <= 1);
    game.moves[1].score = -1200;
    samples_find_labels(&game, 1000, 0.5, whole);
    CHECK(abs(whole[1] - half[1]) > 100);
    packed_game_free(&game);
}

/* With the largest scale, a nearly certain win is worth more centipawns than 16 bits can hold. Its
 * label is then the largest one. */
static void test_largest_scale(void) {
    PackedGame game = {.move_count = 0};
    Setup start = setup_start();
    int16_t labels[2];
    packed_game_begin(&game, &start);
    packed_game_add(&game, MOVE_NONE, 500);
    packed_game_add(&game, MOVE_NONE, -500);
    game.winner = KMD_WINNER_BLACK;
    game.reason = PACK_MATE;
    samples_find_labels(&game, NNUE_MAX_SCALE, 1, labels);
    CHECK_INT(labels[0], INT16_MAX);
    CHECK_INT(labels[1], -INT16_MAX);
    packed_game_free(&game);
}

UNIT_MAIN({"scores", test_scores}, {"full share", test_full_share}, {"half share", test_half_share},
          {"no move", test_no_move}, {"mate ahead", test_mate_ahead},
          {"different players", test_unequal}, {"scale", test_scale},
          {"the largest scale", test_largest_scale})
