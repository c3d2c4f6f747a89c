/* Solving mate problems of all kinds, and the records of their solutions. */
#include "commands/mateproblem.h"

#include "rules/sfen.h"
#include "unit.h"

#define MATE_IN_1 "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
#define GOLD_ROOK "4k4/9/9/9/9/9/9/9/9 b GR 1"
#define BRINKMATE "1ng4nl/1r4k2/lppp1ps1p/p5p2/5G1p1/PPbPPP3/1+b1gS1PPP/2GR5/LNK3SNL w S2p 1"

static const atomic_bool never;
static int infos, helpmates;

static void on_info(void *context, const MateInfo *info) {
    CHECK(context == &infos && info->nodes > 0);
    infos++;
}

static void on_helpmate(void *context, const Move *line, int len) {
    CHECK(context == &infos && move_is_real(line[0]));
    CHECK_INT(len, 3);
    helpmates++;
}

/* Solves a position twice, because the same MateProblem may solve several problems. */
static MateProblem *solve(const MateProblemOptions *options, const char *sfen,
                          const MateSolved **solved) {
    MateWatch watch = {&infos, on_info, on_helpmate, &never};
    MateProblem *problem = mateproblem_create(options, &watch);
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    uint64_t key = pos_key(&pos);
    for (int i = 0; i < 2; i++) {
        *solved = mateproblem_solve(problem, &pos);
        CHECK(pos_key(&pos) == key);
    }
    pos_free(&pos);
    return problem;
}

/* Checks how the description of an answer begins and ends. */
static void check_words(const MateSolved *solved, const char *start, const char *end) {
    StrBuf text = STRBUF_INIT;
    mateproblem_describe(solved, SV(", REMARK"), &text);
    CHECK(sv_starts_with(strbuf_view(&text), sv_from(start)));
    CHECK(sv_find(strbuf_view(&text), SV(" s, REMARK")) < text.len);
    CHECK(sv_ends_with(strbuf_view(&text), sv_from(end)));
    strbuf_free(&text);
}

static void test_mate(void) {
    const MateSolved *solved;
    MateProblemOptions options = {
        .mate.checks_unique = true, .mate.lines = 2, .effort = {.hash_mb = 1, .threads = 1}};
    options.wants_record = true;
    MateProblem *problem = solve(&options, MATE_IN_1, &solved);
    CHECK(solved->answer.verdict == MATE_FOUND && solved->answer.len == 1);
    CHECK(solved->answer.is_exact && solved->hash_mb == 1 && solved->time_ns > 0);
    CHECK(solved->lines != NULL && solved->lines[0].mate == 1 && solved->lines[1].mate == 0);
    CHECK(solved->unique.fault == UNIQUE_JUDGED && solved->other_count == 0);
    CHECK(solved->has_record && record_main_length(&solved->record) == 1);
    check_words(solved, "mate in 1, ", ": G*5b\n  unique: 0 other mates, 0 checks undecided\n");
    mateproblem_free(problem);
}

static void test_no_mate(void) {
    const MateSolved *solved;
    MateProblemOptions options = {
        .mate.lines = 1, .effort = {.hash_mb = 1, .threads = 1}, .wants_record = true};
    MateProblem *problem = solve(&options, "4k4/9/9/9/9/9/9/9/9 b P 1", &solved);
    CHECK(solved->answer.verdict == MATE_NONE && solved->lines == NULL && !solved->has_record);
    check_words(solved, "no mate, ", ", REMARK\n");
    mateproblem_free(problem);
}

static void test_brinkmate(void) {
    const MateSolved *solved;
    MateProblemOptions options = {
        .brink_moves = 1, .mate.lines = 1, .effort = {.hash_mb = 16, .threads = 1}};
    options.wants_record = true;
    MateProblem *problem = solve(&options, BRINKMATE, &solved);
    CHECK(solved->answer.verdict == MATE_FOUND && solved->moves == 1);
    CHECK(solved->has_record && record_main_length(&solved->record) > 1);
    CHECK(solved->record.node_count > 100);
    check_words(solved, "brinkmate in 1", "\n");
    mateproblem_free(problem);
    options.wants_record = false;
    problem = solve(&options, BRINKMATE, &solved);
    CHECK(solved->answer.verdict == MATE_FOUND && !solved->has_record);
    mateproblem_free(problem);
}

static void test_helpmates(void) {
    const MateSolved *solved;
    MateProblemOptions options = {
        .help_plies = 5, .mate.lines = 1, .effort = {.hash_mb = 1, .threads = 1}};
    options.wants_record = true;
    helpmates = 0;
    MateProblem *problem = solve(&options, GOLD_ROOK, &solved);
    CHECK(solved->answer.verdict == MATE_FOUND && solved->answer.is_exact);
    CHECK_INT(solved->answer.len, 3);
    CHECK(solved->helpmates > 0);
    CHECK(helpmates == 2 * (int)solved->helpmates);
    check_words(solved, "helpmate in 3, ", ", REMARK\n");
    CHECK(solved->unique.fault == UNIQUE_NO_MATE && solved->has_record);
    CHECK_INT(record_main_length(&solved->record), 3);
    CHECK_INT(record_variation_count(&solved->record), (int)solved->helpmates - 1);
    mateproblem_free(problem);
    options.help_plies = 1;
    problem = solve(&options, GOLD_ROOK, &solved);
    CHECK(solved->answer.verdict == MATE_NONE && !solved->has_record);
    mateproblem_free(problem);
    options.effort.nodes = 10;
    options.help_plies = 9;
    problem = solve(&options, "9/9/9/9/4k4/9/9/9/9 b 2B4N 1", &solved);
    CHECK(solved->answer.verdict == MATE_UNKNOWN);
    mateproblem_free(problem);
}

UNIT_MAIN({"a mate", test_mate}, {"no mate", test_no_mate}, {"a brinkmate", test_brinkmate},
          {"helpmates", test_helpmates})
