/* engine.h: the engine: its options, position, hash table, threads, network and book.
 *
 * A process may have several engines. The functions of an engine must be called by one thread at a
 * time. Nothing here prints: results go to the SearchSink, on a search thread or, for a
 * move from the book, on the caller's thread. */
#ifndef KMD_ENGINE_ENGINE_H
#define KMD_ENGINE_ENGINE_H

#include "base/str.h"
#include "engine/matetask.h"
#include "engine/options.h"
#include "rules/position.h"
#include "search/search.h"
#include "search/tt.h"

typedef struct Engine Engine;

/* Creates an engine with default options and the start position. Allocates no table and no threads
 * yet. Call pos_init_tables first. */
Engine *engine_create(void);

/* Stops a running search, waits for its answer, and frees everything. NULL is allowed. */
void engine_free(Engine *engine);

/* Limits evaluation to these processor features (bits of CPU_*), to compare kernels. Call it before
 * the first engine_prepare. */
void engine_limit_features(Engine *engine, uint32_t features);

/* Takes effect with the next search. May be called during a search. */
OptionStatus engine_set_option(Engine *engine, StrView name, StrView value) MUST_CHECK;

/* The same for a number, which must be in the option's range. */
void engine_set_number(Engine *engine, StrView name, int value);

/* Why engine_set_option rejected the last value or file. Valid until its next call. */
const char *engine_option_fault(const Engine *engine);

/* What the program around the engine provides. */
typedef struct EngineHost {
    void *context;
    /* Opens the file named by DebugLogFile; see ArgFile. */
    const char *(*open_log)(void *context, const char *path);
    /* Called with a message for the user: that memory, threads, the network or the book could not
     * be had ("error ..."), or which foreign network is used ("network: ..."). May be NULL. */
    void (*on_note)(void *context, StrView note);
    bool has_book; /* play from the book that the options select: open it before a search */
    const _Atomic bool *cancel; /* true ends the opening of a book early; may be NULL */
} EngineHost;

/* Copies *host. Without this call nothing is noted or logged, and no book is used. */
void engine_set_host(Engine *engine, const EngineHost *host);

const EngineOptions *engine_options(const Engine *engine);

/* Set the position that the next search starts from. Both functions may be called during a search.
 * pos is copied. */
void engine_set_position(Engine *engine, const Position *pos);
const Position *engine_position(const Engine *engine);

/* Makes the next search start a new game and forget everything learned before. Waits for a running
 * search. */
void engine_new_game(Engine *engine);

/* The resources that engine_prepare should provide, or has provided. */
typedef struct EngineResources {
    int hash_mb;
    int threads;
} EngineResources;

/* The resources that the options currently require. */
EngineResources engine_wanted(const Engine *engine);

/* True if a search could start without allocating or clearing a large amount of memory. */
bool engine_is_prepared(Engine *engine);

/* Does the slow part: loads the network that the options name (the built-in one if it cannot be
 * used), allocates and clears the hash table, starts the threads, and opens the host's book, which
 * may take a second for a large text file. Call it only while no search runs. `watch` can end it
 * early. If `watch` is NULL, a search is waiting, so slow steps are avoided: an empty table is new
 * memory that the system clears as the search touches it, and during a game the table keeps its
 * contents. Returns the actual resources; if a table does not fit into memory, the old size is
 * kept. */
EngineResources engine_prepare(Engine *engine, EngineResources wanted, const Watch *watch);

/* False if the network that the options named at the last engine_prepare could not be used. */
bool engine_has_wanted_net(const Engine *engine);

/* net_chance_scale of the network in use. Call it after engine_prepare. */
int engine_chance_scale(const Engine *engine);

/* Tells the networks apart, and the scales of the same network. Call it as engine_chance_scale. */
uint64_t engine_evaluation_id(const Engine *engine);

/* Receives what a search finds; see each of them. */
typedef struct EngineSink {
    SearchSink search;
    MateSink mate; /* for limits.is_mate */
} EngineSink;

/* Starts a search of the position and returns. If a search is running, engine_go first waits for
 * its end, so stop that search before. limits and sink are copied. The clock runs from start_ns
 * (clock_ns). Does a quick engine_prepare if necessary. The on_done of the sink for this kind of
 * search is called exactly once. If the host's book has a move, the book answers before the
 * function returns or, while pondering, at the ponderhit. A search that is infinite, for analysis
 * or restricted to some moves does not use the book.
 *
 * A mate search (limits->is_mate) requires a position that engine_mate_refusal accepts. It uses the
 * memory of the hash table, which the next ordinary search gets back; a table that does not fit is
 * made smaller. */
void engine_go(Engine *engine, const GoLimits *limits, const EngineSink *sink, int64_t start_ns);

/* Searches the position and waits for the answer. Checks *cancel about 20 times a second and ends
 * early once it is true. sink may be NULL; only its on_info is called. */
void engine_search(Engine *engine, const GoLimits *limits, const SearchSink *sink,
                   const _Atomic bool *cancel, SearchResult *result);

/* Why no mate search is possible in the position, or NULL. */
const char *engine_mate_refusal(const Engine *engine);

/* Asks the search to end. Does nothing while idle. */
void engine_stop(Engine *engine);

/* Tells the engine that the ponder move was played. `clocks` (may be NULL) replaces the times given
 * to engine_go. Does nothing unless pondering; an infinite search still waits for engine_stop. */
void engine_ponderhit(Engine *engine, const GoLimits *clocks, int64_t now_ns);

/* Waits for the end of the search. */
void engine_wait(Engine *engine);

/* True until the search has answered. The search ends very soon after its answer. */
bool engine_is_searching(Engine *engine);

#endif
