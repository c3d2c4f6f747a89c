/* tt.h: the transposition table, shared by all workers of a search.
 *
 * Probing, storing, prefetching and tt_hashfull are safe from every thread while a search runs;
 * everything else needs the table to be idle. Words are relaxed atomics: a torn entry fails its
 * check and is not there.
 *
 * A bucket is one cache line of five entries, each of a data word and a check word:
 *
 *   data   bit  63-59  58  57-56  55-48  47-32  31-16  15-0
 *               age    pv  bound  depth  eval   score  move
 *   check  bits 31-0: the high half of the key, mixed with both halves of the data
 *
 * The low half of the key chooses the bucket, so 32 further bits verify it. Source of the check by
 * mixing: Hyatt and Mann (2002). */
#ifndef KMD_SEARCH_TT_H
#define KMD_SEARCH_TT_H

#include <stdatomic.h>

#include "rules/types.h"
#include "search/score.h"

enum { TT_BUCKET_SIZE = 5, TT_LEAST_MB = 1, TT_MOST_MB = 1 << 18 };

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
    bool is_faulted_in; /* the memory has been touched */
} TransTable;

/* The contents of an entry. A depth outside 0 .. 255 is stored as the nearest. */
typedef struct TtEntry {
    Move move; /* MOVE_NONE when unknown; not checked for legality */
    Score score;
    Score eval; /* static evaluation, SCORE_NONE when unknown */
    int depth;
    Bound bound;
    bool is_pv; /* the position was on a principal variation */
} TtEntry;

/* False for what quiescence stores where the static evaluation is enough: no move has been tried
 * there, not even for a mate in one. */
static inline bool tt_is_mate_tested(const TtEntry *entry) {
    return entry->depth > 0 || entry->bound != BOUND_LOWER || entry->move != MOVE_NONE;
}

/* True when the score decides whether the position reaches beta. */
static inline bool tt_decides(const TtEntry *entry, Score beta) {
    return entry->bound == BOUND_EXACT ||
           entry->bound == (entry->score >= beta ? BOUND_LOWER : BOUND_UPPER);
}

/* The static evaluation `eval` of the entry's position, or its score if that says more: it is
 * exact, or a bound that eval is beyond. Mates are left to the search. */
static inline Score tt_refine(const TtEntry *entry, Score eval) {
    Bound needed = entry->score > eval ? BOUND_LOWER : BOUND_UPPER;
    if (score_is_mate(entry->score) || (entry->bound != BOUND_EXACT && entry->bound != needed)) {
        return eval;
    }
    return entry->score;
}

/* A table without memory: probes find nothing, stores do nothing. */
void tt_init(TransTable *tt);

/* Frees the memory: the table is then as after tt_init. */
void tt_free(TransTable *tt);

/* Gives the table `mb` megabytes (TT_LEAST_MB .. TT_MOST_MB), empty; one of that size stays as it
 * is, with what it holds. False, with the old table unchanged, when the memory is not available.
 * Touches no memory yet. */
bool tt_resize(TransTable *tt, size_t mb) MUST_CHECK;

/* For work that takes long. */
typedef struct TtWatch {
    const _Atomic bool *cancel;  /* true: end early */
    void (*tick)(void *context); /* called now and then on the caller's thread */
    void *context;
} TtWatch;

/* Empties the table with `threads` threads and makes the system provide its memory. When it is
 * cancelled the table is not empty. watch may be NULL. */
void tt_clear(TransTable *tt, int threads, const TtWatch *watch);

/* Call this before each search: entries of earlier ones become older. */
void tt_new_search(TransTable *tt);

/* Looks a position up; mate scores come out counted from the root, `ply` plies above. */
bool tt_probe(const TransTable *tt, uint64_t key, int ply, TtEntry *entry);

/* Stores an entry. A shallow bound does not replace a much deeper entry that this search made of
 * the same position; an entry without move keeps the move known before. */
void tt_store(TransTable *tt, uint64_t key, int ply, const TtEntry *entry);

void tt_prefetch(const TransTable *tt, uint64_t key);

/* Per mille of a sample of entries that this search stored. */
int tt_hashfull(const TransTable *tt);

#endif
