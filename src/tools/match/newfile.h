/* newfile.h: files that grow during a match, so that an interrupted match loses nothing. */
#ifndef KMD_MATCH_NEWFILE_H
#define KMD_MATCH_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Opens a file for appending. NULL on failure, with the reason appended to *error. A file that is
 * not empty is a failure, too, unless `may_go_on`; the reason then ends in `advice`. */
FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error);

/* True if the file is empty, and for pipes and devices. */
bool newfile_is_empty(FILE *stream);

/* Writes text and flushes; false when it cannot be written. */
bool newfile_add(FILE *stream, StrView text);

/* Reads a file, and truncates it after its last line end. False with the reason appended to
 * *error. */
bool newfile_read(const char *path, StrBuf *text, StrBuf *error);

#endif
