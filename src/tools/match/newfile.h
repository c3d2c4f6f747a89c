/* newfile.h: files that grow: finished work is kept when a match is interrupted. */
#ifndef KMD_MATCH_NEWFILE_H
#define KMD_MATCH_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Opens a file to write at its end; what is done stays when a match is cut off. NULL on failure,
 * with the reason appended to *error: also where it holds something already, unless `may_go_on`;
 * `advice` is then part of the reason. */
FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error);

/* True where nothing is in the file yet, and for what has no end to look at: pipes and devices. */
bool newfile_is_empty(FILE *stream);

/* Writes text and flushes; false when it cannot be written. */
bool newfile_add(FILE *stream, StrView text);

/* Reads a file that grew, and takes off it what follows its last line end. False with the
 * reason appended to *error. */
bool newfile_read(const char *path, StrBuf *text, StrBuf *error);

#endif
