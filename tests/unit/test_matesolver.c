/* Compares the mate solver with brute force on random positions, and tests it on problems with
 * known answers. */
#include "mate/matesolver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "mate/dfpn.h"
#include "randpos.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* True if the side to move can mate by checks in at most `plies` plies. */
static bool brute_mates(Position *pos, int plies) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        if (!pos_gives_check(pos, list[i])) {
            continue;
        }
        pos_do(pos, list[i]);
        bool mates = !gen_has_move(pos);
        if (!mates && plies >= 3) {
            Move answers[MAX_MOVES];
            int answer_count = gen_moves(pos, GEN_LEGAL, answers);
            mates = true;
            for (int k = 0; k < answer_count && mates; k++) {
                pos_do(pos, answers[k]);
                mates = brute_mates(pos, plies - 2);
                pos_undo(pos);
            }
        }
        pos_undo(pos);
        if (mates) {
            return true;
        }
    }
    return false;
}

/* The depth of the brute-force search. */
static int brute_plies(void) {
    return unit_wants_all() ? 7 : 5;
}

/* Length of the shortest mate up to this many plies; 0 if there is none. */
static int brute_length(Position *pos) {
    for (int plies = 1; plies <= brute_plies(); plies += 2) {
        if (brute_mates(pos, plies)) {
            return plies;
        }
    }
    return 0;
}

static bool line_mates(Position *pos, const MateAnswer *answer) {
    int made = 0;
    bool is_right = true;
    for (; made < answer->len && is_right; made++) {
        Move list[MAX_MOVES];
        int count = gen_moves(pos, GEN_LEGAL, list);
        bool is_legal = false;
        for (int i = 0; i < count; i++) {
            is_legal |= list[i] == answer->line[made];
        }
        if (!is_legal) {
            is_right = false;
            break;
        }
        pos_do(pos, answer->line[made]);
        is_right = made % 2 == 1 || pos_in_check(pos);
    }
    is_right = is_right && answer->len % 2 == 1 && pos_in_check(pos) && !gen_has_move(pos);
    while (made-- > 0) {
        pos_undo(pos);
    }
    return is_right;
}

static bool agrees(Position *pos, const MateAnswer *answer) {
    int want = brute_length(pos);
    switch (answer->verdict) {
    case MATE_NONE:
        return want == 0;
    case MATE_FOUND:
        return line_mates(pos, answer) && (!answer->is_exact || answer->len == want ||
                                           (want == 0 && answer->len > brute_plies()));
    default:
        return true;
    }
}

static void test_random(void) {
    int rounds = unit_wants_all() ? 20000 : 1000;
    Rng rng = rng_init(77);
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)4 << 20, 1);
    static MateAnswer answer;
    int verdicts[3] = {0};
    int long_mates = 0;
    int faults = 0;
    for (int i = 0; i < rounds && faults < 10; i++) {
        randpos_set(&rng, &pos, 3 + i % 10);
        MateSolverOptions options = {.nodes = 5000, .options.is_shortest = true};
        matesolver_solve(solver, &pos, &options, &answer);
        verdicts[answer.verdict]++;
        long_mates += answer.verdict == MATE_FOUND && answer.len > 1;
        if (!agrees(&pos, &answer)) {
            StrBuf sfen = STRBUF_INIT;
            pos_get_sfen(&pos, &sfen);
            printf("    %s: verdict %d, length %d, brute force says %d\n", sfen.ptr,
                   (int)answer.verdict, answer.len, brute_length(&pos));
            strbuf_free(&sfen);
            faults++;
        }
    }
    CHECK_INT(faults, 0);
    CHECK(verdicts[MATE_NONE] > rounds / 4);
    CHECK(verdicts[MATE_FOUND] > rounds / 20);
    CHECK(verdicts[MATE_UNKNOWN] < rounds / 4);
    CHECK(long_mates > rounds / 100);
    printf("    %d mates (%d in more than one), %d refuted, %d undecided\n", verdicts[MATE_FOUND],
           long_mates, verdicts[MATE_NONE], verdicts[MATE_UNKNOWN]);
    matesolver_free(solver);
    pos_free(&pos);
}

typedef struct Case {
    const char *sfen;
    MateVerdict verdict;
    int len;
} Case;

