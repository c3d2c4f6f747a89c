/* qsearch.h: quiescence search. Searches captures and promotions, quiet checks on the first ply if
 * the parameters allow any, and evasions when in check, until the position is quiet enough for the
 * static evaluation.
 *
 * Runs on the worker's own thread. On return the position is the same as on entry. */
#ifndef KMD_SEARCH_QSEARCH_H
#define KMD_SEARCH_QSEARCH_H

#include "search/score.h"

struct Worker;

/* Searches worker->pos, `ply` plies below the root, with the window alpha < beta. The score may lie
 * outside the window. Stores the line in lines[ply]. After a stop the score is meaningless. */
Score qsearch(struct Worker *worker, int ply, Score alpha, Score beta);

#endif
