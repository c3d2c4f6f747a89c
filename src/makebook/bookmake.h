/* bookmake.h: a book made from games: each move with the results of the games in which it was
 * played. One thread. */
#ifndef KMD_MAKEBOOK_BOOKMAKE_H
#define KMD_MAKEBOOK_BOOKMAKE_H

#include <stdatomic.h>
#include <stdint.h>

#include "book/book.h"

typedef struct MakeRules {
    int most_ply;     /* the last number of a move to take */
    int least_rating; /* of both players, if the record has them as floodgate's do; 0: any */
} MakeRules;

typedef struct MakeCount {
    uint64_t games;
    uint64_t broken;   /* taken as far as they could be read */
    uint64_t left_out; /* by their rating */
} MakeCount;

/* Adds all games of a file (main lines only) to *book, each move with its result. Returns 0 or an
 * errno value; EINVAL when the file holds no games. *cancel ends it early. */
int bookmake_add(const MakeRules *rules, const char *path, const _Atomic bool *cancel, Book *book,
                 MakeCount *count);

#endif