/* Small positions made for these tests. */
static void test_cases(void) {
    static const Case cases[] = {
        {"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", MATE_FOUND, 1},
        {"4k4/9/4P4/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1", MATE_NONE, 0},
        {"9/9/9/9/4k4/9/9/9/9 b P2r2b4g4s4n4l17p 1", MATE_NONE, 0},
        /* a rook that repeats its checks gives no mate */
        {"k8/9/9/9/9/9/9/9/1R7 b - 1", MATE_NONE, 0},
    };
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    static MateAnswer answer;
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        MateSolverOptions options = {.options.is_shortest = true};
        if (!CHECK_INT(pos_set_sfen(&pos, sv_from(cases[i].sfen), NULL), KMD_OK)) {
            continue;
        }
        matesolver_solve(solver, &pos, &options, &answer);
        CHECK_INT(answer.verdict, cases[i].verdict);
        CHECK_INT(answer.len, cases[i].len);
    }
    matesolver_free(solver);
    pos_free(&pos);
}

static void test_limits(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"), NULL), KMD_OK);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 2);
    static MateAnswer answer;
    MateSolverOptions options = {.nodes = 20000};
    matesolver_solve(solver, &pos, &options, &answer);
    CHECK_INT(answer.verdict, MATE_UNKNOWN);
    CHECK(answer.nodes < 30000);
    atomic_bool stop;
    atomic_init(&stop, true);
    options = (MateSolverOptions){.stop = &stop};
    matesolver_solve(solver, &pos, &options, &answer);
    CHECK_INT(answer.verdict, MATE_UNKNOWN);
    CHECK(answer.nodes < 2000);
    matesolver_free(solver);
    pos_free(&pos);
}

/* A verdict alone takes fewer nodes than the shortest mate. */
static void test_verdict_only(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/6NG1/9/9/9/9/9/R8 b r2b3g4s3n4l18p 1"), NULL), KMD_OK);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    static MateAnswer shortest;
    static MateAnswer answer;
    MateSolverOptions options = {.options.is_shortest = true, .options.counts_futile = true};
    matesolver_solve(solver, &pos, &options, &shortest);
    options.is_verdict_only = true;
    matesolver_solve(solver, &pos, &options, &answer);
    CHECK_INT(shortest.verdict, MATE_FOUND);
    CHECK_INT(answer.verdict, MATE_FOUND);
    CHECK(answer.nodes < shortest.nodes);
    CHECK_INT(answer.players_len, 0);
    CHECK(!answer.is_exact);
    matesolver_free(solver);
    pos_free(&pos);
}

static void solve_afresh(const Position *pos, MateSolverOptions options, MateAnswer *answer) {
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    matesolver_solve(solver, pos, &options, answer);
    matesolver_free(solver);
}

/* Only the count without futile interpositions needs to find out whether the silver next to the
 * king is futile. The node limit includes the nodes of this count, and an unfinished count is not
 * reported. */
static void test_count_limit(void) {
    static MateAnswer plain;
    static MateAnswer counted;
    static MateAnswer limited;
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/7G1/5R3/9/9/9/9/9 b s 1"), NULL), KMD_OK);
    MateSolverOptions options = {.options.is_shortest = true};
    solve_afresh(&pos, options, &plain);
    options.options.counts_futile = true;
    solve_afresh(&pos, options, &counted);
    options.nodes = plain.nodes;
    solve_afresh(&pos, options, &limited);
    CHECK(counted.nodes > plain.nodes);
    CHECK_INT(counted.players_len, 5);
    CHECK_INT((int64_t)limited.nodes, (int64_t)plain.nodes);
    CHECK_INT(limited.verdict, MATE_FOUND);
    CHECK_INT(limited.len, 5);
    CHECK_INT(limited.players_len, 0);
    pos_free(&pos);
}

/* The same table is used for a position, for the position after the first two moves of its mate,
 * and for the rotated position, in which the other side attacks. Results are reused but not
 * confused. */
