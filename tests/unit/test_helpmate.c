/* Compares helpmates with a count of all lines, and tests the limits of the search. */
#include "mate/helpmate.h"

#include "randpos.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

enum { TABLE_BYTES = 1 << 16 };

/* Counts the lines of exactly this many plies that end in mate. */
static uint64_t count_lines(Position *pos, int left) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    if (left == 0) {
        return count == 0 && pos_in_check(pos);
    }
    uint64_t lines = 0;
    for (int i = 0; i < count; i++) {
        pos_do(pos, list[i]);
        if (left % 2 == 0 || pos_in_check(pos)) {
            lines += count_lines(pos, left - 1);
        }
        pos_undo(pos);
    }
    return lines;
}

typedef struct Told {
    Position *pos;
    uint64_t lines;
    int faults;
    bool ends;
} Told;

static void note_line(void *context, const Move *line, int len) {
    Told *told = context;
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, told->pos);
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
    }
    for (int i = 0; i < len; i++) {
        pos_do(&pos, line[i]);
        told->faults += i % 2 == 0 && !pos_in_check(&pos);
    }
    told->faults += gen_has_move(&pos);
    told->lines++;
    pos_free(&pos);
}

static bool is_to_end(void *context) {
    return ((Told *)context)->ends;
}

static HelpmateAnswer solve(Position *pos, int plies, Told *told) {
    *told = (Told){.pos = pos, .ends = told->ends};
    HelpmateOptions options = {.plies = plies,
                               .bytes = TABLE_BYTES,
                               .is_to_end = is_to_end,
                               .tell = note_line,
                               .context = told};
    return helpmate_solve(pos, &options);
}

static void test_counts(void) {
    Rng rng = rng_init(8);
    Position pos;
    Told told = {.ends = false};
    pos_init(&pos);
    int found = 0;
    for (int i = 0; i < (unit_wants_all() ? 20000 : 2000); i++) {
        randpos_set(&rng, &pos, 3);
        HelpmateAnswer answer = solve(&pos, 3, &told);
        uint64_t one = count_lines(&pos, 1);
        uint64_t want = one > 0 ? one : count_lines(&pos, 3);
        CHECK(answer.is_whole && answer.solutions == want && told.lines == want);
        CHECK_INT(answer.len, want == 0 ? 0 : one > 0 ? 1 : 3);
        CHECK_INT(told.faults, 0);
        found += answer.len == 3;
    }
    CHECK(found > 20);
    pos_free(&pos);
}

static void test_limits(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("9/9/9/9/4k4/9/9/9/9 b 2B4N 1"), NULL), KMD_OK);
    Told told = {.ends = true};
    CHECK(!solve(&pos, 9, &told).is_whole);
    HelpmateOptions options = {.plies = 9, .nodes = 1000, .tell = note_line, .context = &told};
    HelpmateAnswer answer = helpmate_solve(&pos, &options);
    CHECK(!answer.is_whole && answer.nodes <= 1001);
    pos_free(&pos);
}

UNIT_MAIN({"all lines of the shortest helpmates", test_counts}, {"limits", test_limits})
