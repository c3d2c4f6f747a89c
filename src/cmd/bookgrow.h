/* bookgrow.h: a book grown from starts: always the position that matters most to them next.
 *
 * Drop-out expansion (T. Lincke, 2000, here in rounds): the way to a position costs, for each
 * move, what it is worse than the best by the values of the book so far, and a little for its
 * length; the cheapest positions outside the book are searched. So both sides' plausible moves are
 * followed, and the better a line the deeper. What comes next follows from the results alone: a
 * run that was killed, with its journal, ends in the same book. One thread. */
#ifndef KMD_CMD_BOOKGROW_H
#define KMD_CMD_BOOKGROW_H

#include "base/progress.h"
#include "book/book.h"
#include "cmd/bookthink.h"

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
