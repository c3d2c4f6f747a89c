/* engine.h: the facade: one engine with its options, its position, its table and its threads.
 *
 * Several engines can live in one process. All functions of one engine are for one thread at a
 * time; only engine_prepare may run on another one meanwhile (see there). Nothing here prints:
 * results come through the SearchSink on a thread of the search. */
#ifndef KMD_ENGINE_ENGINE_H
#define KMD_ENGINE_ENGINE_H

#include "base/str.h"
#include "engine/matetask.h"
#include "engine/options.h"
#include "rules/position.h"
#include "search/sinfo.h"
#include "search/stats.h"
#include "search/tt.h"
#include "search/verify.h"

typedef struct Engine Engine;

/* With default options and the start position; allocates neither table nor threads yet.
 * rules_init must have been called. */
Engine *engine_create(void);

/* Ends a running search (it is answered first) and frees everything. NULL is allowed. */
void engine_free(Engine *engine);

/* Evaluation uses no more of the processor than these features (bits of CPU_*): for comparing
 * kernels. To be called before the first engine_prepare. */
void engine_limit_features(Engine *engine, uint32_t features);

/* Takes effect with the next search; safe while one runs. */
OptionStatus engine_set_option(Engine *engine, StrView name, StrView value) MUST_CHECK;

/* What was wrong with the last value or file that engine_set_option refused; until the next call.
 */
const char *engine_option_fault(const Engine *engine);

/* DebugLogFile belongs to the caller, who opens it: see ArgFile. */
void engine_on_log_file(Engine *engine, const char *(*accept)(void *context, const char *path),
                        void *context);

const EngineOptions *engine_options(const Engine *engine);

/* The position that the next search starts from; both safe while one runs. pos is copied. */
void engine_set_position(Engine *engine, const Position *pos);
const Position *engine_position(const Engine *engine);

/* The next search starts a new game and uses nothing learned before. Waits for a running search. */
void engine_new_game(Engine *engine);

/* The resources that engine_prepare should provide, and those it could. */
typedef struct EngineResources {
    int hash_mb;
    int threads;
} EngineResources;

/* The program is about to end: searches that are still due start no more threads than there are. */
void engine_hurry(Engine *engine);

/* The resources that the options ask for now. */
EngineResources engine_wanted(const Engine *engine);

/* True when a search could start without allocating or clearing anything large. */
bool engine_is_prepared(Engine *engine);

/* The slow part: allocates and clears the table and starts the threads. Only while no search runs;
 * until it returns, only engine_set_option, engine_set_position and readers may be called as well.
 * watch can end it early. When it is NULL a search is waiting, so nothing slow is done: an empty
 * table is new memory, which the system provides as the search touches it, and during a game the
 * learned contents stay. Returns the resources there are now: if a table does not fit into memory,
 * the old size stays. */
EngineResources engine_prepare(Engine *engine, EngineResources wanted, const TtWatch *watch);

/* The scale of the engine's scores in centipawns: the winning chance of a score is
 * 1 / (1 + exp(-score / scale)). The network in use states it; it is 600 for the hand-written
 * evaluation. Call it after engine_prepare, and not while another one runs. */
int engine_score_scale(const Engine *engine);

/* Opens the book that the options ask for, unless it is open: without this no book is ever asked.
 * Only while no search runs; may run on another thread, as engine_prepare. *cancel (may be NULL)
 * cuts it short. Returns NULL, or why there is no book (static storage) with its name appended to
 * *path. */
const char *engine_open_book(Engine *engine, const _Atomic bool *cancel, StrBuf *path);

/* Starts a search of the position (a running one is waited for; stop it first) and returns; limits
 * and sink are copied. Its clock runs since start_ns (clock_ns). Prepares what is not prepared,
 * quickly. The sink's on_done follows exactly once. Mate searches have a function of their own.
 * When an open book has a move, and the search is neither infinite nor analysis nor limited to some
 * moves, the answer comes from there, before the return; while pondering, with the ponderhit. */
void engine_go(Engine *engine, const GoLimits *limits, const SearchSink *sink, int64_t start_ns);

/* Searches the position and waits for the answer. *cancel is looked at some 20 times a second: true
 * ends the search early. sink may be NULL; its on_done is not called. */
void engine_search(Engine *engine, const GoLimits *limits, const SearchSink *sink,
                   const _Atomic bool *cancel, SearchResult *result);

/* Starts a mate search of the position; the search's table gives its memory to the mate search, and
 * gets it back with the next search. sink->on_done follows exactly once. Returns what the mate
 * search has of what the options ask for: a table that does not fit into memory is made smaller. */
EngineResources engine_go_mate(Engine *engine, const GoLimits *limits, const MateSink *sink,
                               int64_t start_ns);

/* Looks for a mate and waits for the answer, which the request's sink gets. Position, table and
 * threads are the request's. Returns the table's megabytes, as matetask_start. */
int engine_mate(Engine *engine, const MateRequest *request);

/* Ends the search soon. Nothing happens while idle. */
void engine_stop(Engine *engine);

/* The ponder move was played. `clocks` (may be NULL) replaces the times given to engine_go. Nothing
 * happens unless pondering, and an infinite search waits for engine_stop anyway. */
void engine_ponderhit(Engine *engine, const GoLimits *clocks, int64_t now_ns);

/* Waits for the end of the search. */
void engine_wait(Engine *engine);

/* True while an answer is still due; after that the rest takes only a moment. */
bool engine_is_searching(Engine *engine);

/* The first thread's counters (search/stats.h), to be read while no search runs.
 */
const SearchStats *engine_stats(const Engine *engine);

/* The first thread's checks of its pruning (search/verify.h); only while no search runs. */
Verify *engine_verify(Engine *engine);

#endif