static void test_kept_table(void) {
    static MateAnswer first;
    static MateAnswer again;
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/7G1/5R3/9/9/9/9/9 b s 1"), NULL), KMD_OK);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    MateSolverOptions options = {.options.is_shortest = true, .keeps_table = true};
    matesolver_solve(solver, &pos, &options, &first);
    matesolver_solve(solver, &pos, &options, &again);
    CHECK_INT(again.verdict, MATE_FOUND);
    CHECK_INT(again.len, first.len);
    CHECK(again.is_exact && again.nodes * 4 < first.nodes);
    pos_do(&pos, first.line[0]);
    pos_do(&pos, first.line[1]);
    matesolver_solve(solver, &pos, &options, &again);
    CHECK_INT(again.len, first.len - 2);
    pos_do(&pos, again.line[0]);
    matesolver_solve(solver, &pos, &options,
                     &again); /* the mated side attacks a side without a king */
    CHECK_INT(pos_set_sfen(&pos, SV("9/9/9/9/9/3r5/1g7/9/K8 w S 1"), NULL), KMD_OK);
    matesolver_solve(solver, &pos, &options, &again);
    CHECK_INT(again.verdict, MATE_FOUND);
    CHECK_INT(again.len, first.len);
    matesolver_free(solver);
    pos_free(&pos);
}

typedef struct Lines {
    Move first[8];
    int len[8];
    int count;
    int told;
} Lines;

/* Stores a reported line; the last report for a rank counts. */
static void note_line(void *context, const MateAnswer *answer) {
    Lines *lines = context;
    lines->told++;
    if (answer->rank <= 8) {
        lines->first[answer->rank - 1] = answer->line[0];
        lines->len[answer->rank - 1] = answer->len;
        lines->count = answer->rank;
    }
}

/* Every first move that mates is reported once, with the length that brute force finds. */
static void agree_lines(Position *pos, const Lines *lines) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, list);
    for (int i = 0; i < count; i++) {
        int want = 0;
        pos_do(pos, list[i]);
        for (int plies = 0; plies <= 4 && want == 0; plies += 2) {
            Move answers[MAX_MOVES];
            int answer_count = gen_moves(pos, GEN_LEGAL, answers);
            bool mates = true;
            for (int k = 0; k < answer_count && mates; k++) {
                pos_do(pos, answers[k]);
                mates = plies > 0 && brute_mates(pos, plies - 1);
                pos_undo(pos);
            }
            want = mates ? plies + 1 : 0;
        }
        pos_undo(pos);
        int times = 0;
        for (int k = 0; k < lines->count; k++) {
            if (lines->first[k] == list[i]) {
                CHECK(lines->len[k] == want || (want == 0 && lines->len[k] > 5));
                times++;
            }
        }
        CHECK(times <= 1 && (times == 1 || want == 0 || lines->count == 8));
    }
}

static void test_lines(void) {
    Rng rng = rng_init(5);
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    static MateAnswer answer;
    int several = 0;
    for (int i = 0; i < 3000; i++) {
        randpos_set(&rng, &pos, 3 + i % 6);
        Lines lines = {.count = 0};
        MateSolverOptions options = {.nodes = 20000,
                                     .options = {.is_shortest = true, .lines = 8},
                                     .tell = note_line,
                                     .tell_context = &lines};
        matesolver_solve(solver, &pos, &options, &answer);
        if (answer.nodes < 15000 && answer.verdict != MATE_UNKNOWN) {
            agree_lines(&pos, &lines);
            several += lines.count > 1;
            CHECK_INT(lines.count > 0, answer.verdict == MATE_FOUND);
            CHECK(lines.count == 0 || (answer.len == lines.len[0] && answer.rank == 1));
        }
    }
    CHECK(several > 30);
    matesolver_free(solver);
    pos_free(&pos);
}

/* Whether the answer for the defender in *pos, who has this many plies to live against the best
 * attack (0: mated already; -1: no mate is that short), agrees. */
static bool agrees_defence(Position *pos, const MateAnswer *answer, int want) {
    if (answer->verdict == MATE_NONE) {
        pos_do(pos, answer->line[0]);
        bool escapes = answer->line_len == 1 && brute_length(pos) == 0;
        pos_undo(pos);
        return want < 0 && escapes;
    }
    if (answer->verdict != MATE_FOUND || answer->line_len != answer->len) {
        return false;
    }
    /* The line after the first answer is that of an attacker. */
    static MateAnswer rest;
    rest = *answer;
    bool is_right = answer->len == want || (want < 0 && answer->len > brute_plies());
    if (answer->len > 0) {
        memmove(rest.line, rest.line + 1, (size_t)--rest.len * sizeof(rest.line[0]));
        pos_do(pos, answer->line[0]);
        is_right = is_right && line_mates(pos, &rest);
        pos_undo(pos);
    }
    return is_right;
}

