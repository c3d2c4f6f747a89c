/* bitboard.h: sets of squares in two 64-bit words.
 *
 * Layout: bit i of word 0 is square i (files 1 to 7), bit i of word 1 is square 63 + i (files 8 and
 * 9). No file is split, so a step along a file never crosses the words:
 *
 *   word 0   bit 63: always 0   62-54: file 7   ...   17-9: file 2   8-0: file 1 (bit 0 = rank a)
 *   word 1   bits 63-18: always 0               17-9: file 9         8-0: file 8
 *
 * To iterate: for (Bitboard rest = set; bb_any(rest);) { Square sq = bb_pop(&rest); ... }
 * Stateless. This is the only file in rules/ that tests for the platform; it defines KMD_HAS_PEXT,
 * which rules/attacks.h uses. */
#ifndef KMD_RULES_BITBOARD_H
#define KMD_RULES_BITBOARD_H

#include "rules/types.h"

#if defined(__BMI2__)
#include <immintrin.h>
#define KMD_HAS_PEXT 1
#else
#define KMD_HAS_PEXT 0
#endif

typedef struct Bitboard {
    uint64_t word[2];
} Bitboard;

#define BB_WORD0_MASK ((uint64_t)0x7FFFFFFFFFFFFFFF)
#define BB_WORD1_MASK ((uint64_t)0x000000000003FFFF)
#define BB_EMPTY      ((Bitboard){{0, 0}})
#define BB_ALL        ((Bitboard){{BB_WORD0_MASK, BB_WORD1_MASK}})

/* The bit of rank 0 in each file of a word with 7 or 2 files. Multiplying it by a 9-bit pattern
 * puts the pattern in every file. */
#define BB_FILE_UNIT0 ((uint64_t)0x0040201008040201)
#define BB_FILE_UNIT1 ((uint64_t)0x0000000000000201)

