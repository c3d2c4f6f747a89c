/* pool.h: the threads of a search and one search at a time.
 *
 * All functions are for the one thread that owns the pool (the engine's caller). pool_table,
 * pool_stop, pool_ponderhit and pool_is_busy return at once, all others wait for a search. Each
 * search is answered exactly once through its sink unless pool_abort silences it. Several pools can
 * live in one process. */
#ifndef KMD_SEARCH_POOL_H
#define KMD_SEARCH_POOL_H

#include "rules/position.h"
#include "search/searchopt.h"
#include "search/sinfo.h"
#include "search/stats.h"
#include "search/tt.h"
#include "search/verify.h"

enum { POOL_MOST_THREADS = 512 };

struct NnueNet;

typedef struct Pool Pool;

/* A search request. All of it is copied. */
typedef struct SearchRequest {
    const Position *pos;
    const GoLimits *limits;
    const SearchOptions *options;
    SearchSink sink;
    int64_t start_ns; /* when the command came */
    uint64_t random;  /* for what is left to chance */
} SearchRequest;

/* A pool without threads and with an empty table. */
Pool *pool_create(void);

/* Stops and frees everything; an unanswered search is answered first. */
void pool_free(Pool *pool);

/* The table; to be resized or cleared only while the pool is idle. */
TransTable *pool_table(Pool *pool);

/* Makes it `threads` threads (1 .. POOL_MOST_THREADS) once idle; those that stay keep what they
 * have learned, and the memory of those that go is given back. Returns how many there are: fewer
 * where the system gives no more, or has not the memory for what they will learn. Without even one
 * the program ends as from lack of memory. */
int pool_set_threads(Pool *pool, int threads);

/* Evaluates with this network from now on, using no more than these features of the processor (bits
 * of CPU_*); NULL: with the hand-written evaluation, as at first. The net stays the caller's and
 * must outlive the pool or its next net. What was learned before should be forgotten. Threads that
 * lack the memory for it are removed. */
void pool_set_net(Pool *pool, const struct NnueNet *net, uint32_t features);

/* Forgets what was learned in earlier searches, the table apart: now, with all threads, or only at
 * the start of the next search. Once *cancel (may be NULL) is true the first leaves the rest to the
 * start of the next search, too. */
void pool_forget(Pool *pool, const _Atomic bool *cancel);
void pool_new_game(Pool *pool);

/* Starts a search, after waiting for the one before. At least one thread must have been set. */
void pool_start(Pool *pool, const SearchRequest *request);

/* Asks the search to end; it answers soon. Nothing happens while idle. */
void pool_stop(Pool *pool);

/* The ponder move was played: the search may be answered, with its clock running from now_ns. When
 * `clocks` is not NULL its times replace those the search was started with. */
void pool_ponderhit(Pool *pool, const GoLimits *clocks, int64_t now_ns);

/* Ends the search without an answer and waits for that. For searches that are held (infinite or
 * pondering): others may have answered already. */
void pool_abort(Pool *pool);

/* Waits until no search runs. */
void pool_wait(Pool *pool);

/* The same, but ends the search early once *cancel is true, which is looked at now and then. */
void pool_await(Pool *pool, const _Atomic bool *cancel);

/* Starts a search, waits for it, and ends it early once *cancel is true. The caller's own thread,
 * which needs a stack of 8 MB, does the work of worker 0: short searches lose no time to switches
 * between threads. */
void pool_run(Pool *pool, const SearchRequest *request, const _Atomic bool *cancel);

/* True while a search has yet to answer. */
bool pool_is_busy(Pool *pool);

/* Worker 0's counters, to be read while no search runs. */
const SearchStats *pool_stats(const Pool *pool);

/* The first worker's checks of its pruning, to be begun or read while no search runs. */
Verify *pool_verify(Pool *pool);

#endif
