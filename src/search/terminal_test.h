/* terminal_test.h: whether a rule ends the game at a node: repetition, the move limit, a
 * declaration.
 *
 * Faster versions of rules/outcome.h; mate is left to the search, except where it takes precedence
 * over the move limit. Runs on the worker's own thread and only reads
 * its position. */
#ifndef KMD_SEARCH_TERMINAL_TEST_H
#define KMD_SEARCH_TERMINAL_TEST_H

#include <stdbool.h>

#include "search/score.h"

struct Worker;

/* True when the game is decided at worker->pos, `ply` plies below the root; *score is then its
 * worth for the side to move. Wins and losses by better or worse hands count as decided too. */
bool terminal_test(const struct Worker *worker, int ply, Score *score);

#endif
