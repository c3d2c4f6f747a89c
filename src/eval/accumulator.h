/* accumulator.h: the first layer's sums (hidden sums) for the views of both sides, updated
 * incrementally.
 *
 * Callers need not report moves. Each slot stores its sums and the keys of the state they belong
 * to; the position's state stack shows which moves were played since. Sums are computed only when
 * requested, in one of two ways:
 *
 *   update   from the nearest earlier state with computed sums
 *   refresh  from the cached sums of the same view and king half ("Finny tables", Koivisto 2023),
 *            if no state is near enough or the king has changed sides of the board
 *
 * A move does not tell which threats it changes. Each slot therefore stores the threats that its
 * sums contain, and an update adds and subtracts the differences. An accumulator belongs to one
 * thread and follows one position at a time. */
#ifndef KMD_EVAL_ACCUMULATOR_H
#define KMD_EVAL_ACCUMULATOR_H

#include "eval/threats.h"

struct NnueNet;
struct NnueKernels;

/* A power of two, larger than the maximum ply. */
enum { ACC_SLOTS = 256 };

/* Marks the row of an input that is split into several rows. No row has this bit in its number. */
enum { ACC_SPLIT = 1 << 15 };

/* The state that the sums of a slot belong to. */
typedef struct AccSlot {
    uint64_t board_key;
    uint64_t hand_key;
    bool is_ready;
    Threats threats; /* the threats contained in the sums; unused if the network has none */
} AccSlot;

/* The position for which the sums of a view were last refreshed; `sums` of the accumulator contains
 * them. */
typedef struct AccCache {
    int16_t *sums;
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    Threats threats;
} AccCache;

typedef struct Accumulator {
    const struct NnueNet *net;
    const struct NnueKernels *kernels;
    int16_t *sums;               /* [ACC_SLOTS][COLOR_NB][hidden], then the sums of the caches */
    AccCache cache[COLOR_NB][2]; /* indexed by side and mirroring */
    AccSlot slots[ACC_SLOTS];
    bool has_threats; /* the network has threat inputs */
    /* [side][mirrored]: the row of each threat, with ACC_SPLIT set if the input is split. Threats
     * are numbered from 1. */
    uint16_t threat_rows[COLOR_NB][2][2 * NNUE_THREAT_SIDE + 1];
} Accumulator;

/* The caller keeps the network and must not free it before the accumulator. If out of memory,
 * returns false and leaves nothing to free. */
bool accumulator_init(Accumulator *acc, const struct NnueNet *net,
                      const struct NnueKernels *kernels) MUST_CHECK;
void accumulator_free(Accumulator *acc);

/* Computes the sums of both views for the position. */
void accumulator_update(Accumulator *acc, const Position *pos);

/* Returns the hidden sums of a view. The position must not have changed since
 * accumulator_update. */
const int16_t *accumulator_sums(const Accumulator *acc, const Position *pos, Color side);

#endif
