/* shared_iteration.h: root moves with their lines, and the iteration shared by the workers of a
 * search.
 *
 * All workers search the same depth. The first to finish an iteration shares its line; the others
 * stop, adopt that line and continue one ply deeper. All functions except init, begin and free may
 * be called by any thread at any time. */
#ifndef KMD_SEARCH_SHARED_ITERATION_H
#define KMD_SEARCH_SHARED_ITERATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rules/types.h"
#include "search/score.h"

/* A sequence of moves. */
typedef struct PvLine {
    int len;
    Move moves[MAX_PLY];
} PvLine;

/* A root move and its results. */
typedef struct RootMove {
    Move move;
    Score score;          /* score in this iteration; -SCORE_INFINITE if not searched yet */
    Score previous_score; /* score in the last iteration with one; -SCORE_INFINITE: none */
    Bound bound;          /* bound of `score` */
    Score exact_score;    /* last exact score, of iteration exact_depth; `pv` belongs to it */
    int exact_depth;      /* iteration of exact_score: this or the previous one; 0: none */
    int seldepth;
    uint64_t nodes; /* nodes searched below this move in this search */
    PvLine pv;      /* begins with the move */
} RootMove;

/* True if the move has a score in this iteration. */
static inline bool rootmove_is_current(const RootMove *root) {
    return root->score != -SCORE_INFINITE;
}

/* The latest score; -SCORE_INFINITE if there is none. */
static inline Score rootmove_score(const RootMove *root) {
    return rootmove_is_current(root) ? root->score : root->previous_score;
}

/* The bound of rootmove_score. */
static inline Bound rootmove_bound(const RootMove *root) {
    return rootmove_is_current(root) ? root->bound : BOUND_EXACT;
}

typedef struct SharedIteration {
    _Atomic int depth; /* the deepest finished iteration; nodes read it */
    pthread_mutex_t lock;
    RootMove best; /* the best move of that iteration; guarded by `lock` */
} SharedIteration;

void shared_iteration_init(SharedIteration *iteration);
void shared_iteration_free(SharedIteration *iteration);

/* Starts a search: no iteration is finished. */
void shared_iteration_begin(SharedIteration *iteration);

/* True if an iteration of at least `depth` is finished. */
static inline bool shared_iteration_has_passed(const SharedIteration *iteration, int depth) {
    return atomic_load_explicit(&iteration->depth, memory_order_relaxed) >= depth;
}

/* Shares the best move of a finished iteration, unless an iteration of that depth or a greater one
 * has already been shared. */
void shared_iteration_hand_over(SharedIteration *iteration, int depth, const RootMove *best);

/* Copies the best move of the deepest finished iteration and returns its depth. */
int shared_iteration_take(SharedIteration *iteration, RootMove *best);

#endif
