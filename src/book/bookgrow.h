/* bookgrow.h: grows a book from start positions, always choosing the most relevant position next.
 *
 * Drop-out expansion (Lincke, 2000; here in rounds): each move on the path to a position costs the
 * amount by which it is worse than the best move, according to the book's values so far, plus a
 * small fixed cost. Each round searches the cheapest positions outside the book. The book thus
 * contains the plausible moves of both sides and goes deeper along better lines.
 *
 * Each search runs on one thread and starts with an empty table, so with a node limit its result
 * depends only on the position. The results are saved in a journal (base/journal.h), a text of
 * records as in bookdb.h, each followed by an empty line, after a line that states the rules of the
 * searches. A run that was killed continues from its journal and produces the same book. Call it
 * from one thread. */
#ifndef KMD_BOOK_BOOKGROW_H
#define KMD_BOOK_BOOKGROW_H

#include <stdatomic.h>

#include "base/progress.h"
#include "book/book.h"

struct NnueNet;

typedef struct BookGrowOptions {
    /* The searches. */
    int64_t nodes; /* node limit per position; 0: use time_ms */
    int64_t time_ms;
    int lines; /* maximum number of moves that get a score */
    int threads;
    int hash_mb; /* size of the hash table of each thread */
    const struct NnueNet *net;
    const _Atomic bool *cancel;
    /* The choice of positions. */
    const Book *starts; /* start positions; their moves are ignored */
    int positions;      /* number of positions in the book at which to stop */
    int window;         /* do not follow moves that lose more than this many centipawns */
    int step;           /* fixed cost of a move, in addition to what it loses */
    int most_ply;       /* highest move number in the book */
} BookGrowOptions;

typedef enum BookGrowEnd {
    BOOKGROW_DONE,    /* the book has all positions, or nothing is left to search */
    BOOKGROW_STOPPED, /* *cancel became true */
    BOOKGROW_FAILED   /* the journal could not be opened or written */
} BookGrowEnd;

/* Grows *book, which must be empty, with the journal at `journal`. At the end, the score of each
 * move that stays in the book is the value of the position after it, if both sides play the book's
 * best moves and a repetition is a draw; so it is for a run that was stopped. *error becomes an
 * error of the journal (journal_error_text), or 0. */
BookGrowEnd bookgrow_run(const BookGrowOptions *options, const char *journal, Progress *progress,
                         Book *book, int *error);

#endif
