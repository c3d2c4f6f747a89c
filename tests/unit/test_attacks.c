/* Compares attacks with walks over a mailbox, and lines between squares with geometry. */
#include <stdlib.h>

#include "base/rng.h"
#include "rules/attacks.h"
#include "unit.h"

/* One direction of a piece as black sees it; ranks grow towards black. */
typedef struct Walk {
    int files, ranks;
    bool is_line;
} Walk;

typedef struct PieceWalks {
    PieceType type;
    int count;
    Walk walk[8];
} PieceWalks;

#define STEP(files, ranks)                                                                         \
    { files, ranks, false }
#define LINE(files, ranks)                                                                         \
    { files, ranks, true }
#define GOLD_WALKS                                                                                 \
    6, {                                                                                           \
        STEP(-1, -1), STEP(0, -1), STEP(1, -1), STEP(-1, 0), STEP(1, 0), STEP(0, 1)                \
    }

static const PieceWalks all_walks[] = {
    {PAWN, 1, {STEP(0, -1)}},
    {LANCE, 1, {LINE(0, -1)}},
    {KNIGHT, 2, {STEP(-1, -2), STEP(1, -2)}},
    {SILVER, 5, {STEP(-1, -1), STEP(0, -1), STEP(1, -1), STEP(-1, 1), STEP(1, 1)}},
    {BISHOP, 4, {LINE(-1, -1), LINE(1, -1), LINE(-1, 1), LINE(1, 1)}},
    {ROOK, 4, {LINE(0, -1), LINE(0, 1), LINE(-1, 0), LINE(1, 0)}},
    {GOLD, GOLD_WALKS},
    {PRO_PAWN, GOLD_WALKS},
    {PRO_LANCE, GOLD_WALKS},
    {PRO_KNIGHT, GOLD_WALKS},
    {PRO_SILVER, GOLD_WALKS},
    {KING,
     8,
     {STEP(-1, -1), STEP(0, -1), STEP(1, -1), STEP(-1, 0), STEP(1, 0), STEP(-1, 1), STEP(0, 1),
      STEP(1, 1)}},
    {HORSE,
     8,
     {LINE(-1, -1), LINE(1, -1), LINE(-1, 1), LINE(1, 1), STEP(0, -1), STEP(0, 1), STEP(-1, 0),
      STEP(1, 0)}},
    {DRAGON,
     8,
     {LINE(0, -1), LINE(0, 1), LINE(-1, 0), LINE(1, 0), STEP(-1, -1), STEP(1, -1), STEP(-1, 1),
      STEP(1, 1)}},
};

static bool is_on_board(int file, int rank) {
    return file >= 0 && file < FILE_NB && rank >= 0 && rank < RANK_NB;
}

static Bitboard walked(const PieceWalks *piece, Color color, Square from, Bitboard occupied) {
    Bitboard reached = BB_EMPTY;
    for (int i = 0; i < piece->count; i++) {
        Walk walk = piece->walk[i];
        int ranks = color == BLACK ? walk.ranks : -walk.ranks;
        int file = sq_file(from) + walk.files;
        int rank = sq_rank(from) + ranks;
        bool goes_on = true;
        while (goes_on && is_on_board(file, rank)) {
            Square sq = sq_make(file, rank);
            reached = bb_or(reached, bb_square(sq));
            goes_on = walk.is_line && !bb_has(occupied, sq);
            file += walk.files;
            rank += ranks;
        }
    }
    return reached;
}

static Bitboard random_occupied(Rng *rng) {
    Bitboard set = BB_EMPTY;
    uint64_t thinness = 1 + rng_below(rng, 8);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (rng_below(rng, thinness) == 0) {
            set = bb_or(set, bb_square(sq));
        }
    }
    return set;
}

static void check_lines(Color color, Square sq, Bitboard occupied) {
    CHECK(bb_equal(attacks_lance(color, sq, occupied), walked(&all_walks[1], color, sq, occupied)));
    CHECK(bb_equal(attacks_bishop(sq, occupied), walked(&all_walks[4], color, sq, occupied)));
    CHECK(bb_equal(attacks_rook(sq, occupied), walked(&all_walks[5], color, sq, occupied)));
}

static void test_every_piece(void) {
    Rng rng = rng_init(11);
    for (int round = 0; round < 200; round++) {
        Bitboard occupied = random_occupied(&rng);
        Color color = (Color)(round % 2);
        for (Square sq = 0; sq < SQ_NB; sq++) {
            for (size_t i = 0; i < COUNTOF(all_walks); i++) {
                Bitboard want = walked(&all_walks[i], color, sq, occupied);
                CHECK(bb_equal(attacks_of(color, all_walks[i].type, sq, occupied), want));
            }
            check_lines(color, sq, occupied);
        }
    }
}

/* True if the two squares share a rank, file or diagonal; *files and *ranks then become the step
 * from a to b. */
static bool find_step(Square a, Square b, int *files, int *ranks) {
    int df = sq_file(b) - sq_file(a);
    int dr = sq_rank(b) - sq_rank(a);
    *files = (df > 0) - (df < 0);
    *ranks = (dr > 0) - (dr < 0);
    return df == 0 || dr == 0 || abs(df) == abs(dr);
}

static void check_two_squares(Square a, Square b) {
    int files;
    int ranks;
    Bitboard between = BB_EMPTY;
    Bitboard line = BB_EMPTY;
    if (find_step(a, b, &files, &ranks)) {
        int file = sq_file(a);
        int rank = sq_rank(a);
        while (is_on_board(file - files, rank - ranks)) {
            file -= files;
            rank -= ranks;
        }
        for (; is_on_board(file, rank); file += files, rank += ranks) {
            line = bb_or(line, bb_square(sq_make(file, rank)));
        }
        for (Square sq = a + files * 9 + ranks; sq != b; sq += files * 9 + ranks) {
            between = bb_or(between, bb_square(sq));
        }
    }
    line = bb_andnot(line, bb_square(a));
    CHECK(bb_equal(bb_between(a, b), between));
    CHECK(bb_equal(bb_line(a, b), line));
    for (Square c = 0; c < SQ_NB; c++) {
        if (c != a && c != b) {
            CHECK(sq_aligned(a, b, c) == bb_has(line, c));
        }
    }
}

static void test_lines(void) {
    for (Square a = 0; a < SQ_NB; a++) {
        for (Square b = 0; b < SQ_NB; b++) {
            if (a != b) {
                check_two_squares(a, b);
            }
        }
    }
}

UNIT_MAIN({"every piece on every square", test_every_piece},
          {"lines through and between squares", test_lines})
