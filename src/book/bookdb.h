/* bookdb.h: opening books in YaneuraOu's text format.
 *
 * YaneuraOu's programs and GUIs use this format: a line "#YANEURAOU-DB2016 1.00", then for each
 * position a line "sfen SFEN" followed by lines "move reply score depth count". The SFEN may lack
 * its move number. Reply, score and depth may be "none", and trailing numbers may be missing. A
 * score of 0 at depth 0 means "none". All other lines are comments.
 *
 * Books are read in place, from memory or from a mapped file, through an index of all keys.
 * Read-only once open: safe from every thread. Source of the format: Motohiro Isozaki (yaneurao),
 * 2016. */
#ifndef KMD_BOOK_BOOKDB_H
#define KMD_BOOK_BOOKDB_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/parallel.h"
#include "base/str.h"
#include "book/book.h"

#define BOOKDB_HEADER "#YANEURAOU-DB2016 1.00"

typedef struct BookDb BookDb;

/* Opens a book. The caller keeps the text, which must outlive the result. If cancelled (watch may
 * be NULL), ends early and returns NULL; otherwise never returns NULL. */
BookDb *bookdb_open(StrView text, const Watch *watch);
void bookdb_free(BookDb *db);

/* True if no line of the text is a position. */
bool bookdb_is_empty(const BookDb *db);

/* Finds the moves of the position, without checking their legality. If the book states a move
 * number, the position must have the same number, unless ignores_ply is true. */
bool bookdb_find(const BookDb *db, const Setup *setup, bool ignores_ply, BookEntry *entry);

/* Statistics of loading a text. */
typedef struct BookDbLoad {
    size_t positions;
    size_t refused; /* invalid positions */
    size_t illegal; /* illegal moves */
} BookDbLoad;

/* Adds a whole text to *book. If *cancel becomes true (cancel may be NULL), leaves out the rest. */
BookDbLoad bookdb_load(StrView text, const _Atomic bool *cancel, Book *book);

/* Adds the lines of one position to *book. Returns false if the text does not start with a position
 * followed by an empty line. Meant for journals, whose last record may be incomplete. */
bool bookdb_load_record(StrView *text, Book *book);

/* Writes one position, without a final empty line. */
void bookdb_write_node(const BookNode *node, StrBuf *out);

/* Writes the whole book, sorted. The caller must check the stream for errors. */
void bookdb_write(const Book *book, FILE *stream);

#endif
