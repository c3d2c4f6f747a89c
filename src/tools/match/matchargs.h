/* matchargs.h: the command line of komadori-match. */
#ifndef KMD_MATCH_MATCHARGS_H
#define KMD_MATCH_MATCHARGS_H

#include <stdbool.h>

#include "base/str.h"
#include "tools/match/settings.h"

typedef enum MatchArgsStatus {
    MATCHARGS_OK,
    MATCHARGS_WRONG,  /* wrong use */
    MATCHARGS_NO_FILE /* the file of openings or of parameters cannot be used */
} MatchArgsStatus;

/* Reads words[0..count-1] (without the program's name) into *settings, which must hold
 * settings_default(), and loads the openings and parameters. But for MATCHARGS_OK the fault is in
 * *error. */
MatchArgsStatus matchargs_read(int count, char *const *words, MatchSettings *settings,
                               StrBuf *error) MUST_CHECK;

/* True when one of the words asks for help. */
bool matchargs_wants_help(int count, char *const *words);

/* True when one of the words asks for the version. */
bool matchargs_wants_version(int count, char *const *words);

/* The page of help. */
void matchargs_write_help(StrBuf *out);

#endif
