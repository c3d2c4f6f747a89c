/* bookio.h: reads files of any kind into a book, and writes a book in the format that the name of
 * the file selects.
 *
 * Books of all formats, lists of positions, game records and training games can be read; books,
 * lists and trees of variations can be written. One thread. Nothing here prints. */
#ifndef KMD_MAKEBOOK_BOOKIO_H
#define KMD_MAKEBOOK_BOOKIO_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "base/progress.h"
#include "book/bookread.h"

/* The name of the built-in book. */
#define BOOKIO_EMBEDDED "<default>"

/* Functions that fail append the reason, without the path, to *why. If *cancel ends them early,
 * they fail or leave out the rest. */

/* Opens a book of any format, or the built-in one. Returns NULL on failure. */
BookReader *bookio_open(const char *path, const _Atomic bool *cancel, StrBuf *why);

/* Adds a book of any format to *book. *missing becomes the number of positions or moves that were
 * left out because they cannot be played. */
bool bookio_load(const char *path, const _Atomic bool *cancel, Book *book, size_t *missing,
                 StrBuf *why) MUST_CHECK;

/* Adds the positions of a list, without moves, to *book. A line is "startpos moves ...", "sfen ..."
 * or an SFEN, optionally after the word "position". Fails at the first line that is none of these.
 */
bool bookio_load_list(const char *path, Book *book, StrBuf *why) MUST_CHECK;

/* True if the file begins like a book that bookio_write has written or like YaneuraOu's. */
bool bookio_is_book(const char *path);

/* Which games count. */
typedef struct GameRules {
    int most_ply;     /* highest move number to include */
    int least_rating; /* minimum for both players, if the record has ratings like floodgate's; 0:
                         any */
    const _Atomic bool *cancel; /* ends the work early */
} GameRules;

typedef struct GameCount {
    uint64_t games;
    uint64_t broken;   /* games with an error, used up to it */
    uint64_t left_out; /* games omitted because of ratings */
} GameCount;

/* Adds all games of the files (main lines only) to *book, each move with the game's result, counts
 * them in *count, and orders the moves. A file without games is an error. Returns NULL, or the path
 * of the file that failed. */
const char *bookio_load_games(const GameRules *rules, const Args *paths, Progress *progress,
                              Book *book, GameCount *count, StrBuf *why) MUST_CHECK;

/* Sorts the book and writes it to a file: *.db is YaneuraOu's text, *.sfen a list of positions, the
 * extension of a record a tree of variations, and anything else Komadori's own format. */
bool bookio_write(Book *book, const char *path, StrBuf *why) MUST_CHECK;

/* Checks a book that *book, from bookio_load, was loaded from: that nothing in it is damaged or
 * illegal. For YaneuraOu's text, appends a line of counts to *counts. */
bool bookio_verify(const char *path, const Book *book, StrBuf *counts, StrBuf *why) MUST_CHECK;

/* Appends the moves of a position as lines of text, in the order of the book, or that it is
 * missing. */
void bookio_describe(const BookReader *reader, const Position *pos, StrBuf *out);

#endif
