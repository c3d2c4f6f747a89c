/* bookgraph.h: the graph of a book's positions: which move leads to which position.
 *
 * Valid until the book changes. Building a graph uses a Position; reading it is safe from every
 * thread. */
#ifndef KMD_BOOK_BOOKGRAPH_H
#define KMD_BOOK_BOOKGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "book/book.h"

enum {
    BOOK_LEAF = -1,   /* the move leads out of the book */
    BOOK_ILLEGAL = -2 /* the move is illegal there */
};

/* Plain arrays, indexed by the positions of the book. Valid until the book changes. */
typedef struct BookGraph {
    uint32_t nodes;
    uint32_t *first; /* [nodes + 1]: index in child of a position's first move */
    int32_t *child;  /* the position after each move, or BOOK_LEAF or BOOK_ILLEGAL */
    bool *in_check;  /* [nodes]: the side to move is in check */
} BookGraph;

void bookgraph_build(const Book *book, BookGraph *graph);
void bookgraph_free(BookGraph *graph);

/* Finds a small set of positions from which the moves of the book lead to all others: those that no
 * move leads to, and the first one (in the book's order) of each remaining cycle. Writes indices to
 * list (room for graph->nodes) and returns their number. */
uint32_t bookgraph_starts(const BookGraph *graph, uint32_t *list);

/* Sorts the book and counts what it contains. */
typedef struct BookCount {
    uint32_t starts; /* of bookgraph_starts */
    uint64_t moves;
    uint64_t scored; /* moves with a score */
    uint64_t depths; /* the sum of the depths of all moves */
    uint64_t games;  /* the sum over all moves */
    int last_ply;
} BookCount;

BookCount bookgraph_count(Book *book);

/* Sets is_reached[nodes] for all positions reachable from a position; the array must be
 * initialised. */
void bookgraph_reach(const BookGraph *graph, uint32_t from, bool *is_reached);

/* Removes the positions that the moves of the book do not lead to from any position of `starts`. */
void bookgraph_prune(Book *book, const Book *starts);

#endif
