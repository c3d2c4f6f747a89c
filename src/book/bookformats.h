/* bookformats.h: the formats of books: Komadori's own (bookfile.c), YaneuraOu's text (bookdb.c) and
 * Apery's (bookapery.c). bookread.h opens any of them. Nothing here prints.
 *
 * Komadori's own is small, and searched where it lies.
 *
 * All numbers are little-endian. A file is a header of 64 bytes, the keys of all positions in
 * rising order (8 bytes each), for every 16th position the offset of its moves (4 bytes), the
 * moves, and the SFENs, one a line, from which all other positions are reached by moves of the
 * book: so a position costs a key only, and a caller that wants boards walks.
 *
 *   header                                      position in the moves
 *    0  8 bytes  "KMDBOOK1"                      0  uint8   moves
 *    8  uint32   version, 1                      1  uint8   number of the next move, 0: unknown
 *   12  uint32   positions                      move
 *   16  uint64   key of the start position       0  uint16  the move (types.h)
 *   24  uint64   moves                           2  uint8   what is there: bit 0 a score, bit 1 a
 *   32  uint64   bytes of the part of moves                 reply, bits 2-3 and 4-5 the width of
 *   40  uint64   bytes of the SFENs                         results and of other games
 *   48  uint32   SFENs                           3  uint8   depth
 *   52  uint32   CRC-32 of all behind the header  .  int16   score
 *   56  uint32   0                                .  uint16  reply
 *   60  uint32   CRC-32 of the first 60           .  wins, draws, losses: 0, 1, 2 or 4 bytes each
 *                                                 .  other games: 0, 1, 2 or 4 bytes
 *
 * A move with a score and up to 255 games of each result takes 9 bytes. The key of the start
 * position tells books of other keys (position.h). */
#ifndef KMD_BOOK_BOOKFORMATS_H
#define KMD_BOOK_BOOKFORMATS_H

#include <stdatomic.h>
#include <stdio.h>

#include "book/book.h"

#define BOOKFILE_MAGIC "KMDBOOK1"

enum { BOOKFILE_HEADER_SIZE = 64, BOOKFILE_VERSION = 1 };

/* A book in memory or mapped; the bytes stay the caller's. Read only: safe from every thread. */
typedef struct BookFile {
    uint32_t positions;
    uint64_t moves;
    uint32_t start_count; /* SFENs */
    const uint8_t *keys;
    const uint8_t *offsets;
    const uint8_t *content;
    size_t content_len;
    StrView starts;
} BookFile;

/* Checks header, checksum, sizes and the order of the keys. NULL, or what is wrong; then *file is
 * empty. */
const char *bookfile_open(const void *bytes, size_t len, BookFile *file);

/* The moves of a position, whatever they say: not checked against any board. False when it is not
 * there or its entry is damaged. */
bool bookfile_find(const BookFile *file, uint64_t key, BookEntry *entry);

/* Appends the book as a file; it is sorted by that. Moves that are not legal are left out. False
 * when the part of the moves would exceed 4 GiB. */
bool bookfile_write(Book *book, StrBuf *out) MUST_CHECK;

/* ---- Apery (bookapery.c). -------------------------------------------------------------------- */

/* Entries of 16 bytes in rising order of their keys: key of 64 bits, move, count of 16 bits, score
 * of 32 bits, little-endian. A book tells keys only: it is played from, and loaded by walking from
 * starts.
 *
 * The keys are exclusive ors of the first numbers that the standard's mt19937_64 gives by default:
 * one for each of 31 piece codes and 81 squares, for 7 kinds of piece in the mover's hand and
 * counts 0 to 18, and one for white to move. Source: H. Takuya (Apery, 2012); the generator: T.
 * Nishimura and M. Matsumoto (2004). */

enum { APERY_ENTRY_SIZE = 16 };

typedef struct AperyBook AperyBook;

/* NULL when the size or the order shows that it is no such book. The bytes stay the caller's and
 * must outlive what is returned. */
AperyBook *bookapery_open(const void *bytes, size_t len);
void bookapery_free(AperyBook *book);

/* Apery's key of the position. */
uint64_t bookapery_key(const AperyBook *book, const Setup *setup);

/* The moves of the position, whatever they say. */
bool bookapery_find(const AperyBook *book, const Setup *setup, BookEntry *entry);

/* Entries of the file. */
size_t bookapery_count(const AperyBook *book);

/* ---- YaneuraOu's text (bookdb.c). ------------------------------------------------------------ */

/* As YaneuraOu's programs and GUIs keep them: text, "#YANEURAOU-DB2016 1.00", then
 * for each position a line "sfen SFEN" and lines "move reply score depth count". The number of the
 * move may be missing in the SFEN; reply, score and depth may be "none", numbers at the end of a
 * line may be missing, and lines of another form are remarks.
 *
 * Read where the file lies in memory or on the disk: either searched by halving, which wants a file
 * sorted by its lines, or through an index of all keys. Read only once open: safe from every
 * thread. Source of the format: M. Isozaki (yaneurao), 2016. */

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

/* Writes one position, without an empty line behind it. */
void bookdb_write_node(const BookNode *node, StrBuf *out);

/* Writes the whole, sorted. Errors are left in the stream. */
void bookdb_write(const Book *book, FILE *stream);

#endif