/* The longest life in a position with the defender to move, or -1 if he escapes within the depth of
 * the brute-force search. */
static int brute_life(Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    int longest = 0;
    for (int i = 0; i < count && longest >= 0; i++) {
        pos_do(pos, list[i]);
        int len = brute_length(pos);
        pos_undo(pos);
        longest = len > 0 ? int_max(longest, len + 1) : -1;
    }
    return longest;
}

/* From the defender's side: after each check, his longest defence or an escape, as brute force has
 * it. Some defenders have no opponent's king to attack, and some have. */
static void test_defence(void) {
    int rounds = unit_wants_all() ? 2000 : 200;
    Rng rng = rng_init(31);
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    static MateAnswer answer;
    int mated[3] = {0}; /* at once, later, not at all */
    int faults = 0;
    for (int i = 0; i < rounds && faults < 10; i++) {
        randpos_set(&rng, &pos, 3 + i % 8);
        Move list[MAX_MOVES];
        int count = gen_moves(&pos, GEN_CHECKS, list);
        for (int k = 0; k < count; k++) {
            pos_do(&pos, list[k]);
            MateSolverOptions options = {
                .is_defence = true, .nodes = 20000, .options.is_shortest = true};
            matesolver_solve(solver, &pos, &options, &answer);
            if (answer.verdict != MATE_UNKNOWN && answer.nodes < 15000) {
                int want = brute_life(&pos);
                bool is_right = agrees_defence(&pos, &answer, want);
                mated[answer.verdict == MATE_NONE ? 2 : answer.len > 0]++;
                faults += !is_right;
                CHECK(is_right);
            }
            pos_undo(&pos);
        }
    }
    CHECK_INT(faults, 0);
    CHECK(mated[0] > 0 && mated[1] > rounds / 10 && mated[2] > rounds / 10);
    printf("    %d mated at once, %d later, %d not\n", mated[0], mated[1], mated[2]);
    matesolver_free(solver);
    pos_free(&pos);
}

/* The reports of a search. */
typedef struct Told {
    int reports;
    int longest;    /* length of the longest line */
    int numbered;   /* reports with a proof number */
    uint64_t nodes; /* in the last report */
    bool has_fewer; /* a report had fewer nodes than the one before */
} Told;

static void note_progress(void *context, const MateProgress *progress) {
    Told *told = context;
    told->reports++;
    told->has_fewer = told->has_fewer || progress->nodes < told->nodes;
    told->nodes = progress->nodes;
    told->numbered += progress->pn > 0;
    told->longest = int_max(told->longest, progress->depth);
}

static Told reports_of(const Position *pos, bool begins_inside) {
    Told told = {0};
    MateTable *table = dfpn_tt_new((size_t)1 << 20);
    DfpnShared shared = {.table = table,
                         .node_limit = 25000,
                         .report = note_progress,
                         .report_context = &told,
                         .begins_inside = begins_inside};
    (void)dfpn_search(&shared, pos, 0, MATE_LEN_FREE);
    dfpn_tt_free(table);
    return told;
}

/* The reports of a solver, to which the position may be inside a larger problem. */
static Told reports_of_solver(const Position *pos, bool is_inside) {
    static MateAnswer answer;
    Told told = {0};
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    MateSolverOptions options = {.nodes = 25000, .is_inside = is_inside};
    matesolver_on_progress(solver, note_progress, &told);
    matesolver_solve(solver, pos, &options, &answer);
    matesolver_free(solver);
    return told;
}

/* The line and the numbers of a search that starts inside a problem are not those of the
 * problem. */
