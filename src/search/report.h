/* report.h: from the root moves of a worker to lines for the sink, not more often than asked.
 * Called on worker 0's thread. */
#ifndef KMD_SEARCH_REPORT_H
#define KMD_SEARCH_REPORT_H

#include "rules/types.h"
#include "search/score.h"

struct SearchShared;
struct Worker;

/* The iteration of `depth` has ended: tells now, or keeps it for report_pending. */
void report_iteration(struct Worker *worker, int depth);

/* Tells what was held back if the interval has passed. Cheap when there is nothing. */
void report_pending(struct Worker *worker);

/* Tells whatever the interval: for what may be the last news for long. */
void report_at_once(struct Worker *worker, int depth);

/* The window of an iteration failed; told only when the options ask for it. */
void report_fail(struct Worker *worker, int depth);

/* The last word before the answer, which is the root move `rank`: every line of `worker`, and then
 * that move's again when there are several, for clients take the last line for the move played. */
void report_final(struct Worker *worker, int rank);

/* A score that needed no search, with a line of at most one move. */
void report_verdict(struct SearchShared *shared, Score score, const Move *pv, int pv_len);

/* Nodes of all workers so far. */
uint64_t report_nodes(const struct SearchShared *shared);

#endif
