/* bookvalue.h: the values of a book's positions when both sides play its best moves.
 *
 * A position is worth its best move; a move into the book what the position after it is worth, any
 * other move its own score. Play that stays in the book for ever repeats positions: a draw, or a
 * loss for the side all of whose moves from some point on give check. The values are exact,
 * whatever cycles there are: for each threshold the set of positions from which one side can force
 * it is a fixed point (a Buechi game), and halving finds all thresholds at once; about 16 passes
 * over the graph. Source of the idea: Washburn 1966 (deterministic graphical games), Thomas 1995
 * (infinite games). Should both sides check all the way round, which no known position does, the
 * value is one of the two that fit. Distances to mate are not kept. */
#ifndef KMD_BOOK_BOOKVALUE_H
#define KMD_BOOK_BOOKVALUE_H

#include "book/book.h"
#include "book/bookgraph.h"

/* The graph of a BookGraph with the further data that the solver needs. */
typedef struct ValueGraph {
    uint32_t nodes;
    const uint32_t *first; /* [nodes + 1] */
    const int32_t *child;  /* of each move; negative: leads out */
    const int16_t *score;  /* of each move, mover's view; BOOK_NO_SCORE */
    const bool *is_white;  /* [nodes]: white is to move */
    const bool *in_check;  /* [nodes] */
} ValueGraph;

/* value[nodes]: black's view, or BOOK_NO_SCORE for positions from which no score can be reached.
 * A move to such a position counts with its own score where it has one. */
void bookvalue_solve(const ValueGraph *graph, int16_t *value);

/* The same for a book; of moves that are not legal nothing counts. */
void bookvalue_of(const Book *book, const BookGraph *graph, int16_t *value);

/* Solves the book: moves into it get the value of what is after them and its best move as the
 * reply; moves are put in order. */
void bookvalue_apply(Book *book, const BookGraph *graph);

#endif
