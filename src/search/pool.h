/* pool.h: the search threads. A pool runs one search at a time.
 *
 * Only the thread that owns the pool (the engine's caller) may call these functions. pool_table,
 * pool_stop, pool_ponderhit and pool_is_busy return at once; all others wait for a running search.
 * The sink receives exactly one answer per search, unless pool_abort suppresses it. A process may
 * have several pools. */
#ifndef KMD_SEARCH_POOL_H
#define KMD_SEARCH_POOL_H

#include "rules/position.h"
#include "search/search.h"
#include "search/tt.h"

enum { POOL_MAX_THREADS = 512 };

struct NnueNet;

typedef struct Pool Pool;

/* A search request. All of it is copied. */
typedef struct SearchRequest {
    const Position *pos;
    const GoLimits *limits;
    const SearchOptions *options;
    SearchSink sink;
    SearchHooks hooks;
    int64_t start_ns; /* when the command arrived */
    uint64_t random;  /* random number for choices left to chance */
} SearchRequest;

/* A pool without threads and with an empty table. */
Pool *pool_create(void);

/* Stops the search, waits for its answer, and frees everything. */
void pool_free(Pool *pool);

/* The hash table. Resize or clear it only while the pool is idle. */
TransTable *pool_table(Pool *pool);

/* Waits until the pool is idle, then changes the number of threads to `threads` (1 ..
 * POOL_MAX_THREADS). Remaining threads keep their histories; the memory of removed threads is
 * freed. Returns the actual number of threads, which is lower if the system cannot provide enough
 * threads or memory. If not even one can be created, the program ends as it does when out of
 * memory. */
int pool_set_threads(Pool *pool, int threads);

/* Uses this network from now on, with only these processor features (bits of CPU_*). NULL selects
 * the hand-written evaluation, which is the default. The caller keeps the network and must not free
 * it before the pool is freed or given another network. Call pool_forget or pool_new_game
 * afterwards, because the histories come from the old evaluation. Threads that cannot get enough
 * memory are removed. */
void pool_set_net(Pool *pool, const struct NnueNet *net, uint32_t features);

/* Clears everything learned in earlier searches, except the hash table. pool_forget does this now,
 * on all threads. If *cancel becomes true (cancel may be NULL), the next search clears the rest at
 * its start. pool_new_game always leaves the clearing to the start of the next search. */
void pool_forget(Pool *pool, const _Atomic bool *cancel);
void pool_new_game(Pool *pool);

/* Waits for the current search to end, then starts a new one. The pool needs at least one
 * thread. */
void pool_start(Pool *pool, const SearchRequest *request);

/* Asks the search to end; the answer follows soon. Does nothing while idle. */
void pool_stop(Pool *pool);

/* Tells the search that the ponder move was played. It may now answer, and its clock runs from
 * now_ns. If `clocks` is not NULL, its times replace the times given at the start of the search. */
void pool_ponderhit(Pool *pool, const GoLimits *clocks, int64_t now_ns);

/* Ends the search without an answer and waits until it has ended. Meant for infinite and pondering
 * searches, which hold back their answer; other searches may already have answered. */
void pool_abort(Pool *pool);

/* Waits until no search runs. Checks *cancel (may be NULL) from time to time and ends the search
 * early once it is true. */
void pool_wait(Pool *pool, const _Atomic bool *cancel);

/* Starts a search, waits for it, and ends it early once *cancel is true. The calling thread, which
 * needs an 8 MB stack, does the work of worker 0, so short searches lose no time to thread
 * switches. */
void pool_run(Pool *pool, const SearchRequest *request, const _Atomic bool *cancel);

/* True until the search has answered. */
bool pool_is_busy(Pool *pool);

#endif
