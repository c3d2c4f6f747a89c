/* The checker of mates: it must find every hole in a false mate. */
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
    MateCheckOptions options = {.nodes = 1000};
    MateChecker *checker = matecheck_new(play, &script, options);
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
    MateCheckOptions options = {.nodes = 1000000};
    MateChecker *checker = matecheck_new(chase, NULL, options);
    CHECK_INT(matecheck_run(checker, &pos, 30000), -1);
    CHECK_INT(pos_moves_done(&pos), 0);
    matecheck_free(checker);
    pos_free(&pos);
}

/* The rook checks from a distance and captures whatever is dropped, with mate. */
static MateClaim rook_mates(void *context, const Position *pos, int level, int len) {
    (void)level;
    (void)context;
    Move mate = mate1_find(pos);
    return (MateClaim){.move = mate != MOVE_NONE ? mate : usimove_read(SV("9i1i")), .len = len};
}

/* A set that is too small ends the replay with an error; a set that is just large enough does
 * not. */
static void test_full(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/6NG1/9/9/9/9/9/R8 b p 1"), NULL), KMD_OK);
    int failed = 0;
    int length = -1;
    for (size_t room = 1; room < 100 && length < 0; room++) {
        MateCheckOptions options = {.nodes = 1000, .room = room};
        MateChecker *checker = matecheck_new(rook_mates, NULL, options);
        length = matecheck_run(checker, &pos, 9);
        Move move;
        CHECK_INT(matecheck_known(checker, &pos, &move), length);
        CHECK(length >= 0 || matecheck_is_full(checker));
        failed += length < 0;
        matecheck_free(checker);
    }
    CHECK_INT(length, 3);
    CHECK(failed > 0);
    pos_free(&pos);
}

UNIT_MAIN({"a real mate is replayed", test_good}, {"holes are found", test_holes},
          {"an endless chase ends", test_chase}, {"a full set ends the replay", test_full})
