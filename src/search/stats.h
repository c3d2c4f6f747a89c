/* stats.h: counters of search events. The counters exist only in tuning builds (make MODE=tune).
 *
 * A SearchStats belongs to one worker. */
#ifndef KMD_SEARCH_STATS_H
#define KMD_SEARCH_STATS_H

#include "base/str.h"

typedef enum Stat {
#define STAT(name, words) STAT_##name,
#include "search/stats.def"
#undef STAT
    STAT_NB
} Stat;

/* The last row counts all depths of at least STATS_DEPTHS - 1. */
enum { STATS_DEPTHS = 33, STATS_ITERATIONS = 128 };

#ifdef KMD_TUNE
typedef struct SearchStats {
    uint64_t count[STAT_NB][STATS_DEPTHS];
    /* The number of nodes at the end of each iteration and at the end of the previous iteration,
     * summed over all searches. */
    uint64_t iteration_nodes[STATS_ITERATIONS];
    uint64_t iteration_before[STATS_ITERATIONS];
} SearchStats;

static inline void stats_add(SearchStats *stats, Stat stat, int depth, int number) {
    stats->count[stat][depth < 0              ? 0
                       : depth < STATS_DEPTHS ? depth
                                              : STATS_DEPTHS - 1] += (uint64_t)number;
}

/* Records that an iteration ended after `nodes` nodes of the search, and the previous iteration
 * after `before` nodes. */
static inline void stats_add_iteration(SearchStats *stats, int depth, uint64_t nodes,
                                       uint64_t before) {
    if (depth < STATS_ITERATIONS) {
        stats->iteration_nodes[depth] += nodes;
        stats->iteration_before[depth] += before;
    }
}
#else
typedef struct SearchStats {
    char nothing;
} SearchStats;

static inline void stats_add(SearchStats *stats, Stat stat, int depth, int number) {
    (void)stats;
    (void)stat;
    (void)depth;
    (void)number;
}

static inline void stats_add_iteration(SearchStats *stats, int depth, uint64_t nodes,
                                       uint64_t before) {
    (void)stats;
    (void)depth;
    (void)nodes;
    (void)before;
}
#endif

/* Counts one event in a node of that depth. */
static inline void stats_count(SearchStats *stats, Stat stat, int depth) {
    stats_add(stats, stat, depth, 1);
}

/* Appends the counters as a text table. Returns false in other builds, which have no counters. */
bool stats_print(const SearchStats *stats, StrBuf *text);

#endif
