/* gamerecord.h: writes the record of each game to its own file, and all games to one file of USI
 * lines. Only one thread at a time may use it. */
#ifndef KMD_MATCH_GAMERECORD_H
#define KMD_MATCH_GAMERECORD_H

#include <stdio.h>

#include "match/matchevent.h"
#include "record/codec.h"

/* Where records are written, and their format. */
typedef struct GameRecordOptions {
    const char *dir; /* NULL: no records */
    const Codec *codec;
    StrView extension; /* extension of the files, without the dot; static storage */
    bool may_replace;  /* existing files may be replaced */
} GameRecordOptions;

/* Checks before the first game that the records of the games 0..total - 1 for which `is_played` is
 * true can be written to options->dir. Existing files may be replaced only if options->may_replace
 * is true. Returns true if options->dir is NULL. On failure *error contains the reason, which names
 * the file. */
bool gamerecord_check(const GameRecordOptions *options, int total,
                      bool (*is_played)(const void *context, int index), const void *context,
                      StrBuf *error) MUST_CHECK;

/* Appends the record of a game, in the format of the options: the names, the date, the time
 * control, the moves with their times and the players' scores and lines, and the ending, which gets
 * a comment after a fault or an adjudication. event->pos is the position at the end, with all moves
 * since the start, including those of the opening. */
void gamerecord_append(const GameRecordOptions *options, const MatchEvent *event, StrBuf *out);

/* The function of a MatchListener; its `self` is a GameRecordOptions. Writes each game that ends.
 */
bool gamerecord_hear(void *options, const MatchEvent *event) MUST_CHECK;

/* The file of -usiout, which gets each game as a comment and a line of USI. */
typedef struct UsiGamesFile {
    FILE *stream; /* NULL: no file */
} UsiGamesFile;

/* Opens the file; does nothing if path is NULL. A file with contents is rejected unless `resumes`;
 * its last line is then cut off if it is incomplete. On failure returns false with the reason in
 * *error. */
bool gamerecord_open_usi(UsiGamesFile *file, const char *path, bool resumes,
                         StrBuf *error) MUST_CHECK;

/* The function of a MatchListener; its `self` is a UsiGamesFile. */
bool gamerecord_hear_usi(void *file, const MatchEvent *event) MUST_CHECK;

/* Closes the file. Returns false if the last write failed. */
bool gamerecord_close_usi(UsiGamesFile *file);

#endif
