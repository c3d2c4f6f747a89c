/* bookmake.h: makes a book from games: each move with the results of the games in which it was
 * played. One thread. */
#ifndef KMD_MAKEBOOK_BOOKMAKE_H
#define KMD_MAKEBOOK_BOOKMAKE_H

#include <stdatomic.h>
#include <stdint.h>

#include "book/book.h"

typedef struct MakeRules {
    int most_ply;     /* highest move number to include */
    int least_rating; /* minimum for both players, if the record has ratings like floodgate's; 0:
                         any */
} MakeRules;

typedef struct MakeCount {
    uint64_t games;
    uint64_t broken;   /* games with an error, used up to it */
    uint64_t left_out; /* games omitted because of ratings */
} MakeCount;

/* Adds all games of a file (main lines only) to *book, each move with the game's result. Returns 0
 * or an errno value; EINVAL if the file contains no games. *cancel ends it early. */
int bookmake_add(const MakeRules *rules, const char *path, const _Atomic bool *cancel, Book *book,
                 MakeCount *count);

#endif
