/* lineends.h: training positions from the ends of the lines that a search expects.
 *
 * A search evaluates only the ends of its lines, and prefers those that the evaluation overrates. A
 * network that learns from the positions of games does not see them. Here each position of a game
 * is searched again, and the position at the end of the principal variation becomes a training
 * position with the label and the result of the game's position (TDLeaf: Baxter, Tridgell and
 * Weaver, 1998).
 *
 * A LineEnds has a search for each of its threads; use it from one thread at a time. */
#ifndef KMD_TRAIN_LINEENDS_H
#define KMD_TRAIN_LINEENDS_H

#include <stdatomic.h>

#include "train/packed.h"

struct NnueNet;

typedef struct LineEndOptions {
    const struct NnueNet *net; /* must outlive the LineEnds; NULL: the hand-written evaluation */
    uint64_t nodes;            /* a search starts no iteration beyond this many nodes */
    double lookahead;          /* share of later scores in the labels (samples_find_labels) */
    int scale;                 /* centipawns per unit of the sigmoid, also for the labels */
    int threads;
} LineEndOptions;

typedef struct LineEndCount {
    uint64_t searches;
    uint64_t kept; /* line ends that were written */
} LineEndCount;

typedef struct LineEnds LineEnds;

LineEnds *lineends_create(const LineEndOptions *options);
void lineends_free(LineEnds *ends);

/* Appends a block with the line ends of a block's games to *out, each as a game of one move, in the
 * order of the games; appends nothing if there are none. The bytes do not depend on the number of
 * threads. Games without a result, of unequal players and of less than LINE_GAME_MIN moves are left
 * out. Returns false, with the line ends of the games before the fault, if the content of the block
 * is inconsistent. If *cancel becomes true, it returns early, and what it appended is incomplete.
 */
bool lineends_add_block(LineEnds *ends, const PackBlock *block, const _Atomic bool *cancel,
                        StrBuf *out) MUST_CHECK;

LineEndCount lineends_count(const LineEnds *ends);

enum { LINE_GAME_MIN = 4 };

#endif
