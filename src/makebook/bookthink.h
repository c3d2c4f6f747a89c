/* bookthink.h: searches of many positions at once, for books, whose results are on the disk as they
 * come: a run that is killed continues where it was.
 *
 * The journal is a text of records as in bookdb.h with an empty line after each; its first
 * line says how it was made. Each search begins with an empty table on one thread, so with a limit
 * of nodes what it finds follows from the position alone. For one thread at a time. */
#ifndef KMD_MAKEBOOK_BOOKTHINK_H
#define KMD_MAKEBOOK_BOOKTHINK_H

#include <stdatomic.h>

#include "base/progress.h"
#include "book/book.h"

struct NnueNet;

typedef struct ThinkRules {
    int64_t nodes; /* for a position; 0: time_ms counts */
    int64_t time_ms;
    int lines; /* moves that get a score, at most */
    int threads;
    int hash_mb; /* for each thread */
    const struct NnueNet *net;
    const _Atomic bool *cancel;
} ThinkRules;

typedef struct Thinker Thinker;

/* Opens the journal, and makes it where there is none. What it holds is known at once; a record
 * that was being written when the run ended is dropped. NULL with the reason appended to *why when
 * the file cannot be used or was made by other rules. */
Thinker *bookthink_open(const ThinkRules *rules, const char *journal, StrBuf *why);

/* Closes the journal, which stays. NULL is allowed. */
void bookthink_close(Thinker *thinker);

/* Searches those of the positions that are not known yet. False when cancelled, or when the journal
 * cannot be written (bookthink_error): what was found stays known. */
bool bookthink_run(Thinker *thinker, const Setup *setups, size_t count, Progress *progress);

/* The result of the position: its moves, best first, none if the game is over. NULL: nothing.
 * Valid until the next run. */
const BookNode *bookthink_result(const Thinker *thinker, uint64_t key);

/* The number of positions to search in all runs together, for the progress. */
void bookthink_expect(Thinker *thinker, size_t positions);

/* An errno value, 0 while all is well. */
int bookthink_error(const Thinker *thinker);

#endif
