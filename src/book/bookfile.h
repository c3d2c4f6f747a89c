/* bookfile.h: Komadori's own format for opening books: small, and searched in place. Nothing here
 * prints.
 *
 * All numbers are little-endian. A file is a header of 64 bytes, the keys of all positions in
 * ascending order (8 bytes each), the offset of the moves of every 16th position (4 bytes each),
 * the moves, and some SFENs, one per line. The moves of the book lead from these positions to all
 * others. A position therefore needs only its key; a caller that needs boards follows the moves.
 *
 *   header                                      position in the moves
 *    0  8 bytes  "KMDBOOK1"                      0  uint8   number of moves
 *    8  uint32   version, 1                      1  uint8   number of the next move, 0: unknown
 *   12  uint32   positions                      move
 *   16  uint64   key of the start position       0  uint16  the move (types.h)
 *   24  uint64   moves                           2  uint8   flags: bit 0 has a score, bit 1 has a
 *   32  uint64   bytes of the moves                         reply, bits 2-3 and 4-5 the width of
 *   40  uint64   bytes of the SFENs                         results and of other games
 *   48  uint32   SFENs                           3  uint8   depth
 *   52  uint32   CRC-32 of all after the header  .  int16   score
 *   56  uint32   0                               .  uint16  reply
 *   60  uint32   CRC-32 of the first 60          .  wins, draws, losses: 0, 1, 2 or 4 bytes each
 *                                                .  other games: 0, 1, 2 or 4 bytes
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

/* An open book. The caller keeps its bytes, which may be a mapped file. Read-only: safe from every
 * thread. */
typedef struct BookFile {
    uint32_t positions;
    const uint8_t *keys;
    const uint8_t *offsets;
    const uint8_t *content;
    size_t content_len;
    StrView starts;
} BookFile;

/* Checks header, checksum, sizes and the order of the keys. Returns NULL, or a description of the
 * fault; *file is then empty. */
const char *bookfile_open(const void *bytes, size_t len, BookFile *file);

/* Finds the moves of a position, without checking their legality. Returns false if the position is
 * missing or its entry is damaged. */
bool bookfile_find(const BookFile *file, uint64_t key, BookEntry *entry);

/* Sorts the book and appends it as the bytes of a file. Returns false if the
 * moves would need more than 4 GiB. */
bool bookfile_write(Book *book, StrBuf *out) MUST_CHECK;

#endif
