/* games.h: the games of a file, one after the other, with messages about errors.
 *
 * Use it from one thread. Nothing here prints: the caller receives the messages. */
#ifndef KMD_RECORD_GAMES_H
#define KMD_RECORD_GAMES_H

#include "record/record.h"
#include "record/stream.h"

/* Receives a message: "PATH:12: move 8: two pawns ...", "PATH: contains no game", or the reason why
 * the file cannot be read. A note is about unusual input, which is not an error. */
typedef void GamesTell(const void *context, const char *message, bool is_note);

/* A game as it was read. */
typedef struct GameRead {
    Record record;
    KifuForm form;
    KmdNext state;
    KmdFault fault; /* a note if the game has no error; its reason is NULL if there is none */
} GameRead;

typedef struct Games {
    const char *path;
    GamesTell *tell;
    const void *context;
    KifuStream stream; /* closed at its end */
    bool is_open;
    Record record;  /* the last game; after an error it contains the moves before it */
    KifuForm form;  /* form of the last game */
    bool is_broken; /* the last game has an error, which has been reported */
    int count;      /* number of games so far */
    long faults;    /* number of games with an error, plus 1 if the file contains no game or cannot
                       be read */
    GameRead ahead; /* the game after the last one, if has_ahead */
    bool has_ahead;
} Games;

/* Opens a file ("-" is standard input) in the given format, or NULL to detect it. A file that
 * cannot be opened has no games. The caller keeps the path. */
void games_open(Games *games, const char *path, const Codec *codec, GamesTell *tell,
                const void *context);

/* Like games_open, but reads bytes, which are copied. The path is for messages only. */
void games_open_bytes(Games *games, const char *path, StrView bytes, GamesTell *tell,
                      const void *context);

void games_close(Games *games);

/* Reads the next game; false at the end. */
bool games_next(Games *games);

/* True if another game follows. Reads that game to find out, so it waits until standard input has
 * provided it. */
bool games_has_more(Games *games);

#endif
