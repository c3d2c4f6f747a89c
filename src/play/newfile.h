/* newfile.h: files that grow during a match, so that an interrupted match loses nothing. */
#ifndef KMD_PLAY_NEWFILE_H
#define KMD_PLAY_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Opens a file for appending. Returns NULL with the reason appended to *error. Refuses a file that
 * is not empty, unless `may_go_on` is true; the reason then ends with `advice`. */
FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error);

/* True if the file is empty, or is a pipe or a device. */
bool newfile_is_empty(FILE *stream);

/* Writes text and flushes it. Returns false on failure. */
bool newfile_add(FILE *stream, StrView text);

/* Reads the lines of a file into *text, without an incomplete last one, and leaves the file as it
 * is. Returns false with the reason appended to *error. */
bool newfile_read(const char *path, StrBuf *text, StrBuf *error);

/* Cuts off what follows the first `len` bytes, if there is more: an incomplete last line. Returns
 * false with the reason appended to *error. */
bool newfile_cut(FILE *stream, const char *path, size_t len, StrBuf *error);

#endif
