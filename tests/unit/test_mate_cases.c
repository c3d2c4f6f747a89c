/* The mate solver on problems with known answers.
 *
 * tests/data/mate-play.tsv contains positions from games made for this project. Another solver has
 * proved their lengths, which count every interposition, and their refutations. tsume.tsv, gathered
 * from collections, is in the folder named by KOMADORI_CASES. Some of its rows are tested, and in
 * `make test-all FULL=1` all of them. Short mates must be found, with their shortest length if the
 * file states it for every interposition. For longer problems any verdict must be right. The
 * working directory must be the top folder of the project. */
#include <stdio.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/xmem.h"
#include "mate/matesolver.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

enum { TABLE_MB = 32, COLUMNS = 5 };

/* The requirements for a file. */
typedef struct Level {
    int every;            /* one row in this many is tested */
    int short_length;     /* mates up to this length must be found */
    uint64_t short_nodes; /* node limit for each short mate */
    uint64_t nodes;       /* node limit for each of the other rows */
    int decided;          /* at least this percentage of the problems */
} Level;

typedef struct Judge {
    const Level *level;
    MateSolver *solver;
    MateAnswer *answer;
    Position pos;
    int decided;
    int total;
} Judge;

/* Mates that are shorter than tsume.tsv states. An independent checker has replayed them against
 * every defence. */
static const struct {
    const char *sfen;
    int length;
} shorter[] = {
    {"1+L1g1g3/4k1s2/p1ppsp1p+L/4p1p2/7P1/6P2/P2+b1R1K1/2+p6/1+p1+n3N1 w GSLrbgs2nl6p 1", 15},
    {"ln2gS1l1/3k3P1/1rpspp2S/p2p5/1NN1P4/3P1G3/1pP+B1s+n1+p/KR7/2G6 b BG2L2P5p 1", 19},
};

static int true_length(StrView sfen, int told) {
    for (size_t i = 0; i < COUNTOF(shorter); i++) {
        if (sv_equal(sfen, sv_from(shorter[i].sfen))) {
            return shorter[i].length;
        }
    }
    return told;
}

static void judge_row(Judge *judge, StrView line) {
    StrView field[COLUMNS] = {{NULL, 0}};
    for (int i = 0; i < COLUMNS && sv_next_field(&line, '\t', &field[i]); i++) {
    }
    int length = 0;
    bool has_exact = sv_to_int(field[4], 1, MATE_LINE_MAX, &length);
    bool is_mate = has_exact || sv_to_int(field[1], 1, MATE_LINE_MAX, &length);
    if (!is_mate && !sv_equal(field[1], SV("nomate"))) {
        return;
    }
    if (!CHECK_INT(pos_set_sfen(&judge->pos, field[0], NULL), KMD_OK)) {
        return;
    }
    length = true_length(field[0], length);
    bool counts_all = has_exact || sv_starts_with(field[2], SV("play"));
    bool is_short = is_mate && length <= judge->level->short_length;
    MateSolverOptions options = {.nodes =
                                     is_short ? judge->level->short_nodes : judge->level->nodes,
                                 .options.is_shortest = is_short && counts_all};
    matesolver_solve(judge->solver, &judge->pos, &options, judge->answer);
    const MateAnswer *answer = judge->answer;
    bool is_right = answer->verdict != (is_mate ? MATE_NONE : MATE_FOUND);
    is_right = is_right && (!is_short || answer->verdict == MATE_FOUND);
    is_right = is_right && (!options.options.is_shortest || answer->is_exact);
    if (counts_all && answer->verdict == MATE_FOUND) {
        is_right = is_right && (answer->is_exact ? answer->len == length : answer->len >= length);
    }
    judge->total++;
    judge->decided += answer->verdict != MATE_UNKNOWN;
    if (!CHECK(is_right)) {
        printf("    %.*s: verdict %d, length %d\n", (int)field[0].len, field[0].ptr,
               (int)answer->verdict, answer->len);
    }
}

/* Tests every n-th row after the header, and all rows about interpositions. */
static void judge_file(const char *folder, const char *name, const Level *level, int least) {
    StrBuf path = STRBUF_INIT;
    StrBuf text = STRBUF_INIT;
    strbuf_addf(&path, "%s/%s", folder, name);
    if (CHECK_INT(file_read(path.ptr, &text), 0)) {
        Judge judge = {.level = level,
                       .solver = matesolver_new((size_t)TABLE_MB << 20, 1),
                       .answer = xmem_alloc(1, sizeof(MateAnswer))};
        pos_init(&judge.pos);
        StrView rest = strbuf_view(&text);
        StrView line;
        for (int row = 0; sv_next_line(&rest, &line); row++) {
            bool is_wanted =
                row % level->every == 0 || sv_find(line, SV("\tinterpose\t")) < line.len;
            if (row > 0 && is_wanted) {
                judge_row(&judge, line);
            }
        }
        CHECK(judge.total >= least);
        if (!CHECK(judge.decided * 100 >= judge.total * level->decided)) {
            printf("    %d of %d decided\n", judge.decided, judge.total);
        }
        pos_free(&judge.pos);
        free(judge.answer);
        matesolver_free(judge.solver);
    }
    strbuf_free(&text);
    strbuf_free(&path);
}

static void test_play(void) {
    static const Level level = {1, 9, 400000, 400000, 90};
    judge_file("tests/data", "mate-play.tsv", &level, 100);
}

static void test_gathered(void) {
    static const Level quick = {25, 9, 400000, 400000, 75};
    static const Level full = {1, 17, 10000000, 400000, 80};
    const char *folder = unit_cases_dir();
    if (folder == NULL) {
        unit_skip("KOMADORI_CASES is not set");
    } else if (unit_wants_all()) {
        judge_file(folder, "tsume.tsv", &full, 2000);
    } else {
        judge_file(folder, "tsume.tsv", &quick, 50);
    }
}

UNIT_MAIN({"mates in games", test_play}, {"gathered mate problems", test_gathered})
