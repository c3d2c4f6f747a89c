/* report.h: turns a worker's root moves into lines for the sink, at most as often as requested.
 * Called on worker 0's thread, except report_begin. */
#ifndef KMD_SEARCH_REPORT_H
#define KMD_SEARCH_REPORT_H

#include "rules/types.h"
#include "search/score.h"

struct RootMove;
struct SearchShared;
struct Worker;

/* A search begins: nothing has been reported yet. */
void report_begin(struct SearchShared *shared);

/* The iteration of `depth` has ended: reports it now, or keeps its line for later. Several
 * lines are reported together. */
void report_iteration(struct Worker *worker, int depth);

/* A root move of the iteration of `depth` is done. Tells its line if it is a new best one, or
 * what was held back, when the interval has passed; and gives a sign of life when none was given
 * for long. */
void report_root_move(struct Worker *worker, const struct RootMove *root, int depth);

/* Tells whatever the interval: for what may be the last news for long. */
void report_at_once(struct Worker *worker, int depth);

/* The window of an iteration failed; reported only when the options ask for it. */
void report_fail(struct Worker *worker, int depth);

/* The search has ended; if it may not be answered yet, reports what was held back. */
void report_end(struct Worker *worker);

/* The last word before the answer, which is the root move `rank`: where several lines are shown all
 * of them, as the last whole iteration left them, for in one that was cut short they stand in no
 * order and some are only bounds, but with the move played in its place; and then that move's, for
 * clients take the last line for the move played. */
void report_final(struct Worker *worker, int rank);

/* A score that needed no search, with a line of at most one move. */
void report_verdict(struct SearchShared *shared, Score score, const Move *pv, int pv_len);

/* Nodes of all workers so far. */
uint64_t report_nodes(const struct SearchShared *shared);

#endif
