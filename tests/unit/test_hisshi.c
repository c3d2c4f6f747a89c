/* Compares brinkmates with brute force, which tries every quiet move and every answer and uses the
 * mate solver for the mates that follow. */
#include "mate/hisshi.h"

#include <stdio.h>

#include "base/fileio.h"
#include "base/rng.h"
#include "mate/matemoves.h"
#include "positions.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

enum { TABLE_BYTES = 1 << 22 };

/* The state of the brute-force search. */
typedef struct Brute {
    MateSolver *solver;
    MateAnswer answer;
    bool is_unsure; /* the result of a mate search was unknown */
} Brute;

static bool mates(Brute *brute, const Position *pos) {
    MateSolverOptions options = {.nodes = 5000, .is_verdict_only = true, .keeps_table = true};
    matesolver_solve(brute->solver, pos, &options, &brute->answer);
    brute->is_unsure |= brute->answer.verdict == MATE_UNKNOWN;
    return brute->answer.verdict == MATE_FOUND;
}

static bool wins(Brute *brute, Position *pos, int moves);

/* True if the defender, who is to move after an attacking move, loses: at most `moves` moves of the
 * brinkmate are left. */
static bool loses(Brute *brute, Position *pos, int moves) {
    Move list[MAX_MOVES];
    if (!pos_in_check(pos)) {
        pos_do_null(pos);
        bool is_threat = mates(brute, pos);
        pos_undo_null(pos);
        if (!is_threat) {
            return false;
        }
    }
    int count = gen_moves(pos, GEN_LEGAL, list);
    bool all = true;
    for (int i = 0; i < count && all; i++) {
        pos_do(pos, list[i]);
        all = wins(brute, pos, moves);
        pos_undo(pos);
    }
    return all;
}

/* True if the attacker, who has no king, mates or has a brinkmate in at most this many moves. */
static bool wins(Brute *brute, Position *pos, int moves) {
    if (mates(brute, pos)) {
        return true;
    }
    Move list[MAX_MOVES];
    int count = moves >= 1 ? gen_moves(pos, GEN_LEGAL, list) : 0;
    bool any = false;
    for (int i = 0; i < count && !any; i++) {
        pos_do(pos, list[i]);
        any = loses(brute, pos, moves - 2);
        pos_undo(pos);
    }
    return any;
}

/* The length of the shortest brinkmate. 0: a mate; -1: no brinkmate in `most` moves; -2:
 * undecided. */
static int brute_moves(Brute *brute, Position *pos, int most) {
    brute->is_unsure = false;
    int found = -1;
    for (int moves = -1; moves <= most && found < 0; moves += 2) {
        found = wins(brute, pos, moves) ? int_max(moves, 0) : -1;
    }
    return brute->is_unsure ? -2 : found;
}

/* Checks that the line is legal, and that each attacking move is a check or a quiet move that is
 * allowed. */
static bool line_holds(const Position *start, const HisshiAnswer *answer) {
    Position pos;
    pos_init(&pos);
    pos_copy(&pos, start);
    bool holds = answer->line_len > 0;
    int quiet = 0;
    for (int i = 0; i < answer->line_len && holds; i++) {
        Move list[MAX_MOVES];
        int count = gen_moves(&pos, GEN_LEGAL, list);
        holds = false;
        for (int k = 0; k < count; k++) {
            holds |= list[k] == answer->line[i];
        }
        quiet += i % 2 == 0 && !pos_gives_check(&pos, answer->line[i]);
        if (holds) {
            pos_do(&pos, answer->line[i]);
        }
    }
    holds = holds && (answer->moves > 0) == (quiet > 0) && !gen_has_move(&pos);
    pos_free(&pos);
    return holds;
}

