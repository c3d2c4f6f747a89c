/* accumulator.h: the hidden sums of both views, updated from position to position.
 *
 * Callers need not report moves: each slot remembers the keys of the state it was made for,
 * and the position's stack of states shows what happened since. Sums are brought up to date only
 * when they are asked for, from the nearest earlier state that has them; where there is none, or
 * the own king has changed the half of the board, from the last sums of the same half (a refresh
 * cache, "Finny tables", Koivisto 2023). What attacks what follows from no single move: each slot
 * remembers the threats that its sums hold, and those that differ are exchanged. Belongs to one
 * thread, with one position at a time. */
#ifndef KMD_EVAL_ACCUMULATOR_H
#define KMD_EVAL_ACCUMULATOR_H

#include "eval/threats.h"

struct NnueNet;
struct NnueKernels;

/* A power of two, greater than the deepest search. */
enum { ACC_SLOTS = 256 };

enum { ACC_SPREAD = 1 << 15 };

/* Which state the sums of a slot belong to. */
typedef struct AccSlot {
    uint64_t board_key;
    uint64_t hand_key;
    bool is_ready;
    Threats threats; /* that are in the sums; where the network knows none, unused */
} AccSlot;

/* The latest sums of a view that were made from scratch, and from what. */
typedef struct AccCache {
    int16_t *sums;
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    Threats threats;
} AccCache;

typedef struct Accumulator {
    const struct NnueNet *net;
    const struct NnueKernels *kernels;
    int16_t *sums;               /* [ACC_SLOTS][COLOR_NB][hidden], then those of the caches */
    AccCache cache[COLOR_NB][2]; /* by side and mirroring */
    AccSlot slots[ACC_SLOTS];
    bool has_threats; /* the network knows them */
    /* By view: the row of each threat, which Threats numbers from 1; with ACC_SPREAD where there
     * are more rows to it. */
    uint16_t seen[COLOR_NB][2][2 * NNUE_THREAT_SIDE + 1];
} Accumulator;

/* The net still belongs to the caller and must outlive the accumulator. False, with nothing to
 * free, when there is not enough memory. */
bool accumulator_init(Accumulator *acc, const struct NnueNet *net,
                      const struct NnueKernels *kernels) MUST_CHECK;
void accumulator_free(Accumulator *acc);

/* Brings both views up to date with the position. */
void accumulator_update(Accumulator *acc, const Position *pos);

/* The hidden sums of a view; the position must be as it was at the last accumulator_update. */
const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side);

#endif
