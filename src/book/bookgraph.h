/* bookgraph.h: the graph of a book's positions: which move leads to which position.
 *
 * A graph is valid until the book changes. Any thread may read it. */
#ifndef KMD_BOOK_BOOKGRAPH_H
#define KMD_BOOK_BOOKGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "book/book.h"

enum {
    BOOK_LEAF = -1,   /* the move leads out of the book */
    BOOK_ILLEGAL = -2 /* the move is illegal there */
};

/* The graph as arrays that are indexed by the positions of the book. Valid until the book
 * changes. */
typedef struct BookGraph {
    uint32_t nodes;
    uint32_t *first; /* [nodes + 1]: index in child of a position's first move */
    int32_t *child;  /* the position after each move, or BOOK_LEAF or BOOK_ILLEGAL */
    bool *in_check;  /* [nodes]: the side to move is in check */
} BookGraph;

void bookgraph_build(const Book *book, BookGraph *graph);
void bookgraph_free(BookGraph *graph);

/* Finds a small set of positions from which the moves of the book lead to all others: the positions
 * that no move leads to, and the first position (in the book's order) of each remaining cycle.
 * Writes indices to list (room for graph->nodes) and returns their number. */
uint32_t bookgraph_starts(const BookGraph *graph, uint32_t *list);

/* What bookgraph_count, which sorts the book, counts. */
typedef struct BookCount {
    uint32_t starts; /* number of positions that bookgraph_starts finds */
    uint64_t moves;
    uint64_t scored; /* moves with a score */
    uint64_t depths; /* the sum of the depths of all moves */
    uint64_t games;  /* the sum of the games of all moves */
    int last_ply;
} BookCount;

BookCount bookgraph_count(Book *book);

/* Sets is_reached[i] to true for each position i that can be reached from `from`. Other elements
 * stay unchanged, so initialise the array first. */
void bookgraph_reach(const BookGraph *graph, uint32_t from, bool *is_reached);

/* Removes the positions that cannot be reached by the moves of the book from any position in
 * `starts`. */
void bookgraph_prune(Book *book, const Book *starts);

#endif
