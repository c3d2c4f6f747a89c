/* node.h: one node of the alpha-beta tree below the root.
 *
 * A node prints nothing and leaves the clock to worker_count_node, which counts it and says when to
 * return at once. It reads and writes the worker's position, stack and histories and the
 * shared table, and leaves the position as it found it. */
#ifndef KMD_SEARCH_NODE_H
#define KMD_SEARCH_NODE_H

#include "search/score.h"

struct Worker;

/* Fills the table of reductions from the parameters; to be called before any search. */
void node_init(void);

/* By how much an average late quiet move is reduced in a node that is searched `depth` plies deep:
 * the `number`th of its moves, from 1; in 1024ths of a ply. */
int node_late_reduction(int depth, int number);

/* The score of worker->pos, `ply` plies below the root (at least 1), searched `depth` plies deep,
 * for the window alpha < beta; may lie outside of it. A window wider than 1 makes it a node of the
 * principal variation, whose line is left in lines[ply]; is_cut says that the caller expects
 * it to fail high. After a stop the score means nothing. */
Score node_search(struct Worker *worker, int ply, int depth, Score alpha, Score beta, bool is_cut);

/* In qsearch.c: quiescence: captures and promotions, on the first ply a few quiet checks, and in
 * check every evasion, until the position is quiet enough for the static evaluation. */

/* The score of worker->pos, `ply` plies below the root, for the window alpha < beta; may lie
 * outside of it. Its line is left in lines[ply]. After a stop the score means nothing. */
Score qsearch(struct Worker *worker, int ply, Score alpha, Score beta);

/* In terminal_test.c: does a rule end the game at a node: repetition, the limit of moves, a
 * declaration.
 *
 * Quick versions of what rules/outcome.h says for a whole game; mate is left to the search, but for
 * its precedence over the limit of moves. On the worker's own thread; reads its position only. */

/* True when the game is decided at worker->pos, `ply` plies below the root; *score is then its
 * worth for the side to move. Wins and losses by better or worse hands count as decided too. */
bool terminal_test(const struct Worker *worker, int ply, Score *score);

#endif
