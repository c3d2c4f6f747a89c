/* rootmate.h: looks for a forced mate at the root with the mate solver, while the search continues.
 *
 * The solver sees far deeper along checks than the search does. It gets nodes in proportion to
 * those of the search, more at first, in slices between the iterations: so a search by nodes or
 * depth stays deterministic, and a position without a mate costs little. Its nodes are counted
 * apart from those of the search and do not use up their quota. What a slice has found out stays in
 * the solver's table for the next one, and for the searches of the same game that follow.
 * All functions are for one thread at a time: the pool's owner, and worker 0 while it searches. */
#ifndef KMD_SEARCH_ROOTMATE_H
#define KMD_SEARCH_ROOTMATE_H

#include "mate/matesolver.h"

struct Position;

typedef struct RootMate {
    MateSolver *solver; /* NULL until it is first needed */
    uint64_t needed;    /* nodes the mate took that this search has found; 0: none so far */
    uint64_t spent;     /* by this search, as the next */
    uint64_t promised;  /* to the first slice, however few nodes were searched */
    bool is_over;       /* there is nothing to look for in this search */
    MateAnswer answer;
} RootMate;

/* The limits of a slice. */
typedef struct RootMateLimits {
    uint64_t searched;       /* nodes of the search so far, without those of the mate search */
    int longest_mate;        /* in plies, of those that are of use */
    const atomic_bool *stop; /* ends the slice */
} RootMateLimits;

void rootmate_init(RootMate *mate);

/* Ready for use again. Also at a new game: what the last search found is of no interest, and where
 * the entries of its table lie depends on the searches before. */
void rootmate_free(RootMate *mate);

/* A search begins, of a game with this rule for kings that enter. When the last one found a mate
 * this one's first slice gets more nodes than that took, so that the mate is played to its end. */
void rootmate_begin(RootMate *mate, const struct Position *root, KmdDeclareRule rule);

/* Runs a slice if one is due; mate->spent grows. True when it found a mate, in mate->answer.
 */
bool rootmate_slice(RootMate *mate, const struct Position *root, const RootMateLimits *limits);

#endif
