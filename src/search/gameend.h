/* gameend.h: tests whether the game ends at a node by repetition, the move limit or a
 * declaration.
 *
 * This is a faster version of the tests in rules/outcome.h. Mate is left to the search, except
 * where it takes precedence over the move limit. Runs on the worker's own thread and only reads its
 * position. */
#ifndef KMD_SEARCH_GAMEEND_H
#define KMD_SEARCH_GAMEEND_H

#include <stdbool.h>

#include "search/search.h"

struct Worker;

/* True if the game is over at worker->pos, `ply` plies below the root; *score is then the result
 * for the side to move. A return to a position of the line counts as a draw, and perpetual check or
 * the board of the line with another hand as SCORE_SUPERIOR or its negative. */
bool gameend_score(const struct Worker *worker, int ply, Score *score);

/* True if a try has won the game for the side that is not to move, which is over then. Inside the
 * tree, the side to move wins one move before a try, so only a move at the root can be one. */
bool gameend_is_tried(const struct Worker *worker);

#endif
