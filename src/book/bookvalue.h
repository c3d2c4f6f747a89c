/* bookvalue.h: the values of a book's positions if both sides play its best moves.
 *
 * The value of a position is that of its best move. A move into the book has the value of the
 * position after it, any other move its own score. Play that never leaves the book repeats
 * positions: this is a draw, or a loss for a side whose moves all give check from some point on.
 *
 * The values are exact, whatever cycles there are. For each threshold, the set of positions from
 * which one side can force it is a fixed point (a Buechi game), and bisection solves all thresholds
 * together, in about 16 passes over the graph. Source of the idea: Washburn 1966 (deterministic
 * graphical games), Thomas 1995 (infinite games). If both sides gave check throughout a cycle,
 * which no known position allows, the value would be one of the two possible ones. Distances to
 * mate are not kept. */
#ifndef KMD_BOOK_BOOKVALUE_H
#define KMD_BOOK_BOOKVALUE_H

#include "book/book.h"
#include "book/bookgraph.h"

/* The graph of a BookGraph with the additional data that the solver needs. */
typedef struct ValueGraph {
    uint32_t nodes;
    const uint32_t *first; /* [nodes + 1] */
    const int32_t *child;  /* for each move; negative: leads out of the book */
    const int16_t *score;  /* for each move, from the mover's point of view, or BOOK_NO_SCORE */
    const bool *is_white;  /* [nodes]: white is to move */
    const bool *in_check;  /* [nodes] */
} ValueGraph;

/* Computes value[nodes] from black's point of view; BOOK_NO_SCORE for positions from which no score
 * can be reached. A move to such a position counts with its own score if it has one. */
void bookvalue_solve(const ValueGraph *graph, int16_t *value);

/* The same for a book. Illegal moves do not count. */
void bookvalue_of(const Book *book, const BookGraph *graph, int16_t *value);

/* Solves the book: each move into the book gets the value of the position after it, and that
 * position's best move as its reply. Sorts the positions and their moves. */
void bookvalue_apply(Book *book);

#endif
