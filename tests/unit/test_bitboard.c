/* Checks sets of squares against arrays of bools. */
#include <string.h>

#include "base/rng.h"
#include "rules/bitboard.h"
#include "unit.h"

typedef struct Naive {
    bool has[SQ_NB];
} Naive;

static Bitboard pack(const Naive *set) {
    Bitboard bb = BB_EMPTY;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (set->has[sq]) {
            bb = bb_or(bb, bb_square(sq));
        }
    }
    return bb;
}

static bool is_same(Bitboard bb, const Naive *set) {
    bool is_clean = (bb.word[0] & ~BB_WORD0_MASK) == 0 && (bb.word[1] & ~BB_WORD1_MASK) == 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        is_clean &= bb_has(bb, sq) == set->has[sq];
    }
    return is_clean;
}

/* A random set that includes each square with a probability of one in `thinness`. */
static Naive random_set(Rng *rng, uint64_t thinness) {
    Naive set;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        set.has[sq] = rng_below(rng, thinness) == 0;
    }
    return set;
}

static void check_pair(const Naive *a, const Naive *b) {
    Naive both, either, one, only_a, not_a;
    bool meets = false;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        both.has[sq] = a->has[sq] && b->has[sq];
        either.has[sq] = a->has[sq] || b->has[sq];
        one.has[sq] = a->has[sq] != b->has[sq];
        only_a.has[sq] = a->has[sq] && !b->has[sq];
        not_a.has[sq] = !a->has[sq];
        meets |= both.has[sq];
    }
    Bitboard x = pack(a);
    Bitboard y = pack(b);
    CHECK(is_same(bb_and(x, y), &both));
    CHECK(is_same(bb_or(x, y), &either));
    CHECK(is_same(bb_xor(x, y), &one));
    CHECK(is_same(bb_andnot(x, y), &only_a));
    CHECK(is_same(bb_not(x), &not_a));
    CHECK(bb_meets(x, y) == meets);
    CHECK(bb_equal(x, y) == (memcmp(a, b, sizeof(*a)) == 0));
    CHECK(bb_equal(x, x));
}

static void check_counts(const Naive *set) {
    int count = 0;
    Square first = SQ_NONE;
    for (Square sq = SQ_NB - 1; sq >= 0; sq--) {
        count += set->has[sq];
        first = set->has[sq] ? sq : first;
    }
    Bitboard rest = pack(set);
    CHECK_INT(bb_count(rest), count);
    CHECK(bb_any(rest) == (count > 0));
    CHECK(bb_has_many(rest) == (count > 1));
    if (count > 0) {
        CHECK_INT(bb_first(rest), first);
    }
    Square last = -1;
    for (int left = count; bb_any(rest); left--) {
        CHECK_INT(bb_count(rest), left);
        Square sq = bb_pop(&rest);
        CHECK(sq > last && set->has[sq]);
        last = sq;
    }
}

/* The set shifted by files and ranks; squares that leave the board are lost. */
static Naive shifted(const Naive *set, int files, int ranks) {
    Naive moved = {{false}};
    for (int file = 0; file < FILE_NB; file++) {
        for (int rank = 0; rank < RANK_NB; rank++) {
            int f = file + files;
            int r = rank + ranks;
            if (set->has[sq_make(file, rank)] && f >= 0 && f < FILE_NB && r >= 0 && r < RANK_NB) {
                moved.has[sq_make(f, r)] = true;
            }
        }
    }
    return moved;
}

static void check_shifts(const Naive *set) {
    Bitboard bb = pack(set);
    Naive up = shifted(set, 0, -1);
    Naive down = shifted(set, 0, 1);
    Naive left = shifted(set, 1, 0);
    Naive right = shifted(set, -1, 0);
    CHECK(is_same(bb_up(bb), &up));
    CHECK(is_same(bb_down(bb), &down));
    CHECK(is_same(bb_left(bb), &left));
    CHECK(is_same(bb_right(bb), &right));
}

static void test_random_sets(void) {
    static const uint64_t thinness[] = {1, 2, 4, 20, 81};
    Rng rng = rng_init(7);
    for (int i = 0; i < 1000; i++) {
        Naive a = random_set(&rng, thinness[i % 5]);
        Naive b = random_set(&rng, thinness[rng_below(&rng, 5)]);
        check_pair(&a, &b);
        check_counts(&a);
        check_shifts(&a);
    }
    Naive none = {{false}};
    check_counts(&none);
    check_pair(&none, &none);
}

static void test_ranks_and_files(void) {
    for (int i = 0; i < 9; i++) {
        Naive file = {{false}};
        for (int j = 0; j < 9; j++) {
            file.has[sq_make(i, j)] = true;
        }
        CHECK(is_same(bb_file(i), &file));
    }
    for (int first = 0; first < 9; first++) {
        for (int last = first; last < 9; last++) {
            Naive black = {{false}};
            Naive white = {{false}};
            for (Square sq = 0; sq < SQ_NB; sq++) {
                black.has[sq] = sq % 9 >= first && sq % 9 <= last;
                white.has[sq] = 8 - sq % 9 >= first && 8 - sq % 9 <= last;
            }
            CHECK(is_same(bb_relative_ranks(BLACK, first, last), &black));
            CHECK(is_same(bb_relative_ranks(WHITE, first, last), &white));
        }
    }
}

static void test_files_without(void) {
    Rng rng = rng_init(8);
    for (int i = 0; i < 1000; i++) {
        Naive pawns = {{false}};
        Naive free = {{false}};
        for (int file = 0; file < FILE_NB; file++) {
            bool has_pawn = rng_below(&rng, 2) == 0;
            if (has_pawn) {
                pawns.has[sq_make(file, (int)rng_below(&rng, RANK_NB))] = true;
            }
            for (int rank = 0; rank < RANK_NB; rank++) {
                free.has[sq_make(file, rank)] = !has_pawn;
            }
        }
        CHECK(is_same(bb_files_without(pack(&pawns)), &free));
    }
}

UNIT_MAIN({"operations on random sets", test_random_sets},
          {"ranks and files", test_ranks_and_files}, {"files without a pawn", test_files_without})