FORCE_INLINE Bitboard bb_and(Bitboard a, Bitboard b) {
    return (Bitboard){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

FORCE_INLINE Bitboard bb_or(Bitboard a, Bitboard b) {
    return (Bitboard){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

FORCE_INLINE Bitboard bb_xor(Bitboard a, Bitboard b) {
    return (Bitboard){{a.word[0] ^ b.word[0], a.word[1] ^ b.word[1]}};
}

/* The squares of a that are not in b. */
FORCE_INLINE Bitboard bb_andnot(Bitboard a, Bitboard b) {
    return (Bitboard){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

FORCE_INLINE Bitboard bb_not(Bitboard a) {
    return (Bitboard){{~a.word[0] & BB_WORD0_MASK, ~a.word[1] & BB_WORD1_MASK}};
}

FORCE_INLINE bool bb_any(Bitboard a) {
    return (a.word[0] | a.word[1]) != 0;
}

FORCE_INLINE bool bb_meets(Bitboard a, Bitboard b) {
    return bb_any(bb_and(a, b));
}

FORCE_INLINE bool bb_equal(Bitboard a, Bitboard b) {
    return ((a.word[0] ^ b.word[0]) | (a.word[1] ^ b.word[1])) == 0;
}

FORCE_INLINE int bb_count(Bitboard a) {
    return BITS_COUNT(a.word[0]) + BITS_COUNT(a.word[1]);
}

/* True if a has at least two squares. */
FORCE_INLINE bool bb_has_many(Bitboard a) {
    return (a.word[0] & (a.word[0] - 1)) != 0 || (a.word[1] & (a.word[1] - 1)) != 0 ||
           (a.word[0] != 0 && a.word[1] != 0);
}

/* The set of each single square. Loading 16 bytes costs less than computing which word gets the
 * bit, and a set that was stored as a whole can be loaded again without a stall. */
extern const Bitboard bitboard_squares[SQ_NB];

/* The set of one square. */
FORCE_INLINE Bitboard bb_square(Square sq) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    return bitboard_squares[sq];
}

FORCE_INLINE bool bb_has(Bitboard a, Square sq) {
    return bb_meets(a, bb_square(sq));
}

/* The lowest square of a set that is not empty. */
FORCE_INLINE Square bb_first(Bitboard a) {
    ASSERT(bb_any(a));
    return a.word[0] != 0 ? BITS_LOWEST(a.word[0]) : 63 + BITS_LOWEST(a.word[1]);
}

/* Removes the lowest square from a set that is not empty, and returns it. */
FORCE_INLINE Square bb_pop(Bitboard *a) {
    ASSERT(bb_any(*a));
    if (a->word[0] != 0) {
        Square sq = BITS_LOWEST(a->word[0]);
        a->word[0] &= a->word[0] - 1;
        return sq;
    }
    Square sq = 63 + BITS_LOWEST(a->word[1]);
    a->word[1] &= a->word[1] - 1;
    return sq;
}

/* Move the whole set one step towards rank 1 (up, forward for black) or towards rank 9. Squares
 * moved off the board are dropped. */
FORCE_INLINE Bitboard bb_up(Bitboard a) {
    return (Bitboard){{(a.word[0] & ~BB_FILE_UNIT0) >> 1, (a.word[1] & ~BB_FILE_UNIT1) >> 1}};
}

FORCE_INLINE Bitboard bb_down(Bitboard a) {
    return (Bitboard){
        {(a.word[0] & ~(BB_FILE_UNIT0 << 8)) << 1, (a.word[1] & ~(BB_FILE_UNIT1 << 8)) << 1}};
}

/* Move the whole set one file to the left as black sees the board (to the next higher file), or to
 * the right. */
FORCE_INLINE Bitboard bb_left(Bitboard a) {
    return (Bitboard){
        {a.word[0] << 9 & BB_WORD0_MASK, (a.word[1] << 9 & BB_WORD1_MASK) | a.word[0] >> 54}};
}

FORCE_INLINE Bitboard bb_right(Bitboard a) {
    return (Bitboard){{a.word[0] >> 9 | (a.word[1] & 0x1FF) << 54, a.word[1] >> 9}};
}

/* Move the whole set one step forward or backward for `color`. */
FORCE_INLINE Bitboard bb_forward(Color color, Bitboard a) {
    return color == BLACK ? bb_up(a) : bb_down(a);
}

FORCE_INLINE Bitboard bb_backward(Color color, Bitboard a) {
    return color == BLACK ? bb_down(a) : bb_up(a);
}

/* All squares of a file (0 = file 1). */
FORCE_INLINE Bitboard bb_file(int file) {
    return file < 7 ? (Bitboard){{(uint64_t)0x1FF << file * 9, 0}}
                    : (Bitboard){{0, (uint64_t)0x1FF << (file - 7) * 9}};
}

/* The ranks first..last, counted by `color` from the far side (rank 0 is the farthest from it):
 * bb_relative_ranks(color, 0, 2) is its promotion zone. */
FORCE_INLINE Bitboard bb_relative_ranks(Color color, int first, int last) {
    int low = color == BLACK ? first : RANK_NB - 1 - last;
    uint64_t pattern = (((uint64_t)1 << (last - first + 1)) - 1) << low;
    return (Bitboard){{BB_FILE_UNIT0 * pattern, BB_FILE_UNIT1 * pattern}};
}

/* The squares on which an unpromoted piece of the type still has a move. */
FORCE_INLINE Bitboard bb_living_ranks(Color color, PieceType type) {
    switch (type) {
    case PAWN:
    case LANCE:
        return bb_relative_ranks(color, 1, 8);
    case KNIGHT:
        return bb_relative_ranks(color, 2, 8);
    default:
        return BB_ALL;
    }
}

/* The squares on which a piece of the type, if it may promote, is never better unpromoted, except
 * to avoid a pawn-drop mate. */
FORCE_INLINE Bitboard bb_better_promoted(Color color, PieceType type) {
    switch (type) {
    case PAWN:
    case BISHOP:
    case ROOK:
        return BB_ALL;
    case LANCE:
        return bb_relative_ranks(color, 0, 1);
    default:
        return BB_EMPTY;
    }
}

/* All squares of the files that contain no square of a. The set a must have at most one square per
 * file. */
FORCE_INLINE Bitboard bb_files_without(Bitboard a) {
    /* Let x be one bit of a file, or 0. Bit 8 of 256 - x is set only if x is 0. */
    uint64_t free0 = ((BB_FILE_UNIT0 << 8) - a.word[0]) >> 8 & BB_FILE_UNIT0;
    uint64_t free1 = ((BB_FILE_UNIT1 << 8) - a.word[1]) >> 8 & BB_FILE_UNIT1;
    return (Bitboard){{(free0 << 9) - free0, (free1 << 9) - free1}};
}

#endif
