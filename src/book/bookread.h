/* bookread.h: a book of any format, open to be played from.
 *
 * Read only once open: safe from every thread. Nothing here prints. */
#ifndef KMD_BOOK_BOOKREAD_H
#define KMD_BOOK_BOOKREAD_H

#include <stdatomic.h>

#include "base/rng.h"
#include "book/book.h"

typedef enum BookFormat { BOOK_OWN, BOOK_DB, BOOK_APERY } BookFormat;

typedef struct BookReader BookReader;

/* Opens a file: Komadori's own format, YaneuraOu's text or Apery's .bin, whichever it is.
 * is_searched asks for a text to be searched where it lies, without an index in memory. NULL with
 * the reason in *why (static storage), which is NULL when *cancel (may be NULL) has cut the work
 * short. */
BookReader *bookread_open(const char *path, bool is_searched, const _Atomic bool *cancel,
                          const char **why);

/* The same for the bytes of a file, which stay the caller's and must outlive the reader. */
BookReader *bookread_open_bytes(StrView bytes, bool is_searched, const char **why);

/* The book inside the program, eval/komadori.book as it was when the program was built; NULL where
 * that is empty. */
BookReader *bookread_embedded(void);

/* NULL is allowed. */
void bookread_close(BookReader *reader);

BookFormat bookread_format(const BookReader *reader);

/* Another number for other bytes. */
uint64_t bookread_id(const BookReader *reader);

typedef struct BookFind {
    bool ignore_book_ply; /* in books that give the number of the next move */
    bool flipped_book;    /* also look for the position with sides exchanged */
} BookFind;

/* The moves of a position, legal ones only; where a position is not there, or no move of it legal,
 * false. */
bool bookread_find(const BookReader *reader, const Position *pos, const BookFind *how,
                   BookEntry *entry);

/* Adds all of the book to *book. What only has keys (BOOK_APERY) is walked from the start position.
 * Returns how many positions, or entries, were left out. */
size_t bookread_load(const BookReader *reader, Book *book);

#endif
