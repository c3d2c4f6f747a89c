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
    int depth;        /* 0 .. PERFT_MAX_DEPTH; 0 counts 1 */
    int threads;      /* >= 1 */
    uint64_t hash_mb; /* size of the hash table; 0: none */
} PerftOptions;

/* The count for one root move. */
typedef struct PerftLine {
    Move move;
    uint64_t count;
} PerftLine;

typedef struct PerftResult {
    uint64_t total;
    int line_count;            /* legal moves at the root; 0 at depth 0 */
    PerftLine line[MAX_MOVES]; /* counts in the order of the move generator */
} PerftResult;

/* Counts the legal move sequences of length options->depth. The position is unchanged. Ends early
 * once *cancel (may be NULL) is true. Returns false if it did, or if the table does not fit into
 * memory. */
bool perft_run(const struct Position *pos, const PerftOptions *options, const _Atomic bool *cancel,
               PerftResult *result) MUST_CHECK;

#endif