static void place(Rng *rng, Setup *setup, Color color, int count) {
    for (int placed = 0; placed < count;) {
        Square king = setup->board[0] == piece_make(WHITE, KING) ? 0 : 9;
        int file = sq_file(king) + (int)rng_below(rng, 4) - 1;
        int rank = sq_rank(king) + (int)rng_below(rng, 4);
        if (file < 0 || setup->board[sq_make(file, rank)] != NO_PIECE) {
            continue;
        }
        PieceType type = (PieceType)(PAWN + rng_below(rng, GOLD));
        type = pt_can_promote(type) && rng_below(rng, 3) == 0 ? pt_promote(type) : type;
        setup->board[sq_make(file, rank)] = piece_make(color, type);
        placed++;
    }
}

/* Sets up a random position with a white king in or beside a corner, two or three pieces of each
 * side near it, one or two pieces in black's hand and sometimes one in white's. About one in ten
 * such positions has a brinkmate. */
static void set_corner(Rng *rng, Position *pos) {
    for (;;) {
        Setup setup = {.side = BLACK, .ply = 1};
        setup.board[rng_below(rng, 2) == 0 ? 0 : 9] = piece_make(WHITE, KING);
        place(rng, &setup, BLACK, 1 + (int)rng_below(rng, 3));
        place(rng, &setup, WHITE, 1 + (int)rng_below(rng, 3));
        for (int i = 0; i < 3; i++) {
            Color color = i < 2 ? BLACK : WHITE;
            PieceType type = (PieceType)(PAWN + rng_below(rng, GOLD));
            if (i == 0 || rng_below(rng, 2) == 0) {
                setup.hand[color] = hand_add(setup.hand[color], type);
            }
        }
        if (setup_check(&setup, NULL) == KMD_OK) {
            pos_set(pos, &setup);
            return;
        }
    }
}

static void compare(int rounds, int most, uint64_t seed) {
    Rng rng = rng_init(seed);
    Brute brute = {.solver = matesolver_new(TABLE_BYTES, 1)};
    MateTable *table = dfpn_tt_new(TABLE_BYTES);
    Position pos;
    pos_init(&pos);
    int found[BRINK_MOVES_MAX + 1] = {0};
    int none = 0;
    int open = 0;
    int faults = 0;
    for (int i = 0; i < rounds && faults < 5; i++) {
        set_corner(&rng, &pos);
        static HisshiAnswer answer;
        HisshiOptions options = {.nodes = 30000, .moves = most};
        hisshi_solve(table, &pos, &options, &answer);
        int want = answer.verdict == MATE_UNKNOWN ? -2 : brute_moves(&brute, &pos, most);
        open += want == -2;
        none += want == -1;
        found[want > 0 ? want : 0] += want >= 0;
        bool is_right =
            want == -2 || (want == -1 ? answer.verdict == MATE_NONE
                                      : answer.verdict == MATE_FOUND && answer.moves >= want &&
                                            (!answer.is_exact || answer.moves == want) &&
                                            line_holds(&pos, &answer));
        if (!CHECK(is_right)) {
            StrBuf sfen = STRBUF_INIT;
            pos_get_sfen(&pos, &sfen);
            printf("    %s: verdict %d in %d, brute force says %d\n", sfen.ptr, (int)answer.verdict,
                   answer.moves, want);
            strbuf_free(&sfen);
            faults++;
        }
        hisshi_clear(&answer);
    }
    printf("    %d mates, %d in 1, %d in 3, %d none, %d open\n", found[0], found[1], found[3], none,
           open);
    CHECK(found[1] > rounds / 100 && (most < 3 || found[3] > 0));
    CHECK(none > rounds / 10);
    pos_free(&pos);
    dfpn_tt_free(table);
    matesolver_free(brute.solver);
}

static void test_one(void) {
    compare(unit_wants_all() ? 5000 : 150, 1, 3);
}

static void test_three(void) {
    compare(unit_wants_all() ? 600 : 40, 3, 4);
}

