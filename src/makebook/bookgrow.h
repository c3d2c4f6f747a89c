/* bookgrow.h: grows a book from start positions, always with the most relevant position next.
 *
 * Drop-out expansion (T. Lincke, 2000, here in rounds): each move on the way to a position costs
 * the amount by which it is worse than the best, by the values of the book so far, plus a little
 * for the length; the cheapest positions outside the book are searched. So the plausible moves of
 * both sides are followed, better lines more deeply. The order depends on the results alone, so a
 * run that was killed continues from its journal and produces the same book. One thread. */
#ifndef KMD_MAKEBOOK_BOOKGROW_H
#define KMD_MAKEBOOK_BOOKGROW_H

#include "base/progress.h"
#include "book/book.h"
#include "makebook/bookthink.h"

typedef struct GrowRules {
    const Setup *starts;
    size_t start_count;
    size_t positions; /* to end with */
    int window;       /* no move that is worse than the best by more, centipawns */
    int step;         /* the cost of a move besides what it loses */
    int most_ply;     /* the last number of a move to have in the book */
} GrowRules;

/* Grows *book, which is empty at first, and leaves the scores of the searches in it. False when the
 * run has ended early. It ends as well when nothing is left to search. */
bool bookgrow_run(const GrowRules *rules, Thinker *thinker, Progress *progress, Book *book);

#endif
