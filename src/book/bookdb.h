/* bookdb.h: YaneuraOu's books as text.
 *
 * As YaneuraOu's programs and GUIs keep them: text, "#YANEURAOU-DB2016 1.00", then
 * for each position a line "sfen SFEN" and lines "move reply score depth count". The number of the
 * move may be missing in the SFEN; reply, score and depth may be "none", numbers at the end of a
 * line may be missing, and lines of another form are remarks.
 *
 * Read where the file lies in memory or on the disk: either searched by halving, which wants a file
 * sorted by its lines, or through an index of all keys. Read only once open: safe from every
 * thread. Source of the format: M. Isozaki (yaneurao), 2016. */
#ifndef KMD_BOOK_BOOKDB_H
#define KMD_BOOK_BOOKDB_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/str.h"
#include "book/book.h"

#define BOOKDB_HEADER "#YANEURAOU-DB2016 1.00"

typedef struct BookDb BookDb;

/* The text stays the caller's and must outlive what is returned. With is_searched no index is made
 * unless a look at some places shows that the text is not sorted. *cancel (may be NULL) cuts the
 * work short: NULL is returned then, and only then. */
BookDb *bookdb_open(StrView text, bool is_searched, const _Atomic bool *cancel);
void bookdb_free(BookDb *db);

/* The moves of the position, whatever they say. The number of the move, where the book tells it,
 * must be that of the position unless ignores_ply. */
bool bookdb_find(const BookDb *db, const Setup *setup, bool ignores_ply, BookEntry *entry);

/* How a text was read. */
typedef struct BookDbLoad {
    size_t positions;
    size_t refused; /* positions that no game can have */
    size_t illegal; /* moves */
    bool is_sorted;
} BookDbLoad;

/* Adds all of a text to *book. */
BookDbLoad bookdb_load(StrView text, Book *book);

/* Adds what one position's lines say to *book: false when the text does not begin with a position
 * that is followed by an empty line. For journals, which may end in the middle of one. */
bool bookdb_load_record(StrView *text, Book *book);

/* Writes one position, without an empty line after it. */
void bookdb_write_node(const BookNode *node, StrBuf *out);

/* Writes the whole, sorted. Errors are left in the stream. */
void bookdb_write(const Book *book, FILE *stream);

#endif
