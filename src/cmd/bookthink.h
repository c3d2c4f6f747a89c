/* bookthink.h: searches of many positions at once, for books, whose results are on the disk as they
 * come: a run that is killed goes on where it was.
 *
 * The journal is a text of records as in bookdb.h with an empty line behind each; its first
 * line tells what made it. Each search begins with an empty table on one thread, so with a limit of
 * nodes what it finds follows from the position alone. For one thread at a time. */
#ifndef KMD_CMD_BOOKTHINK_H
#define KMD_CMD_BOOKTHINK_H

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

/* What is known of the position: its moves, best first, none where the game is over. NULL: nothing.
 * Valid until the next run. */
const BookNode *bookthink_result(const Thinker *thinker, uint64_t key);

/* How many positions are to be searched in all runs together, for the progress. */
void bookthink_expect(Thinker *thinker, size_t positions);

/* An errno value, 0 while all is well. */
int bookthink_error(const Thinker *thinker);

/* ---- A book that grows (bookgrow.c). --------------------------------------------------------- */

/* A book grown from starts: always the position that matters most to them next.
 *
 * Drop-out expansion (T. Lincke, 2000, here in rounds): the way to a position costs, for each move,
 * what it is worse than the best by the values of the book so far, and a little for its length; the
 * cheapest positions outside the book are searched. So both sides' plausible moves are followed,
 * and the better a line the deeper. What comes next follows from the results alone: a run that was
 * killed, with its journal, ends in the same book. */

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

/* ---- A book from games (bookmake.c). --------------------------------------------------------- */

typedef struct MakeRules {
    int most_ply;     /* the last number of a move to take */
    int least_rating; /* of both players, where a record tells them as floodgate does; 0: any */
} MakeRules;

typedef struct MakeCount {
    uint64_t games;
    uint64_t broken;   /* taken as far as they could be read */
    uint64_t left_out; /* by their rating */
} MakeCount;

/* Adds all games of a file (main lines only) to *book, each move with its result. Returns 0 or an
 * errno value; EINVAL when the file holds no games. *cancel ends it early. */
int bookmake_add(const MakeRules *rules, const char *path, const _Atomic bool *cancel, Book *book,
                 MakeCount *count);

#endif
