/* bookgrow.h: grows a book from start positions, always choosing the most relevant position next.
 *
 * Drop-out expansion (Lincke, 2000; here in rounds): each move on the path to a position costs the
 * amount by which it is worse than the best move, according to the book's values so far, plus a
 * small fixed cost. Each round searches the cheapest positions outside the book. The book thus
 * contains the plausible moves of both sides and goes deeper along better lines. The order depends
 * only on the results, so a run that was killed continues from its journal and produces the same
 * book. Call it from one thread. */
#ifndef KMD_BOOK_BOOKGROW_H
#define KMD_BOOK_BOOKGROW_H

#include "base/progress.h"
#include "book/book.h"
#include "book/bookthink.h"

typedef struct BookGrowOptions {
    const Book *starts; /* start positions; their moves are ignored */
    int positions;      /* number of positions in the book at which to stop */
    int window;         /* do not follow moves that lose more than this many centipawns */
    int step;           /* fixed cost of a move, in addition to what it loses */
    int most_ply;       /* highest move number in the book */
} BookGrowOptions;

/* Grows *book, which must be empty. The moves in it get the scores of the searches. Also ends if
 * nothing is left to search. Returns false if the run ended early. */
bool bookgrow_run(const BookGrowOptions *options, Thinker *thinker, Progress *progress, Book *book);

#endif
