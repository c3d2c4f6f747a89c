/* bookread.h: opens a book of any format for playing.
 *
 * Read-only once open: safe from every thread. Nothing here prints. */
#ifndef KMD_BOOK_BOOKREAD_H
#define KMD_BOOK_BOOKREAD_H

#include <stdatomic.h>

#include "base/rng.h"
#include "book/book.h"

typedef enum BookFormat { BOOK_OWN, BOOK_DB, BOOK_APERY } BookFormat;

typedef struct BookReader BookReader;

/* Opens a file and detects its format: Komadori's own, YaneuraOu's text or Apery's .bin. With
 * is_searched, a text is searched in place, without an index in memory. On failure returns NULL
 * with the reason in *why (static storage), or with *why NULL if *cancel ended the work early.
 * `cancel` may be NULL. */
BookReader *bookread_open(const char *path, bool is_searched, const _Atomic bool *cancel,
                          const char **why);

/* Like bookread_open, but reads the bytes of a file. The caller keeps the bytes, which must outlive
 * the reader. */
BookReader *bookread_open_bytes(StrView bytes, bool is_searched, const char **why);

/* Opens the built-in book, a copy of eval/komadori.book made when the program was built. Returns
 * NULL if that file was empty. */
BookReader *bookread_embedded(void);

/* NULL is allowed. */
void bookread_close(BookReader *reader);

BookFormat bookread_format(const BookReader *reader);

/* The book's bytes, which live as long as the reader. */
StrView bookread_bytes_of(const BookReader *reader);

/* A hash of the book's bytes. */
uint64_t bookread_id(const BookReader *reader);

typedef struct BookFind {
    bool ignore_book_ply; /* ignore the move numbers in the book */
    bool flipped_book;    /* also look up the position with the sides exchanged */
} BookFind;

/* Finds the legal moves of a position. Returns false if the position is missing or has no legal
 * moves. */
bool bookread_find(const BookReader *reader, const Position *pos, const BookFind *how,
                   BookEntry *entry);

/* Adds the whole book to *book. An Apery book has only keys, so its moves are followed from the
 * start position. Returns the number of positions and moves left out. If *cancel becomes true
 * (cancel may be NULL), ends early; the result is then without meaning. */
size_t bookread_load(const BookReader *reader, const _Atomic bool *cancel, Book *book);

/* What can be checked in an Apery book, which has keys instead of positions. */
typedef struct BookCheck {
    bool is_sorted;
    bool has_illegal; /* a position that is reached has an illegal move */
    size_t entries;
    size_t reached; /* entries that the start position leads to */
} BookCheck;

/* Checks an Apery book. bookread_load must have loaded *book from it. If *cancel becomes true, ends
 * early; the result is then without meaning. */
BookCheck bookread_check(const BookReader *reader, const _Atomic bool *cancel, const Book *book);

#endif