static void test_reports(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"), NULL), KMD_OK);
    Told told = reports_of(&pos, false);
    CHECK(told.reports > 0 && told.longest > 0);
    CHECK_INT(told.numbered, told.reports);
    told = reports_of(&pos, true);
    CHECK(told.reports > 0);
    CHECK_INT(told.longest, 0);
    CHECK_INT(told.numbered, 0);
    told = reports_of_solver(&pos, false);
    CHECK(told.reports > 0 && told.longest > 0);
    CHECK_INT(told.numbered, told.reports);
    told = reports_of_solver(&pos, true);
    CHECK(told.reports > 0);
    CHECK_INT(told.longest, 0);
    CHECK_INT(told.numbered, 0);
    pos_free(&pos);
}

static void ignore_other(void *context, int place, Move check) {
    (void)context, (void)place, (void)check;
}

/* The searches of other checks add to the nodes that found the mate. */
static void test_unique_reports(void) {
    static MateAnswer answer;
    Told told = {0};
    Position pos;
    pos_init(&pos);
    StrView sfen =
        SV("3+R5/2+L2G1+P1/p1+Bp4p/2g2Bp2/1p1s5/P1P2p1+R1/1P1PPN3/3G3lk/L1SK4+p b GS3NL5Ps 1");
    CHECK_INT(pos_set_sfen(&pos, sfen, NULL), KMD_OK);
    MateSolver *solver = matesolver_new((size_t)16 << 20, 1);
    MateSolverOptions options = {.options.is_shortest = true};
    matesolver_on_progress(solver, note_progress, &told);
    matesolver_solve(solver, &pos, &options, &answer);
    int before = told.reports;
    UniqueOptions judge = {.tell = ignore_other};
    UniqueResult result = matesolver_judge_unique(solver, &pos, &answer, &judge);
    CHECK_INT(result.fault, UNIQUE_JUDGED);
    CHECK(told.reports >= before + 2);
    CHECK(!told.has_fewer && told.nodes > answer.nodes + 200000);
    matesolver_free(solver);
    pos_free(&pos);
}

/* Sanitizers and builds for debugging need more stack. */
#if defined(KMD_DEBUG) || defined(__SANITIZE_THREAD__)
enum { STACK_OF_PLY = 16 << 10 };
#else
enum { STACK_OF_PLY = 2 << 10 };
#endif

enum { DEEP_PLIES = 80 };

/* Searches Microcosmos (Hashimoto 1986), whose mate has 1,525 plies, until the line is
 * DEEP_PLIES deep. */
static void *search_deeply(void *context) {
    Told *told = context;
    Position pos;
    pos_init(&pos);
    StrView sfen = SV("g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/"
                      "4+P1P1L/+B5G1g b - 1");
    CHECK_INT(pos_set_sfen(&pos, sfen, NULL), KMD_OK);
    MateTable *table = dfpn_tt_new((size_t)64 << 20);
    DfpnShared shared = {
        .table = table, .node_limit = 165000, .report = note_progress, .report_context = told};
    (void)dfpn_search(&shared, &pos, 0, MATE_LEN_FREE);
    dfpn_tt_free(table);
    pos_free(&pos);
    return NULL;
}

/* The search may be 4,000 plies deep on a thread with a stack of 8 MB, so it must not need more
 * than 2 kB for each ply. If it does, this small stack overflows. */
static void test_stack(void) {
    Told told = {0};
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    CHECK_INT(pthread_attr_setstacksize(&attr, STACK_OF_PLY * DEEP_PLIES + ((size_t)64 << 10)), 0);
    CHECK_INT(pthread_create(&thread, &attr, search_deeply, &told), 0);
    pthread_attr_destroy(&attr);
    pthread_join(thread, NULL);
    CHECK(told.longest >= DEEP_PLIES);
}

UNIT_MAIN({"the solver agrees with brute force on random positions", test_random},
          {"the solver decides small positions", test_cases},
          {"the solver obeys its limits", test_limits},
          {"the verdict alone is found sooner", test_verdict_only},
          {"the limit of nodes holds for futile drops, too", test_count_limit},
          {"a kept table says the same", test_kept_table},
          {"all first moves that mate", test_lines},
          {"the longest defence or an escape", test_defence},
          {"a search inside a problem reports no line and no numbers", test_reports},
          {"searches of other checks add to the nodes", test_unique_reports},
          {"a deep search needs little stack", test_stack})
