/* The checker of mates believes nobody: it must find every hole in a false mate. */
#include "mate/matecheck.h"

#include "rules/position.h"
#include "rules/rules.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* Plays one move in the first position and another one in all others. */
typedef struct Script {
    int root_ply;
    const char *first;
    const char *later;
} Script;

static Move play(void *context, const Position *pos, int len) {
    (void)len;
    const Script *script = context;
    return usimove_read(sv_from(pos->ply == script->root_ply ? script->first : script->later));
}

static int check(const char *sfen, Script script, int len, Move *line, int *line_len) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), SFEN_OK);
    script.root_ply = pos.ply;
    MateCheckLimits limits = {.nodes = 1000};
    MateChecker *checker = matecheck_new(play, &script, limits);
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
    /* illegal, no check, escapes, too long, nothing at all */
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*5a", ""}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*9i", ""}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*4b", "G*5b"}, 9, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "G*5b", ""}, 0, NULL, NULL), -1);
    CHECK_INT(check("4k4/9/4P4/9/9/9/9/9/9 b G 1", (Script){0, "", ""}, 9, NULL, NULL), -1);
}

int main(int argc, char **argv) {
    static const UnitTest tests[] = {
        {"a real mate is replayed", test_good},
        {"holes are found", test_holes},
    };
    rules_init();
    return unit_run(tests, (int)COUNTOF(tests), argc, argv);
}
