/* tt.h: the transposition table, shared by all workers of a search.
 *
 * Probing, storing, prefetching and tt_hashfull are safe from every thread during a search. All
 * other functions require that no search uses the table. The words of an entry are relaxed atomics.
 * If two threads write an entry at once, it fails its check and is treated as missing.
 *
 * A bucket is one cache line of five entries, each with a data word and a check word:
 *
 *   data   bit  63-59  58  57-56  55-48  47-32  31-16  15           14-0
 *               age    pv  bound  depth  eval   score  mate tested  move
 *   check  bits 31-0: the high half of the key, XORed with both halves of the data
 *
 * The low half of the key selects the bucket; the check verifies the other 32 bits. Source of
 * checking by XOR: Hyatt and Mann (2002). */
#ifndef KMD_SEARCH_TT_H
#define KMD_SEARCH_TT_H

#include <stdatomic.h>

#include "base/parallel.h"
#include "rules/types.h"
#include "search/search.h"

enum { TT_BUCKET_SIZE = 5, TT_MIN_MB = 1, TT_MAX_MB = 1 << 18 };

typedef struct TtBucket {
    _Atomic uint64_t data[TT_BUCKET_SIZE];
    _Atomic uint32_t check[TT_BUCKET_SIZE];
    uint32_t unused;
} TtBucket;

_Static_assert(sizeof(TtBucket) == 64, "a bucket is a cache line");

typedef struct TransTable {
    TtBucket *buckets;
    size_t count;
    size_t mb;
    uint32_t age;       /* 0 .. 31 */
    bool is_used;       /* something was stored since the last clear */
    bool is_faulted_in; /* tt_clear has touched the whole table, so the system has provided its
                           memory */
} TransTable;

/* The contents of an entry. A depth outside 0 .. 255 is stored as the nearest value in that
 * range. */
typedef struct TtEntry {
    Move move; /* MOVE_NONE when unknown; not checked for legality */
    Score score;
    Score eval; /* static evaluation, SCORE_NONE when unknown */
    int depth;
    Bound bound;
    bool is_pv;          /* the position is or was on a principal variation */
    bool is_mate_tested; /* out of check: mate1_find has been called for the position */
} TtEntry;

/* True if the entry's score proves that the position's score is at least beta, or proves that it is
 * below beta. */
static inline bool tt_decides(const TtEntry *entry, Score beta) {
    return entry->bound == BOUND_EXACT ||
           entry->bound == (entry->score >= beta ? BOUND_LOWER : BOUND_UPPER);
}

/* Returns the entry's score if it is a better estimate than the static evaluation `eval`, that is,
 * if it is exact or a bound that excludes eval. Otherwise, and for mate scores, returns eval. */
static inline Score tt_refine(const TtEntry *entry, Score eval) {
    Bound needed = entry->score > eval ? BOUND_LOWER : BOUND_UPPER;
    if (score_is_mate(entry->score) || (entry->bound != BOUND_EXACT && entry->bound != needed)) {
        return eval;
    }
    return entry->score;
}

/* Initialises an empty table without memory: probing it finds nothing and storing does nothing. */
void tt_init(TransTable *tt);

/* Frees the memory. Afterwards the table is in the same state as after tt_init. */
void tt_free(TransTable *tt);

/* Resizes the table to `mb` megabytes (TT_MIN_MB .. TT_MAX_MB) and empties it. If it already has
 * that size, it keeps its contents. Returns false if the memory is not available; the table is then
 * unchanged. Does not touch the new memory. */
bool tt_resize(TransTable *tt, size_t mb) MUST_CHECK;

/* Clears the table with `threads` threads, which also makes the system provide its memory. If
 * cancelled, a used table is not empty. watch may be NULL. */
void tt_clear(TransTable *tt, int threads, const Watch *watch);

/* Call this before each search. The call ages the entries of earlier searches. */
void tt_new_search(TransTable *tt);

/* Looks up a position `ply` plies below the root. Mate scores are converted so that they count
 * plies from the root. */
bool tt_probe(const TransTable *tt, uint64_t key, int ply, TtEntry *entry);

/* Stores an entry. A shallow bound replaces only the move of a much deeper entry for the same
 * position from the same search. If the new entry has no move, the old move is kept. */
void tt_store(TransTable *tt, uint64_t key, int ply, const TtEntry *entry);

void tt_prefetch(const TransTable *tt, uint64_t key);

/* How many entries, in per mille of a sample, were stored by this search. */
int tt_hashfull(const TransTable *tt);

#endif
