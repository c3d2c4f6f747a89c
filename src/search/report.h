/* report.h: sends a worker's root moves to the sink as lines of analysis, but no more often than
 * the options allow. Everything except report_begin must be called on worker 0's thread. */
#ifndef KMD_SEARCH_REPORT_H
#define KMD_SEARCH_REPORT_H

#include "rules/types.h"
#include "search/search.h"

struct RootMove;
struct SearchShared;
struct Worker;

/* Prepares for a new search: nothing has been reported yet. */
void report_begin(struct SearchShared *shared);

/* Call it when the iteration of `depth` has ended. Reports its lines together, either now or, if
 * the interval has not passed yet, later. */
void report_iteration(struct Worker *worker, int depth);

/* Call it when a root move of the iteration of `depth` has been searched. Reports the move if it is
 * the new best move, lines that were held back if the interval has passed, and progress if nothing
 * was reported for a long time. */
void report_root_move(struct Worker *worker, const struct RootMove *root, int depth);

/* Reports regardless of the interval, because the next report may be far off. */
void report_at_once(struct Worker *worker, int depth);

/* Call it when the score fell outside the window of an iteration. Reports that if the options
 * require it. */
void report_fail(struct Worker *worker, int depth);

/* Call it when the search has ended. If the answer must still wait, reports the lines that were
 * held back. */
void report_end(struct Worker *worker);

/* Makes the last report before the answer, which is the root move of rank `rank`. With MultiPV it
 * repeats all lines of the last complete iteration, with the played move ranked among them, because
 * the lines of an interrupted iteration are unordered and some are only bounds. The line of the
 * played move comes last, because clients assume that the last line belongs to the played move. */
void report_final(struct Worker *worker, int rank);

/* Reports a score that needed no search, with a line of one move or, if the move is not made on the
 * board, none. `remark` is as in SearchInfo. */
void report_verdict(struct SearchShared *shared, Score score, Move move, const char *remark);

#endif
