/* games.h: the games of the files that a command is given, one after the other, and what is said
 * of them.
 *
 * One thread; messages go to stderr. */
#ifndef KMD_KIFU_GAMES_H
#define KMD_KIFU_GAMES_H

#include "kifu/record.h"
#include "kifu/stream.h"
#include "tools/kifu/kifutool.h"

/* What a game may have and a format may hold, as KMD_HOLDS_... */
enum { KIFU_PARTS = 8 };

typedef struct KifuPart {
    int bit;
    const char *word;
} KifuPart;

extern const KifuPart kifu_parts[KIFU_PARTS];

/* Says "PATH: words of the errno value"; false. */
bool kifu_complain(const char *path, int error);

/* The games of an input, one after the other. */
typedef struct Games {
    const char *path;
    KifuStream stream;
    Record record;  /* the latest; one with a fault is kept up to there */
    bool is_broken; /* it has a fault, which has been told */
    int count;      /* games so far */
    long faults;    /* games with a fault, and a file without a game or that cannot be read */
    bool is_open;
} Games;

void games_open(Games *games, const KifuArgs *args, const char *path);

/* False at the end. Notes on what is unusual are told unless the arguments ask for quiet. */
bool games_next(Games *games, const KifuArgs *args);
void games_close(Games *games);

#endif
