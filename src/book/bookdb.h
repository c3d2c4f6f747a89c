/* bookdb.h: YaneuraOu's opening books as text.
 *
 * The format of YaneuraOu's programs and of GUIs: a line "#YANEURAOU-DB2016 1.00", then for each
 * position a line "sfen SFEN" followed by lines "move reply score depth count". The SFEN may lack
 * its move number. Reply, score and depth may be "none", and trailing numbers may be missing. All
 * other lines are comments.
 *
 * Books are read in place, from memory or from a mapped file, either by bisection, which requires
 * lines in sorted order, or through an index of all keys. Read-only once open: safe from every
 * thread. Source of the format: M. Isozaki (yaneurao), 2016. */
#ifndef KMD_BOOK_BOOKDB_H
#define KMD_BOOK_BOOKDB_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/str.h"
#include "book/book.h"

#define BOOKDB_HEADER "#YANEURAOU-DB2016 1.00"

typedef struct BookDb BookDb;

/* Opens a book. The caller keeps the text, which must outlive the result. With is_searched no index
 * is made, unless samples show that the text is not sorted. *cancel (may be NULL) ends the work
 * early; only then is NULL returned. */
BookDb *bookdb_open(StrView text, bool is_searched, const _Atomic bool *cancel);
void bookdb_free(BookDb *db);

/* The moves of the position, not checked for legality. If the book gives a move number, it must be
 * that of the position, unless ignores_ply. */
bool bookdb_find(const BookDb *db, const Setup *setup, bool ignores_ply, BookEntry *entry);

/* Statistics of loading a text. */
typedef struct BookDbLoad {
    size_t positions;
    size_t refused; /* invalid positions */
    size_t illegal; /* illegal moves */
    bool is_sorted;
} BookDbLoad;

/* Adds a whole text to *book. */
BookDbLoad bookdb_load(StrView text, Book *book);

/* Adds the lines of one position to *book. Returns false if the text does not start with a position
 * followed by an empty line. For journals, which may end in the middle of a record. */
bool bookdb_load_record(StrView *text, Book *book);

/* Writes one position, without a final empty line. */
void bookdb_write_node(const BookNode *node, StrBuf *out);

/* Writes the whole book, sorted. Errors can be detected from the stream. */
void bookdb_write(const Book *book, FILE *stream);

#endif
