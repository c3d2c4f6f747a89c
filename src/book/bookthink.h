/* bookthink.h: searches many positions for books. An interrupted run continues from its journal
 * (base/journal.h).
 *
 * The journal is a text of records as in bookdb.h, each followed by an empty line. The first line
 * of a journal states the rules that it was made with. Each search runs on one thread and starts
 * with an empty table, so with a node limit its result depends only on the position. A Thinker
 * belongs to one thread at a time. */
#ifndef KMD_BOOK_BOOKTHINK_H
#define KMD_BOOK_BOOKTHINK_H

#include <stdatomic.h>

#include "base/cmdline.h"
#include "base/progress.h"
#include "book/book.h"

struct NnueNet;

typedef struct BookThinkOptions {
    int64_t nodes; /* node limit per position; 0: use time_ms */
    int64_t time_ms;
    int lines; /* maximum number of moves that get a score */
    int threads;
    int hash_mb; /* size of the hash table of each thread */
    const struct NnueNet *net;
    const _Atomic bool *cancel;
} BookThinkOptions;

typedef struct Thinker Thinker;

/* Opens the journal at `path`, or creates it. The results in it need no new search. Returns 0, or
 * an error (see journal_error_text) with *thinker NULL, for example if the journal was made with
 * other rules. */
int bookthink_open(const BookThinkOptions *options, const char *path, Thinker **thinker) MUST_CHECK;

/* Closes the journal, which stays on disk. NULL is allowed. */
void bookthink_close(Thinker *thinker);

/* Searches those positions that have no result yet. Returns false if cancelled or if the journal
 * cannot be written (see bookthink_error). The results so far are kept. */
bool bookthink_run(Thinker *thinker, const Setup *setups, size_t count, Progress *progress);

/* Which positions of a book to search. */
typedef struct ThinkPart {
    bool has_leaves; /* search the positions that the book's moves lead to outside the book, instead
                        of the book's own positions */
    ArgPart shard;   /* search only this part of the positions */
} ThinkPart;

/* Searches positions of a book like bookthink_run and merges the results into the book. If the
 * positions are divided into several shards, the results replace the book instead. */
bool bookthink_book(Thinker *thinker, const ThinkPart *part, Progress *progress, Book *book);

/* The result for the position: its moves, best first, or no moves if the game is over. NULL if
 * there is no result. Valid until the next run. */
const BookNode *bookthink_result(const Thinker *thinker, uint64_t key);

/* Sets the number of positions to search in all runs together, for the progress line. */
void bookthink_expect(Thinker *thinker, size_t positions);

/* An errno value; 0 if there is no error. */
int bookthink_error(const Thinker *thinker);

#endif
