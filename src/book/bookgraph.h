/* bookgraph.h: the graph of a book's positions: which move leads to which position.
 *
 * Valid until the book changes. Building one takes a Position; reading it is safe from every
 * thread. */
#ifndef KMD_BOOK_BOOKGRAPH_H
#define KMD_BOOK_BOOKGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "book/book.h"

enum {
    BOOK_LEAF = -1,   /* the move leads out of the book */
    BOOK_ILLEGAL = -2 /* no legal move there */
};

/* Which positions follow from which: plain arrays over the book's positions by index; valid until
 * the book changes. */
typedef struct BookGraph {
    uint32_t nodes;
    uint32_t *first; /* [nodes + 1]: where a position's moves begin in child */
    int32_t *child;  /* of each move: index of the position after it, or as above */
    bool *in_check;  /* [nodes]: the side to move is in check */
} BookGraph;

void bookgraph_build(const Book *book, BookGraph *graph);
void bookgraph_free(BookGraph *graph);

/* The fewest positions from which the moves of the book lead to all others, where no cycle hides
 * one: those that no move leads to, and the first one in the book's order of each closed cycle.
 * Appends indices to list (room for graph->nodes); returns how many. */
uint32_t bookgraph_starts(const BookGraph *graph, uint32_t *list);

/* Marks in is_reached[nodes] (false at first) all that is reached from a position. */
void bookgraph_reach(const BookGraph *graph, uint32_t from, bool *is_reached);

#endif
