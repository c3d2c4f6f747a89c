/* bookgrow.h: grows a book from start positions, always choosing the most relevant position next.
 *
 * Drop-out expansion (T. Lincke, 2000; here in rounds): each move on the path to a position costs
 * the amount by which it is worse than the best move, by the values of the book so far, plus a
 * little for the length. The cheapest positions outside the book are searched. The book thus
 * follows the plausible moves of both sides, and better lines more deeply. The order depends only
 * on the results, so a run that was killed continues from its journal and produces the same book.
 * One thread. */
#ifndef KMD_MAKEBOOK_BOOKGROW_H
#define KMD_MAKEBOOK_BOOKGROW_H

#include "base/progress.h"
#include "book/book.h"
#include "makebook/bookthink.h"

typedef struct GrowRules {
    const Book *starts; /* without moves */
    int positions;      /* size at which to stop */
    int window; /* do not follow moves that are worse than the best by more than this, in centipawns
                 */
    int step;   /* the cost of a move in addition to what it loses */
    int most_ply; /* highest move number in the book */
} GrowRules;

/* Grows *book, which must be empty, and leaves the scores of the searches in it. Also ends if there
 * is nothing left to search. Returns false if the run was ended early. */
bool bookgrow_run(const GrowRules *rules, Thinker *thinker, Progress *progress, Book *book);

#endif
