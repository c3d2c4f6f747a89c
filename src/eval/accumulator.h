/* accumulator.h: the sums of the active rows (hidden sums) for the views of both sides, updated
 * incrementally; for every feature set.
 *
 * Callers need not report moves. Each slot stores its sums and the keys of the state they belong
 * to; the position's state stack shows which moves were played since. Sums are computed only when
 * requested, in one of two ways:
 *
 *   update   from the nearest earlier state with computed sums
 *   refresh  from the last sums of the same view with the same own king ("Finny tables", Koivisto
 *            2023), if no state is near enough or the own king has changed the view
 *
 * A move does not tell what it changes at places. Each slot therefore stores what its sums contain,
 * and an update adds and subtracts the differences. An accumulator belongs to one thread and
 * follows one position at a time. */
#ifndef KMD_EVAL_ACCUMULATOR_H
#define KMD_EVAL_ACCUMULATOR_H

#include "eval/features.h"

struct NnueNet;
struct NnueKernels;

/* A power of two, larger than the maximum ply. */
enum { ACC_SLOTS = 256 };

/* The state that the sums of a slot belong to. */
typedef struct AccSlot {
    uint64_t board_key;
    uint64_t hand_key;
    bool is_ready;
    uint8_t cache[COLOR_NB]; /* the cache of each view; sums can only be updated within one */
    Places places;           /* what the sums contain; unused if the set has no places */
} AccSlot;

/* The position for which the sums of a view were last refreshed. */
typedef struct AccCache {
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    int missing;
    Places places;
} AccCache;

typedef struct Accumulator {
    const struct NnueNet *net;
    const struct NnueKernels *kernels;
    const FeatureSet *set;
    FeatureMap map;
    int16_t *sums;        /* [ACC_SLOTS][COLOR_NB][hidden], then [COLOR_NB][caches][hidden] */
    int caches;           /* per view: one for each square of the own king, or for each mirroring */
    AccCache *cache;      /* [COLOR_NB][caches] */
    uint32_t *place_rows; /* [view][mirrored][1 + place_inputs]: the row for what is found at a
                             place, without the base, and ACC_SPLIT (accumulator.c) */
    int missing;          /* pieces missing from the game that starts with these keys */
    uint64_t start_board;
    uint64_t start_hand;
    AccSlot slots[ACC_SLOTS];
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
