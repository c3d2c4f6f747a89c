/* qsearch.h: quiescence search. Searches captures and promotions, and evasions when in check, until
 * the position is quiet enough for the static evaluation.
 *
 * Runs on the worker's own thread. On return the position is the same as on entry. */
#ifndef KMD_SEARCH_QSEARCH_H
#define KMD_SEARCH_QSEARCH_H

#include "search/search.h"

struct Worker;

/* Searches worker->pos, `ply` plies below the root, with the window alpha < beta. `depth` is 0 for
 * the first node of quiescence search and one less for each further ply. The score may lie outside
 * the window. Stores the line in lines[ply]. After a stop the score is meaningless. */
Score qsearch(struct Worker *worker, int ply, int depth, Score alpha, Score beta);

#endif
