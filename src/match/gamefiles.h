/* gamefiles.h: writes the record of each game of a tournament to its own file, and all games to one
 * file of USI lines. Only one thread at a time may use it. */
#ifndef KMD_MATCH_GAMEFILES_H
#define KMD_MATCH_GAMEFILES_H

#include <stdio.h>

#include "match/contest.h"
#include "play/gamerecord.h"

/* Checks before the first game that the records of the games 0..total - 1 for which `is_played` is
 * true can be written to options->dir. Existing files may be replaced only if options->may_replace
 * is true. Returns true if options->dir is NULL. On failure *error contains the reason, which names
 * the file. */
bool gamefiles_check(const GameRecordOptions *options, int total,
                     bool (*is_played)(const void *context, int index), const void *context,
                     StrBuf *error) MUST_CHECK;

/* The function of a MatchListener; its `self` is a GameRecordOptions. Writes each game that ends.
 */
bool gamefiles_hear_records(void *options, const MatchEvent *event) MUST_CHECK;

/* The file of -usiout, which gets each game as a comment and a line of USI. */
typedef struct UsiGamesFile {
    FILE *stream; /* NULL: no file */
} UsiGamesFile;

/* Opens the file; does nothing if path is NULL. A file with contents is rejected unless `resumes`;
 * its last line is then cut off if it is incomplete. On failure returns false with the reason in
 * *error. */
bool gamefiles_open_usi(UsiGamesFile *file, const char *path, bool resumes,
                        StrBuf *error) MUST_CHECK;

/* The function of a MatchListener; its `self` is a UsiGamesFile. */
bool gamefiles_hear_usi(void *file, const MatchEvent *event) MUST_CHECK;

/* Closes the file. Returns false if the last write failed. */
bool gamefiles_close_usi(UsiGamesFile *file);

#endif