/* The number of first moves that lead to a brinkmate in this many moves, by brute force. */
static int brute_firsts(Brute *brute, Position *pos, int moves) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    int firsts = 0;
    brute->is_unsure = false;
    for (int i = 0; i < count; i++) {
        pos_do(pos, list[i]);
        firsts += loses(brute, pos, moves - 2);
        pos_undo(pos);
    }
    return firsts;
}

/* Checks one row of tests/data/hisshi.tsv: the length, and the uniqueness of the first move if the
 * row states it. If the attacker has no king, short brinkmates are also compared with brute
 * force. */
static void judge_row(Brute *brute, MateTable *table, StrView line) {
    static HisshiAnswer answer;
    StrView field[3] = {{NULL, 0}};
    for (int i = 0; i < 3 && sv_next_field(&line, '\t', &field[i]); i++) {
    }
    Position pos;
    int moves = 0;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, field[0], NULL), KMD_OK);
    CHECK(sv_to_int(field[1], 1, BRINK_MOVES_MAX, &moves));
    bool is_unique = sv_equal(field[2], SV("unique"));
    HisshiOptions options = {.nodes = 1000000, .moves = 5, .checks_unique = is_unique};
    hisshi_solve(table, &pos, &options, &answer);
    bool is_right = answer.verdict == MATE_FOUND && answer.is_exact && answer.moves == moves;
    is_right = is_right && line_holds(&pos, &answer);
    if (pos.king[pos.side] == SQ_NONE && moves == 1) {
        int want = brute_moves(brute, &pos, 1);
        is_right = is_right && (want == 1 || want == -2);
        is_right =
            is_right && (!is_unique || brute_firsts(brute, &pos, 1) == 1 || brute->is_unsure);
    }
    is_right = is_right && (answer.is_unique || !is_unique);
    if (!CHECK(is_right)) {
        printf("    %.*s: verdict %d in %d\n", (int)field[0].len, field[0].ptr, (int)answer.verdict,
               answer.moves);
    }
    hisshi_clear(&answer);
    pos_free(&pos);
}

/* Tests brinkmates in won positions of the engine's games and in random positions. */
static void test_problems(void) {
    StrBuf text = STRBUF_INIT;
    CHECK_INT(file_read("tests/data/hisshi.tsv", &text), 0);
    Brute brute = {.solver = matesolver_new(TABLE_BYTES, 1)};
    MateTable *table = dfpn_tt_new((size_t)32 << 20);
    StrView rest = strbuf_view(&text);
    StrView line;
    int rows = 0;
    for (; sv_next_line(&rest, &line); rows++) {
        if (rows > 0 && (unit_wants_all() || rows % 8 == 0)) {
            judge_row(&brute, table, line);
        }
    }
    CHECK(rows > 400);
    dfpn_tt_free(table);
    matesolver_free(brute.solver);
    strbuf_free(&text);
}

/* The reports of a search. */
typedef struct Told {
    int reports;
    int numbered; /* reports with a proof number */
} Told;

static void note_progress(void *context, const MateProgress *progress) {
    Told *told = context;
    told->reports++;
    told->numbered += progress->pn > 0;
}

/* A brinkmate search consists of many searches, none of whose numbers are those of the problem. */
static void test_reports(void) {
    static HisshiAnswer answer;
    Told told = {0};
    Position pos = position_at("4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1");
    MateTable *table = dfpn_tt_new((size_t)4 << 20);
    HisshiOptions options = {
        .nodes = 150000, .moves = 3, .report = note_progress, .report_context = &told};
    hisshi_solve(table, &pos, &options, &answer);
    CHECK(told.reports > 0);
    CHECK_INT(told.numbered, 0);
    hisshi_clear(&answer);
    dfpn_tt_free(table);
    pos_free(&pos);
}

UNIT_MAIN({"brinkmates in one move", test_one}, {"brinkmates in three moves", test_three},
          {"problems with known lengths", test_problems},
          {"reports contain no numbers", test_reports})
