/* rootmate.h: uses the mate solver to look for a forced mate at the root while the search runs.
 *
 * The solver sees much deeper along checks than the search does. It runs in slices between
 * iterations, with a share of nodes in proportion to the nodes of the search, larger at first.
 * Searches limited by nodes or depth thus stay deterministic, and positions without a mate cost
 * little time. The solver's nodes are counted separately and do not use up the search's node limit.
 * Its table is kept for the following slices and for later searches of the same game. Only one
 * thread at a time may use a RootMate: the pool's owner, and worker 0 during a search. */
#ifndef KMD_SEARCH_ROOTMATE_H
#define KMD_SEARCH_ROOTMATE_H

#include "mate/matesolver.h"

struct Position;

typedef struct RootMate {
    MateSolver *solver; /* NULL until it is first needed */
    uint64_t needed;    /* solver nodes of the slice that found this search's mate; 0: none found */
    uint64_t spent;     /* solver nodes used in this search */
    uint64_t promised;  /* solver nodes of the first slice, whatever the nodes searched */
    bool is_over;       /* the solver has nothing more to look for in this search */
    MateAnswer answer;
} RootMate;

void rootmate_init(RootMate *mate);

/* Frees the solver; the RootMate can be used again. Also called for a new game: old results no
 * longer matter, and a used table would make the next search depend on earlier ones. */
void rootmate_free(RootMate *mate);

/* Starts a search of a game with this declaration rule. If the last search found a mate, the first
 * slice gets twice the nodes of the slice that found it, so that the engine plays the mate to its
 * end. */
void rootmate_begin(RootMate *mate, const struct Position *root, KmdDeclareRule rule);

/* Runs a slice if one is due after `searched` nodes of worker 0's search, and adds its nodes to
 * mate->spent. *stop ends the slice. Returns true if it found a mate of at most longest_mate plies,
 * which is then in mate->answer. */
bool rootmate_slice(RootMate *mate, const struct Position *root, uint64_t searched,
                    int longest_mate, const atomic_bool *stop);

#endif
