/* root.h: the root search of one worker: iterative deepening, aspiration windows and MultiPV.
 * Worker 0 also reports and decides when to end.
 *
 * Each worker calls these functions on its own thread. */
#ifndef KMD_SEARCH_ROOT_H
#define KMD_SEARCH_ROOT_H

#include <stdatomic.h>

#include "rules/types.h"

struct Position;
struct RootMate;
struct SearchShared;
struct Worker;

/* The node limit of the search, for all workers together; 0: no limit. */
uint64_t root_node_limit(const struct SearchShared *shared);

/* The depth of the last iteration: the least of the search's own limit, the limits in the options,
 * and MAX_PLY / 2. */
int root_depth_limit(const struct SearchShared *shared);

/* Prepares the worker for the search described in its SearchShared: sets up the position, root
 * moves and counters, and clears the histories for a new game. Returns the number of root moves. */
int root_prepare(struct Worker *worker);

/* Searches until a limit is reached or the stop flag is set. Worker 0 finishes the first line of
 * the first iteration even after a stop, if the node limit allows it, so that there is a searched
 * move to play; this takes a few hundred nodes, about a millisecond. Needs at least one root move.
 * Afterwards the root moves are sorted by score, and the first one has a line. */
void root_search(struct Worker *worker);

/* The rank of the move to play at limited strength, chosen at random according to the level. */
int root_choose(const struct Worker *worker, uint64_t random);

/* The expected reply to a root move, from its line or the hash table; MOVE_NONE if unknown or if
 * the move ends the game. */
Move root_ponder_move(struct Worker *worker, int rank);

/* The mate solver sees much deeper along checks than the search does. It looks for a forced mate at
 * the root in slices between iterations, with a share of nodes in proportion to the nodes of the
 * search, larger at first. Searches limited by nodes or depth thus stay deterministic, and
 * positions without a mate cost little time. The solver's nodes are counted separately and do not
 * use up the search's node limit. Its table is kept for the following slices and for later searches
 * of the same game. */
void root_mate_init(struct RootMate *mate);

/* Frees the solver; the RootMate can be used again. Also called for a new game: old results no
 * longer matter, and a used table would make the next search depend on earlier ones. */
void root_mate_free(struct RootMate *mate);

/* Starts a search of a game with this declaration rule. If the last search found a mate, the first
 * slice gets twice the nodes of the slice that found it, so that the engine plays the mate to its
 * end. */
void root_mate_begin(struct RootMate *mate, const struct Position *root, KmdDeclareRule rule);

/* Runs a slice if one is due after `searched` nodes of worker 0's search, and adds its nodes to
 * mate->spent. *stop ends the slice. Returns true if it found a mate of at most longest_mate plies,
 * which is then in mate->answer. */
bool root_mate_slice(struct RootMate *mate, const struct Position *root, uint64_t searched,
                     int longest_mate, const atomic_bool *stop);

#endif
