/* The checker of mates and refutations: it must find every hole in a false one. */
#include "mate/matecheck.h"

#include "mate/mate1.h"
#include "rules/attacks.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* Plays one move in the first position and another one in all others. */
typedef struct Script {
    int root_ply;
    const char *first;
    const char *later;
} Script;

static MateClaim play(void *context, const Position *pos, int level, int len) {
    (void)level;
    const Script *script = context;
    const char *move = pos->ply == script->root_ply ? script->first : script->later;
    return (MateClaim){.move = usimove_read(sv_from(move)), .len = len};
}

static int check(const char *sfen, Script script, int len, Move *line, int *line_len) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    script.root_ply = pos.ply;
    MateChecker *checker = matecheck_new(play, &script, NULL);
    matecheck_limit(checker, 1000);
    int got = matecheck_run(checker, &pos, len);
    if (got >= 0 && line != NULL) {
        *line_len = matecheck_line(checker, &pos, line, 10);
    }
    CHECK_INT(pos_moves_done(&pos), 0);
    matecheck_free(checker);
    pos_free(&pos);
    return got;
}

static void test_good(void) {
    Move line[10];
    int len = 0;
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*5b", "none"}, 1, line, &len), 1);
    CHECK_INT(len, 1);
    CHECK_INT(line[0], usimove_read(SV("G*5b")));
}

static void test_holes(void) {
    /* illegal move, no check, escapes, too long, empty */
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*5a", ""}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*9i", ""}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*4b", "G*5b"}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*5b", ""}, 0, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "", ""}, 9, NULL, NULL), -1);
}

/* Repeatedly checks the king with the rook from a distance and claims mate. */
static MateClaim chase(void *context, const Position *pos, int level, int len) {
    (void)level;
    (void)context;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, list);
    Bitboard beside_king = attacks_king(pos->king[color_flip(pos->side)]);
    for (int i = 0; i < count; i++) {
        if (!bb_has(beside_king, move_to(list[i])) && !move_is_promotion(list[i])) {
            return (MateClaim){.move = list[i], .len = len};
        }
    }
    return (MateClaim){.move = MOVE_NONE};
}

/* If claims never end, the checker follows them up to its limits of length and memory. */
static void test_chase(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("4k4/9/9/9/9/9/9/R8/9 b - 1"), NULL), KMD_OK);
    MateChecker *checker = matecheck_new(chase, NULL, NULL);
    matecheck_limit(checker, 1000000);
    CHECK_INT(matecheck_run(checker, &pos, 30000), -1);
    CHECK_INT(pos_moves_done(&pos), 0);
    matecheck_free(checker);
    pos_free(&pos);
}

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

static RefuteVerdict refute(const char *sfen, RefuteOracle *oracle, void *context,
                            const atomic_bool *stop) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    int moves = pos_moves_done(&pos);
    RefuteVerdict verdict = matecheck_refute(&pos, 0, oracle, context, stop);
    CHECK_INT(pos_moves_done(&pos), moves);
    pos_free(&pos);
    return verdict;
}

static void test_refutation(void) {
    Answers answers = {.is_last = false};
    CHECK_INT(refute(ROUND_SFEN, answer_somehow, &answers, NULL), REFUTE_HOLDS);
    CHECK(answers.asked > 0);
    CHECK_INT(refute(SAFE_SFEN, answer_somehow, &answers, NULL), REFUTE_HOLDS);
    /* there are no checks, so no call */
    CHECK_INT(refute("k8/9/9/9/9/9/9/9/9 b - 1", answer_never, NULL, NULL), REFUTE_HOLDS);
}

static void test_bad_refutation(void) {
    Answers answers = {.is_last = true};
    CHECK_INT(refute(MATE_SFEN, answer_somehow, &answers, NULL), REFUTE_FAILS);
    CHECK_INT(refute(ROUND_SFEN, answer_never, NULL, NULL), REFUTE_FAILS);
}

static void test_stopped_refutation(void) {
    Answers answers = {.is_last = false};
    atomic_bool stop = true;
    CHECK_INT(refute(ROUND_SFEN, answer_somehow, &answers, &stop), REFUTE_FAILS);
}

UNIT_MAIN({"a real mate is replayed", test_good}, {"holes are found", test_holes},
          {"an endless chase ends", test_chase}, {"a refutation is replayed", test_refutation},
          {"a false one is found", test_bad_refutation},
          {"limits end its replay", test_stopped_refutation})
