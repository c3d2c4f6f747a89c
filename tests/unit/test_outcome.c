/* Whether the game is over, who won and why. */
#include <string.h>

#include "rules/legality.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static KmdOutcome outcome_after(const char *sfen, const char *moves, OutcomeRules rules) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    Tokenizer tok = {sv_from(moves)};
    StrView word;
    while (tok_next(&tok, &word)) {
        Move move = usimove_read(word);
        if (CHECK_INT(legality_of(&pos, move), KMD_LEGAL)) {
            pos_do(&pos, move);
        }
    }
    KmdOutcome outcome = outcome_of(&pos, &rules);
    pos_free(&pos);
    return outcome;
}

static void check_outcome(const char *sfen, const char *moves, OutcomeRules rules,
                          KmdOutcome want) {
    KmdOutcome got = outcome_after(sfen, moves, rules);
    CHECK_INT(got.kind, want.kind);
    CHECK_INT(got.winner, want.winner);
}

static const OutcomeRules PLAIN = {KMD_DECLARE_27, 0};
static const OutcomeRules TRY = {KMD_DECLARE_TRY, 0};

static void test_ongoing(void) {
    const KmdOutcome ongoing = {KMD_END_NONE, KMD_WINNER_NONE};
    check_outcome("startpos", "", PLAIN, ongoing);
    check_outcome("startpos", "7g7f 3c3d 8h2b+", PLAIN, ongoing);
    check_outcome("k8/9/9/9/9/9/9/9/9 b - 1", "", PLAIN,
                  (KmdOutcome){KMD_END_NO_MOVES, KMD_WINNER_WHITE});
    check_outcome("k8/9/9/9/9/9/9/9/9 b P 1", "", PLAIN, ongoing);
}

static void test_mate(void) {
    check_outcome("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", PLAIN,
                  (KmdOutcome){KMD_END_MATE, KMD_WINNER_BLACK});
    check_outcome("4k4/9/9/9/9/9/4p4/9/4K4 w g 1", "G*5h", PLAIN,
                  (KmdOutcome){KMD_END_MATE, KMD_WINNER_WHITE});
}

/* There is no stalemate in shogi: a side without a legal move loses. */
static void test_no_moves(void) {
    check_outcome("k8/2G6/P8/9/9/9/9/9/8K w - 1", "", PLAIN,
                  (KmdOutcome){KMD_END_NO_MOVES, KMD_WINNER_BLACK});
    check_outcome("8k/9/9/9/9/9/8p/6g2/8K b - 1", "", PLAIN,
                  (KmdOutcome){KMD_END_NO_MOVES, KMD_WINNER_WHITE});
    /* A drop counts as a move. */
    check_outcome("k8/2G6/P8/9/9/9/9/9/8K w p 1", "", PLAIN,
                  (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE});
}

#define SHUFFLE "5i5h 5a5b 5h5i 5b5a "
#define CHASE   "9i8i 8a9a 8i9i 9a8a "

static void test_repetition(void) {
    check_outcome("startpos", SHUFFLE SHUFFLE, PLAIN, (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE});
    check_outcome("startpos", SHUFFLE SHUFFLE SHUFFLE, PLAIN,
                  (KmdOutcome){KMD_END_SENNICHITE, KMD_WINNER_DRAW});
    const char *chase = "1k7/9/9/9/9/9/9/9/R7K b - 1";
    check_outcome(chase, CHASE CHASE CHASE, PLAIN,
                  (KmdOutcome){KMD_END_PERPETUAL_LOSS, KMD_WINNER_WHITE});
    check_outcome(chase, CHASE CHASE CHASE "9i8i", PLAIN,
                  (KmdOutcome){KMD_END_PERPETUAL_WIN, KMD_WINNER_WHITE});
    check_outcome("k7r/9/9/9/9/9/9/9/7K1 w - 1",
                  "1a2a 2i1i 2a1a 1i2i 1a2a 2i1i 2a1a 1i2i 1a2a 2i1i 2a1a 1i2i", PLAIN,
                  (KmdOutcome){KMD_END_PERPETUAL_LOSS, KMD_WINNER_BLACK});
}

static void test_try(void) {
    const char *black = "k8/4K4/9/9/9/9/9/9/9 b - 1";
    check_outcome(black, "5b5a", TRY, (KmdOutcome){KMD_END_TRY, KMD_WINNER_BLACK});
    check_outcome(black, "5b5a", PLAIN, (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE});
    check_outcome(black, "", TRY, (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE});
    check_outcome("9/9/9/9/9/9/9/4k4/K8 w - 1", "5h5i", TRY,
                  (KmdOutcome){KMD_END_TRY, KMD_WINNER_WHITE});
    /* A king on its home square is on the other side's try square, but this has no effect. */
    check_outcome("startpos", "7g7f", TRY, (KmdOutcome){KMD_END_NONE, KMD_WINNER_NONE});
}

static void test_max_plies(void) {
    const KmdOutcome draw = {KMD_END_MAX_MOVES, KMD_WINNER_DRAW};
    const KmdOutcome ongoing = {KMD_END_NONE, KMD_WINNER_NONE};
    const OutcomeRules four = {KMD_DECLARE_27, 4};
    check_outcome("startpos", "7g7f 3c3d 2g2f", four, ongoing);
    check_outcome("startpos", "7g7f 3c3d 2g2f 8c8d", four, draw);
    check_outcome("startpos", "7g7f 3c3d 2g2f 8c8d", PLAIN, ongoing);
    /* The move number continues from the SFEN. */
    check_outcome("4k4/9/9/9/9/9/9/9/4K4 b P 4", "", four, ongoing);
    check_outcome("4k4/9/9/9/9/9/9/9/4K4 b P 4", "P*5e", four, draw);
}

/* Tests which rule takes precedence if several apply. */
static void test_order(void) {
    const OutcomeRules twelve = {KMD_DECLARE_TRY, 12};
    check_outcome("4k4/9/4P4/9/9/9/9/9/4K4 b G 99", "G*5b", twelve,
                  (KmdOutcome){KMD_END_MATE, KMD_WINNER_BLACK});
    check_outcome("startpos", SHUFFLE SHUFFLE SHUFFLE, twelve,
                  (KmdOutcome){KMD_END_SENNICHITE, KMD_WINNER_DRAW});
    check_outcome("k8/4K4/9/9/9/9/9/9/9 b - 12", "5b5a", twelve,
                  (KmdOutcome){KMD_END_TRY, KMD_WINNER_BLACK});
}

static void test_texts(void) {
    for (int kind = KMD_END_NONE; kind < KMD_ENDING_COUNT; kind++) {
        CHECK(strlen(outcome_ending_text((KmdEnding)kind)) > 2);
    }
}

UNIT_MAIN({"the game goes on", test_ongoing}, {"mate", test_mate},
          {"no legal move is a loss", test_no_moves}, {"repetition", test_repetition},
          {"try rule", test_try}, {"limit of plies", test_max_plies},
          {"mate, repetition, try, limit", test_order}, {"every kind has a text", test_texts})
