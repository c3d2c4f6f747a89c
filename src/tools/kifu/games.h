/* games.h: iterates over the games of a command's files and reports their errors.
 *
 * Use it from one thread. Messages go to stderr. */
#ifndef KMD_KIFU_GAMES_H
#define KMD_KIFU_GAMES_H

#include "kifu/record.h"
#include "kifu/stream.h"
#include "tools/kifu/kifutool.h"

/* The parts that a game may have and a format may hold, as KMD_HOLDS_... bits. */
enum { KIFU_PARTS = 8 };

typedef struct KifuPart {
    int bit;
    const char *word;
} KifuPart;

extern const KifuPart games_parts[KIFU_PARTS];

/* Prints the path and the description of an errno value. Returns false. */
bool games_complain(const char *path, int error);

/* The games of an input, one after the other. */
typedef struct Games {
    const char *path;
    KifuStream stream;
    Record record;  /* the last game; after an error it contains the moves before it */
    bool is_broken; /* the last game has an error, which has been reported */
    int count;      /* number of games so far */
    long faults;    /* number of games with an error, plus the number of files that contain no game
                       or cannot be read */
    bool is_open;
} Games;

void games_open(Games *games, const KifuArgs *args, const char *path);

/* Reads the next game; false at the end. Prints notes on unusual input unless --quiet is given. */
bool games_next(Games *games, const KifuArgs *args);
void games_close(Games *games);

#endif
