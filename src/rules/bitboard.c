/* bitboard.c: the constant sets of single squares. */
#include "rules/bitboard.h"

/* The set of one square, by its word and bit. */
#define IN_WORD0(bit)                                                                              \
    {                                                                                              \
        { (uint64_t)1 << (bit), 0 }                                                                \
    }
#define IN_WORD1(bit)                                                                              \
    {                                                                                              \
        { 0, (uint64_t)1 << (bit) }                                                                \
    }

/* The nine squares of a file, starting at `bit` of its word. */
#define FILE_FROM(IN_WORD, bit)                                                                    \
    IN_WORD(bit), IN_WORD((bit) + 1), IN_WORD((bit) + 2), IN_WORD((bit) + 3), IN_WORD((bit) + 4),  \
        IN_WORD((bit) + 5), IN_WORD((bit) + 6), IN_WORD((bit) + 7), IN_WORD((bit) + 8)

_Alignas(16) const Bitboard bitboard_squares[SQ_NB] = {
    FILE_FROM(IN_WORD0, 0),  FILE_FROM(IN_WORD0, 9),  FILE_FROM(IN_WORD0, 18),
    FILE_FROM(IN_WORD0, 27), FILE_FROM(IN_WORD0, 36), FILE_FROM(IN_WORD0, 45),
    FILE_FROM(IN_WORD0, 54), FILE_FROM(IN_WORD1, 0),  FILE_FROM(IN_WORD1, 9),
};
