/* perft.h: counts move sequences, the usual test of move generators. */
#ifndef KMD_RULES_PERFT_H
#define KMD_RULES_PERFT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/types.h"

struct Position;

enum { PERFT_MAX_DEPTH = 30 };

typedef struct PerftOptions {
    int depth;      /* 0 .. PERFT_MAX_DEPTH; 0 counts 1 */
    int threads;    /* >= 1 */
    size_t hash_mb; /* 0: without table */
    bool is_bulk;   /* count the last ply from sets instead of making its moves */
} PerftOptions;

/* One line of a divided count. */
typedef struct PerftLine {
    Move move;
    uint64_t count;
} PerftLine;

typedef struct PerftResult {
    uint64_t total;
    int line_count;            /* legal moves at the root; 0 at depth 0 */
    PerftLine line[MAX_MOVES]; /* in the generator's order */
} PerftResult;

/* How far a count has come. */
typedef struct PerftProgress {
    int parts_done, parts;
    uint64_t counted; /* leaves of the parts that are done */
} PerftProgress;

/* Who looks on while perft_run works. */
typedef struct PerftWatch {
    const _Atomic bool *cancel; /* true: the count ends early and is worthless */
    /* Called on the caller's thread whenever that has done a part. */
    void (*tick)(void *context, const PerftProgress *progress);
    void *context;
} PerftWatch;

/* Counts the legal sequences of options->depth moves. The position is not changed. `watch` may be
 * NULL. False when the table does not fit into memory or the count was cancelled. */
bool perft_run(const struct Position *pos, const PerftOptions *options, const PerftWatch *watch,
               PerftResult *result) MUST_CHECK;

#endif
