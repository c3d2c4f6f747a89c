/* Tests lengths as players count them, in positions made for these tests. */
#include "mate/matecheck.h"

#include "mate/mate1.h"
#include "mate/matesolver.h"
#include "rules/legality.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

typedef struct Case {
    const char *sfen;
    int len;         /* length with every interposition counted */
    int players_len; /* length without futile interpositions */
    int main_len;    /* length of the main line; 0: players_len */
} Case;

/* The line must consist of legal moves, alternate checks with answers, and end in a position that
 * players call mate. */
static void check_line(Position *pos, const MateAnswer *answer) {
    for (int i = 0; i < answer->players_line_len; i++) {
        CHECK(move_is_legal(pos, answer->players_line[i]));
        pos_do(pos, answer->players_line[i]);
        CHECK(i % 2 == 1 || pos_in_check(pos));
        CHECK(i % 2 == 1 || matecheck_is_players_mate(pos) == (i == answer->players_line_len - 1));
    }
    for (int i = 0; i < answer->players_line_len; i++) {
        pos_undo(pos);
    }
}

static void judge(const Case *cases, size_t count) {
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)4 << 20, 1);
    static MateAnswer answer;
    for (size_t i = 0; i < count; i++) {
        if (!CHECK_INT(pos_set_sfen(&pos, sv_from(cases[i].sfen), NULL), KMD_OK)) {
            continue;
        }
        MateSolverOptions options = {.options.checks_unique = true};
        matesolver_solve(solver, &pos, &options, &answer);
        CHECK_INT(answer.verdict, MATE_FOUND);
        CHECK_INT(answer.len, cases[i].len);
        CHECK_INT(answer.players_len, cases[i].players_len);
        int main_len = cases[i].main_len > 0 ? cases[i].main_len : cases[i].players_len;
        CHECK_INT(answer.main_len, main_len);
        CHECK_INT(answer.players_line_len, main_len);
        check_line(&pos, &answer);
    }
    matesolver_free(solver);
    pos_free(&pos);
}

static void test_futile(void) {
    static const Case cases[] = {
        /* nothing to drop */
        {"8k/9/6NG1/9/9/9/9/9/R8 b - 1", 1, 1, 0},
        /* a rook mates from a distance; each piece dropped in between is simply captured */
        {"8k/9/6NG1/9/9/9/9/9/R8 b r2b3g4s3n4l18p 1", 15, 1, 0},
        {"8k/9/6NG1/9/9/9/9/9/R8 b p 1", 3, 1, 0},
        /* the same happens before a later mate */
        {"8k/9/7G1/9/9/9/9/9/R8 b n 1", 7, 5, 0},
        {"2p6/k8/9/2P6/+P8/9/9/9/L8 b G2r2b3g4s4n3l15p 1", 17, 11, 0},
        {"2p6/k8/9/2P6/+P8/9/9/L8/9 b G2r2b3g4s4n3l15p 1", 17, 11, 0},
    };
    judge(cases, COUNTOF(cases));
}

static void test_useful(void) {
    static const Case cases[] = {
        /* without the knight, a piece next to the king cannot simply be captured: the king
         * recaptures, and the captured piece gives the mate */
        {"8k/9/7G1/9/9/9/9/9/R8 b g 1", 5, 5, 0},
        {"8k/9/7G1/9/9/9/9/9/R8 b s 1", 5, 5, 0},
        {"8k/9/7G1/9/9/9/9/9/R8 b Pg 1", 5, 5, 0},
    };
    judge(cases, COUNTOF(cases));
}

