/* qsearch.h: quiescence search: captures and promotions, a few quiet checks on the first ply, and
 * every evasion in check, until the position is quiet enough for the static evaluation.
 *
 * Runs on the worker's own thread and leaves the position as it found it. */
#ifndef KMD_SEARCH_QSEARCH_H
#define KMD_SEARCH_QSEARCH_H

#include "search/score.h"

struct Worker;

/* The score of worker->pos, `ply` plies below the root, for the window alpha < beta; may lie
 * outside of it. Its line is left in lines[ply]. After a stop the score means nothing. */
Score qsearch(struct Worker *worker, int ply, Score alpha, Score beta);

#endif
