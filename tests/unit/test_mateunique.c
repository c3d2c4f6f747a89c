/* Tests the judgement of whether a mating line is unique, with given verdicts. */
#include "mate/mateunique.h"

#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

/* The verdicts to return for each position, and for the first question. */
typedef struct Script {
    MateVerdict first;
    MateVerdict quick;
    MateVerdict thorough;
    int asked;
    int told;
} Script;

static MateVerdict answer(void *context, const Position *pos, bool is_thorough) {
    Script *script = context;
    (void)pos;
    if (script->asked++ == 0) {
        return script->first;
    }
    return is_thorough ? script->thorough : script->quick;
}

static void count_told(void *context, int place, Move check) {
    Script *script = context;
    CHECK_INT(place, 0);
    CHECK(check != usimove_read(SV("G*5b")));
    script->told++;
}

/* A gold against a bare king can be dropped with check on five squares. */
static UniqueResult check(Script *script, const char *sfen, const char *first, const char *second) {
    Move line[2] = {usimove_read(sv_from(first)), usimove_read(sv_from(second))};
    UniqueAsker asker = {.context = script, .ask = answer, .tell = count_told};
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    UniqueResult result = mateunique_check(&asker, &pos, line, 2);
    CHECK_INT(pos_moves_done(&pos), 0);
    pos_free(&pos);
    return result;
}

static void test_verdicts(void) {
    static const struct {
        Script script;
        int others;
        int open;
    } cases[] = {
        {{MATE_FOUND, MATE_FOUND, MATE_FOUND, 0, 0}, 4, 0},
        {{MATE_NONE, MATE_NONE, MATE_NONE, 0, 0}, 0, 0},
        {{MATE_UNKNOWN, MATE_UNKNOWN, MATE_UNKNOWN, 0, 0}, 0, 4},
        {{MATE_UNKNOWN, MATE_UNKNOWN, MATE_NONE, 0, 0}, 0, 0},
        {{MATE_UNKNOWN, MATE_UNKNOWN, MATE_FOUND, 0, 0}, 4, 0},
        /* an undecided answer does not hide another one that escapes */
        {{MATE_UNKNOWN, MATE_NONE, MATE_UNKNOWN, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        Script script = cases[i].script;
        UniqueResult result = check(&script, "4k4/9/9/9/9/9/9/9/9 b G 1", "G*5b", "5a5b");
        CHECK_INT(result.others, cases[i].others);
        CHECK_INT(result.open, cases[i].open);
        CHECK_INT(script.told, cases[i].others);
    }
}

/* Moves after the point that players call mate do not belong to the line. */
static void test_players_end(void) {
    Script script = {MATE_FOUND, MATE_FOUND, MATE_FOUND, 0, 0};
    UniqueResult result = check(&script, "8k/9/6NG1/9/9/9/9/9/R8 b p 1", "9i1i", "P*1b");
    CHECK_INT(result.others, 0);
    CHECK_INT(script.asked, 0);
}

UNIT_MAIN({"verdicts make a result", test_verdicts},
          {"the last move for players is not tested", test_players_end})
