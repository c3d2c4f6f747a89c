/* bookgames.h: reads game records and training games into a book, for `book make`.
 *
 * Call it from one thread. Nothing here prints, except the line of *progress. */
#ifndef KMD_COMMANDS_BOOKGAMES_H
#define KMD_COMMANDS_BOOKGAMES_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "base/progress.h"
#include "book/book.h"

/* Which games count. */
typedef struct BookGamesOptions {
    int most_ply;     /* highest move number to include */
    int least_rating; /* minimum for both players, if the record has their ratings; 0: any */
    const _Atomic bool *cancel; /* ends the work early */
} BookGamesOptions;

typedef struct GameCount {
    uint64_t games;
    uint64_t broken;        /* games with an error, used up to the error */
    uint64_t left_out;      /* games omitted because of ratings */
    uint64_t damaged_bytes; /* in files of training games */
    uint64_t bad_blocks;    /* of training games, used up to the error */
} GameCount;

/* Adds all games of the files (main lines only) to *book, so that each move gets the game's result.
 * Tree positions among training games are skipped. Counts the games in *count and orders the moves.
 * A file without games is an error. Returns NULL, or the path of the file that failed, with the
 * reason appended to *why. */
const char *bookgames_load(const BookGamesOptions *options, const Args *paths, Progress *progress,
                           Book *book, GameCount *count, StrBuf *why) MUST_CHECK;

#endif
