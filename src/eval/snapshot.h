/* snapshot.h: all that the inputs of a position depend on, in a form that is quick to compare, and
 * what differs between two positions. */
#ifndef KMD_EVAL_SNAPSHOT_H
#define KMD_EVAL_SNAPSHOT_H

#include "eval/arch.h"

/* Two words of 64 bits: those of one bitboard, or one word of the bitboards of both colours. */
typedef uint64_t Lanes VECTOR_OF(16);

/* A bitboard for each colour. Lane 0 of each word is black's, so one operation serves both. */
typedef struct SidePair {
    Lanes word[2];
} SidePair;

/* The number of the least valuable attacker takes this many bits. */
enum { THREAT_KIND_BITS = 4 };

/* What is known of attacked pieces, one set of squares for each bit. The sets contain only squares
 * of attacked pieces, so two positions differ where their sets do. */
enum { PIECE_GUARDED, PIECE_KIND, PIECE_ATTACKED = PIECE_KIND + THREAT_KIND_BITS, PIECE_PLANES };

/* What is known of the attacked squares of a king's zone. */
enum {
    ZONE_ATTACKED,
    ZONE_TWICE,
    ZONE_THRICE,
    ZONE_GUARDED,
    ZONE_GUARDED_TWICE,
    ZONE_OWN,
    ZONE_ENEMY,
    ZONE_PLANES
};

/* The bytes of the notes: checking drops by type - 1, then mobility. */
enum { NOTE_MOBILITY = 7, NOTE_NB };

/* The threats of a position (threats.h). */
typedef struct Threats {
    Lanes pieces[PIECE_PLANES];
    SidePair zones[ZONE_PLANES]; /* by owner of the king */
    uint64_t notes[COLOR_NB]; /* by owner; each byte is 1 + a number of squares, or 0: no input */
    bool is_cut;              /* there are more than NNUE_MAX_THREATS, so some are left out */
} Threats;

/* An entry for each square, the simplest form for inputs that depend on more than one piece. */
typedef struct Places {
    uint16_t at[SQ_NB];
} Places;

/* A snapshot of all zeros is that of an empty board. */
typedef struct Snapshot {
    union {
        Threats threats;
        Places places;
    } more; /* the member that the feature set uses, if any */
    uint64_t board_key;
    uint64_t hand_key;
    Hand hand[COLOR_NB];
    Square king[COLOR_NB];
    int missing; /* as in features_missing */
    Piece board[SQ_NB];
} Snapshot;

/* An entry is what an input stands for, such as a pawn on 7g, by its number in black's unmirrored
 * view. Each feature set turns entries into the inputs of a view (features_inputs). */
enum {
    ENTRY_NONE,                                       /* the first of 81 empty squares */
    ENTRY_PIECES = SQ_NB,                             /* + the piece number of features.h */
    ENTRY_MISSING = ENTRY_PIECES + NNUE_PIECE_INPUTS, /* a missing piece */
    ENTRY_MORE,                                       /* what else the set has, from here on */

    ENTRY_BYTES = 32,

    /* Room for the differences of any two positions: squares, hands, missing pieces, attacked
     * pieces, two zones of each king, and notes. */
    CHANGES_MAX = SQ_NB + 4 * NNUE_HAND_SIDE + SQ_NB + 4 * 24 + 2 * NOTE_NB + NNUE_MAX_PIECES
};

/* What differs between two positions: pairs of an entry that has gone and one that has come. Either
 * may be less than ENTRY_PIECES, which stands for nothing. If `table` is not 0, it is the address
 * of a table with ENTRY_BYTES for each entry, which are prefetched. */
typedef struct NnueChanges {
    uintptr_t table;
    int count;
    uint16_t gone[CHANGES_MAX];
    uint16_t come[CHANGES_MAX];
} NnueChanges;

FORCE_INLINE void changes_add(NnueChanges *changes, int gone, int come) {
    ASSERT(changes->count < CHANGES_MAX);
    PREFETCH((const void *)(changes->table + (size_t)gone * ENTRY_BYTES));
    PREFETCH((const void *)(changes->table + (size_t)come * ENTRY_BYTES));
    changes->gone[changes->count] = (uint16_t)gone;
    changes->come[changes->count++] = (uint16_t)come;
}

#endif
