/* Tests replays of refutations: valid ones, invalid ones, and their limits. */
#include "mate/materefute.h"

#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* A rook that can circle a bare king, and a gold that mates with a pawn's support. */
#define ROUND_SFEN "k8/9/9/9/9/9/9/9/1R7 b - 1"
#define MATE_SFEN  "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
#define SAFE_SFEN  "4k4/9/4P4/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1"

/* Answers with the first or the last legal move, and counts the calls. */
typedef struct Answers {
    bool is_last;
    int asked;
} Answers;

static Move answer_somehow(void *context, Position *pos, int level) {
    Answers *answers = context;
    CHECK_INT(level, 0);
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    answers->asked++;
    return count == 0 ? MOVE_NONE : list[answers->is_last ? count - 1 : 0];
}

static Move answer_never(void *context, Position *pos, int level) {
    (void)context;
    (void)pos;
    (void)level;
    return MOVE_NONE;
}

static RefuteVerdict replay(const char *sfen, RefuteOracle *oracle, void *context,
                            RefuteOptions options) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    int moves = pos_moves_done(&pos);
    RefuteVerdict verdict = materefute_run(&pos, oracle, context, options);
    CHECK_INT(pos_moves_done(&pos), moves);
    pos_free(&pos);
    return verdict;
}

static void test_holds(void) {
    Answers answers = {.is_last = false};
    RefuteOptions options = {.room = 0};
    CHECK_INT(replay(ROUND_SFEN, answer_somehow, &answers, options), REFUTE_HOLDS);
    CHECK(answers.asked > 0);
    CHECK_INT(replay(SAFE_SFEN, answer_somehow, &answers, options), REFUTE_HOLDS);
    /* there are no checks, so no call */
    CHECK_INT(replay("k8/9/9/9/9/9/9/9/9 b - 1", answer_never, NULL, options), REFUTE_HOLDS);
}

static void test_fails(void) {
    Answers answers = {.is_last = true};
    RefuteOptions options = {.room = 0};
    CHECK_INT(replay(MATE_SFEN, answer_somehow, &answers, options), REFUTE_FAILS);
    CHECK_INT(replay(ROUND_SFEN, answer_never, NULL, options), REFUTE_FAILS);
}

static void test_limits(void) {
    Answers answers = {.is_last = false};
    RefuteOptions options = {.room = 1};
    CHECK_INT(replay(ROUND_SFEN, answer_somehow, &answers, options), REFUTE_TOO_LARGE);
    atomic_bool stop = true;
    options = (RefuteOptions){.stop = &stop};
    CHECK_INT(replay(ROUND_SFEN, answer_somehow, &answers, options), REFUTE_FAILS);
}

UNIT_MAIN({"what holds", test_holds}, {"what does not", test_fails}, {"limits", test_limits})
