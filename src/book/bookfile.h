/* bookfile.h: Komadori's own format of books: small, and searched where it lies. Nothing here
 * prints.
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
 *   52  uint32   CRC-32 of all after the header  .  int16   score
 *   56  uint32   0                                .  uint16  reply
 *   60  uint32   CRC-32 of the first 60           .  wins, draws, losses: 0, 1, 2 or 4 bytes each
 *                                                 .  other games: 0, 1, 2 or 4 bytes
 *
 * A move with a score and up to 255 games of each result takes 9 bytes. The key of the start
 * position identifies books made with other keys (position.h). */
#ifndef KMD_BOOK_BOOKFILE_H
#define KMD_BOOK_BOOKFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "book/book.h"

#define BOOKFILE_MAGIC "KMDBOOK1"

enum { BOOKFILE_HEADER_SIZE = 64, BOOKFILE_VERSION = 1 };

/* A book in memory or mapped; the bytes still belong to the caller. Read only: safe from every
 * thread. */
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

#endif