/* The longest defence leaves a piece in the attacker's hand, so a shorter one is the main line. */
static void test_main_line(void) {
    static const Case cases[] = {
        /* 7 plies leave a gold; a king that captures the horse loses to the gold of 6a */
        {"3gk4/4B1S2/6R2/4G4/9/9/9/9/9 b rb2g3s4n4l18p 1", 7, 7, 5},
        /* not if the attacker has a king, as in positions from games */
        {"3gk4/4B1S2/6R2/4G4/9/9/9/9/4K4 b rb2g3s4n4l18p 1", 7, 7, 7},
        /* not if nothing is left after the longest defence */
        {"9/7k1/8l/5N1S1/8R/9/9/9/9 b r2b4g3s3n3l18p 1", 7, 7, 7},
        /* a line that is four plies shorter is a mistake of the defender in so short a mate */
        {"2sk5/3B1G3/5R3/3G5/9/9/9/9/9 b rb2g3s4n4l18p 1", 7, 7, 7},
    };
    judge(cases, COUNTOF(cases));
}

static void test_not_asked(void) {
    Position pos;
    pos_init(&pos);
    MateSolver *solver = matesolver_new((size_t)1 << 20, 1);
    static MateAnswer answer;
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/6NG1/9/9/9/9/9/R8 b p 1"), NULL), KMD_OK);
    MateSolverOptions options = {.options.is_shortest = true};
    matesolver_solve(solver, &pos, &options, &answer);
    CHECK_INT(answer.verdict, MATE_FOUND);
    CHECK_INT(answer.players_len, 0);
    matesolver_free(solver);
    pos_free(&pos);
}

/* Tests whether players call a position mate, with or without a possible drop, and answers that are
 * a real defence. */
static void test_is_mate(void) {
    static const struct {
        const char *sfen;
        bool is_mate;
    } cases[] = {
        {"8k/9/6NG1/9/9/9/9/9/8R w - 1", true},
        {"8k/9/6NG1/9/9/9/9/9/8R w r2b3g4s3n4l18p 1", true},
        {"8k/9/7G1/9/9/9/9/9/8R w n 1", false}, /* the king recaptures */
        {"8k/9/7N1/9/9/9/9/9/8R w p 1", false}, /* the king moves */
    };
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        CHECK_INT(pos_set_sfen(&pos, sv_from(cases[i].sfen), NULL), KMD_OK);
        CHECK_INT(matecheck_is_players_mate(&pos), cases[i].is_mate);
    }
    pos_free(&pos);
}

/* The rook checks from a distance and captures whatever is dropped, with mate. */
static MateClaim rook_mates(void *context, const Position *pos, int level, int len) {
    (void)level;
    (void)context;
    Move mate = mate1_find(pos);
    return (MateClaim){.move = mate != MOVE_NONE ? mate : usimove_read(SV("9i1i")), .len = len};
}

static void test_limits(void) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, SV("8k/9/6NG1/9/9/9/9/9/R8 b p 1"), NULL), KMD_OK);
    atomic_bool stop = false;
    MateChecker *checker = matecheck_new(rook_mates, NULL, &stop);
    FutileOptions options = {.checker = checker};
    Move line[3];
    CHECK_INT(matecheck_run(checker, &pos, MATECHECK_MAX), 3);
    atomic_store(&stop, true);
    FutileAnswer found = matecheck_solve_futile(&options, &pos, line, COUNTOF(line));
    CHECK_INT(found.len, 3);
    CHECK_INT(found.line_len, 0);
    atomic_store(&stop, false);
    found = matecheck_solve_futile(&options, &pos, line, COUNTOF(line));
    CHECK_INT(found.len, 1);
    CHECK_INT(found.line_len, 1);
    CHECK_INT(line[0], usimove_read(SV("9i1i")));
    matecheck_limit(checker, 0);
    CHECK_INT(matecheck_solve_futile(&options, &pos, line, COUNTOF(line)).len, 3);
    matecheck_free(checker);
    pos_free(&pos);
}

UNIT_MAIN({"futile interpositions are not counted", test_futile},
          {"useful interpositions are counted", test_useful},
          {"a main line leaves nothing in hand", test_main_line},
          {"what is mate to players", test_is_mate},
          {"lengths for players are found on demand only", test_not_asked},
          {"the stop flag or too many steps end the count", test_limits})
