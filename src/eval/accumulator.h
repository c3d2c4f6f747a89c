/* accumulator.h: the sums of the active rows (hidden sums) for the views of both sides, updated
 * incrementally; for every feature set.
 *
 * Callers need not report moves. There is a slot for each ply of a search, with the sums last
 * computed at this ply and a snapshot of what they contain. Sums are computed only when requested,
 * by adding rows to the sums of another position and subtracting rows from them. If each input
 * depends on one piece and one of the last three positions has its sums, the moves since then show
 * which rows. Otherwise the snapshots do, in comparison with the most similar of these positions:
 *
 *   the one a ply earlier     the parent, or its sibling, which is nearly as good
 *   two plies earlier, the same ply, and a ply later
 *   the cached one            the last that was computed from the cache of the same own king
 *                             ("Finny tables", Koivisto 2023)
 *
 * An accumulator belongs to one thread and follows one position at a time. */
#ifndef KMD_EVAL_ACCUMULATOR_H
#define KMD_EVAL_ACCUMULATOR_H

#include "eval/features.h"

struct NnueNet;
struct NnueKernels;

/* A power of two, larger than the maximum ply. */
enum { ACC_SLOTS = 256 };

/* The rows of an entry (snapshot.h) in a view, without the base of the own king's square. There are
 * two if the entry has two inputs, or one that is split into several rows:
 *
 *   bit  63     62    61-32       31     30  29-0
 *        there  more  second row  there  0   first row
 *
 * "there" is 0 if there is no such row. "more" says that the input has more rows than two. */
typedef uint64_t AccRows;

/* The rows of an entry in each view, indexed by side and mirroring. */
typedef struct AccEntry {
    AccRows of[COLOR_NB][2];
} AccEntry;

_Static_assert(sizeof(AccEntry) == ENTRY_BYTES, "entries are prefetched (snapshot.h)");

/* What the sums of both views contain. `cache_index` says which cache each view uses: the one
 * of its own king's square, or of its mirroring. Sums are useful only for positions with the same
 * caches. */
typedef struct AccSlot {
    bool is_ready;
    uint8_t cache_index[COLOR_NB];
    Snapshot snapshot;
} AccSlot;

typedef struct Accumulator {
    const struct NnueNet *net;
    const struct NnueKernels *kernels;
    const FeatureSet *set;
    int16_t *sums;   /* [ACC_SLOTS][COLOR_NB][hidden], then [COLOR_NB][caches][hidden] */
    int caches;      /* per view */
    Snapshot *cache; /* [COLOR_NB][caches] */
    AccEntry *rows;  /* of each entry */
    int missing;     /* pieces missing from the game that starts with these keys, if any */
    bool has_start;
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
