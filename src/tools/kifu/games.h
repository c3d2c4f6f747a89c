/* games.h: iterates over the games of a command's files and reports their errors.
 *
 * One thread; messages go to stderr. */
#ifndef KMD_KIFU_GAMES_H
#define KMD_KIFU_GAMES_H

#include "kifu/record.h"
#include "kifu/stream.h"
#include "tools/kifu/kifutool.h"

/* The parts that a game may have and a format may hold, as KMD_HOLDS_... */
enum { KIFU_PARTS = 8 };

typedef struct KifuPart {
    int bit;
    const char *word;
} KifuPart;

extern const KifuPart kifu_parts[KIFU_PARTS];

/* Prints "PATH: error text of errno"; returns false. */
bool kifu_complain(const char *path, int error);

/* The games of an input, one after the other. */
typedef struct Games {
    const char *path;
    KifuStream stream;
    Record record;  /* the latest; one with a fault is kept up to there */
    bool is_broken; /* it has a fault, which has been reported */
    int count;      /* games so far */
    long faults;    /* games with an error, and files without a game or that cannot be read */
    bool is_open;
} Games;

void games_open(Games *games, const KifuArgs *args, const char *path);

/* False at the end. Notes on unusual input are printed unless the arguments ask for quiet. */
bool games_next(Games *games, const KifuArgs *args);
void games_close(Games *games);

#endif
