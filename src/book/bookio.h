/* bookio.h: reads files of any kind into a book, and writes a book in the format selected by the
 * file name.
 *
 * Books of all formats and lists of positions can be read; books, lists and trees of variations
 * can be written. Call it from one thread. Nothing here prints. */
#ifndef KMD_BOOK_BOOKIO_H
#define KMD_BOOK_BOOKIO_H

#include <stdatomic.h>
#include <stdint.h>

#include "book/bookread.h"

/* The name of the built-in book. */
#define BOOKIO_EMBEDDED "<default>"

/* Functions that fail append the reason, without the path, to *why. If *cancel becomes true, they
 * fail early. `cancel` may be NULL. */

/* Opens a book of any format, or the built-in one. Returns NULL on failure. */
BookReader *bookio_open(const char *path, const _Atomic bool *cancel, StrBuf *why);

/* Adds a book of any format to *book. *missing becomes the number of positions or moves that were
 * left out because they are illegal. */
bool bookio_load(const char *path, const _Atomic bool *cancel, Book *book, size_t *missing,
                 StrBuf *why) MUST_CHECK;

/* Adds the positions of a list, without moves, to *book. A line is "startpos moves ...", "sfen ..."
 * or an SFEN, optionally after the word "position". Fails at the first line that is none of
 * these. */
bool bookio_load_list(const char *path, Book *book, StrBuf *why) MUST_CHECK;

/* True for the built-in book, and if the file begins like a book written by bookio_write or like
 * one of YaneuraOu's books. */
bool bookio_is_book(const char *path);

/* False if the file name is that of a record format without variations, which cannot hold a
 * book. */
bool bookio_can_write(const char *path);

/* Sorts the book and writes it to a file: *.db is written as YaneuraOu's text, *.sfen as a list of
 * positions, a file with the extension of a record format as a tree of variations, and any other
 * file in Komadori's own format. *written becomes the number of positions in the file; a tree lacks
 * the positions that the start position does not lead to. */
bool bookio_write(Book *book, const char *path, size_t *written, StrBuf *why) MUST_CHECK;

typedef enum BookState {
    BOOK_DAMAGED,
    BOOK_UNKNOWN, /* no damage was found, but a part of the book could not be checked */
    BOOK_WHOLE
} BookState;

/* Checks that nothing in a book is damaged or illegal. bookio_load must have loaded *book from it.
 * For the books of YaneuraOu and Apery, appends a line of counts to *counts. If the book is
 * damaged, *why says how. */
BookState bookio_verify(const char *path, const _Atomic bool *cancel, const Book *book,
                        StrBuf *counts, StrBuf *why) MUST_CHECK;

/* Appends what a book contains as lines of text: its size, starts, moves and games. *book is the
 * book that was loaded from `path`; it is sorted. */
void bookio_summarize(const char *path, Book *book, StrBuf *out);

/* Appends the moves of a position as lines of text in the book's order. If the position is missing,
 * says so. */
void bookio_describe(const BookReader *reader, const Position *pos, StrBuf *out);

#endif
