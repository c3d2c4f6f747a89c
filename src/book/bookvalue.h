/* bookvalue.h: the value of each position in a book if both sides play the book's best moves.
 *
 * The value of a position is the value of its best move. A move that stays in the book has the
 * value of the position after it; a move that leaves the book has its own score. Play that never
 * leaves the book repeats positions: this is a draw, or a loss for a side whose moves all give
 * check from some point on.
 *
 * The values are exact even if the graph has cycles. For each threshold, the positions from which
 * one side can force at least that value are a fixed point (a Buechi game). Bisection finds them
 * for all thresholds together, in about 16 passes over the graph. Source of the idea: Washburn 1966
 * (deterministic graphical games), Thomas 1995 (infinite games). If both sides gave check
 * throughout a cycle, which no known position allows, the value would be one of the two possible
 * ones. Distances to mate are not kept. */
#ifndef KMD_BOOK_BOOKVALUE_H
#define KMD_BOOK_BOOKVALUE_H

#include "book/book.h"
#include "book/bookgraph.h"

/* The graph of a BookGraph with the additional data that the solver needs. */
typedef struct ValueGraph {
    uint32_t nodes;
    const uint32_t *first; /* [nodes + 1] */
    const int32_t *child;  /* position after each move; negative: it leads out of the book */
    const int16_t *score;  /* score of each move for its mover, or BOOK_NO_SCORE */
    const bool *is_white;  /* [nodes]: white is to move */
    const bool *in_check;  /* [nodes] */
} ValueGraph;

/* Computes value[nodes] from black's point of view; BOOK_NO_SCORE for positions from which no score
 * can be reached. A move to such a position counts as its own score, if it has one. */
void bookvalue_solve(const ValueGraph *graph, int16_t *value);

/* Like bookvalue_solve, but takes a book and its graph. Illegal moves are ignored. */
void bookvalue_of(const Book *book, const BookGraph *graph, int16_t *value);

/* Solves the book: each move that stays in the book gets the value of the position after it, and
 * the best move there as its reply. Sorts the positions and their moves. */
void bookvalue_apply(Book *book);

#endif
