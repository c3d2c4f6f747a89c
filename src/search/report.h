/* report.h: sends a worker's root moves to the sink as lines of analysis, no more often than
 * requested. Everything except report_begin must be called on worker 0's thread. */
#ifndef KMD_SEARCH_REPORT_H
#define KMD_SEARCH_REPORT_H

#include "rules/types.h"
#include "search/score.h"

struct RootMove;
struct SearchShared;
struct Worker;

/* Starts a search, for which nothing has been reported yet. */
void report_begin(struct SearchShared *shared);

/* The iteration of `depth` has ended: reports its lines together now, or holds them back until the
 * interval has passed. */
void report_iteration(struct Worker *worker, int depth);

/* A root move of the iteration of `depth` has been searched. Reports it if it is the new best move;
 * reports lines held back if the interval has passed; reports progress if nothing was reported for
 * long. */
void report_root_move(struct Worker *worker, const struct RootMove *root, int depth);

/* Reports regardless of the interval, because the next report may be far off. */
void report_at_once(struct Worker *worker, int depth);

/* The window of an iteration failed. Reported only if the options ask for it. */
void report_fail(struct Worker *worker, int depth);

/* The search has ended. If its answer is still held, reports the lines held back. */
void report_end(struct Worker *worker);

/* The last report before the answer, which is the root move of rank `rank`. With MultiPV it repeats
 * all lines of the last complete iteration, because those of an interrupted one are unordered and
 * partly bounds; the move to be played is put in its place among them. The line of the move to be
 * played comes last, because clients take the last line for the move played. */
void report_final(struct Worker *worker, int rank);

/* Reports a score that needed no search, with a line of at most one move. */
void report_verdict(struct SearchShared *shared, Score score, const Move *pv, int pv_len);

/* The nodes searched by all workers so far. */
uint64_t report_nodes(const struct SearchShared *shared);

#endif
