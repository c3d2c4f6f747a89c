/* newfile.h: files that grow while a match goes on; what is done stays when it is cut off. */
#ifndef KMD_MATCH_NEWFILE_H
#define KMD_MATCH_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

/* Opens a file to write at its end. NULL on failure, with the reason appended to *error: also where
 * it holds something already, unless `may_go_on`; `advice` is then part of the reason. */
FILE *newfile_open(const char *path, bool may_go_on, const char *advice, StrBuf *error);

/* True where nothing is in the file yet, and for what has no end to look at: pipes and devices. */
bool newfile_is_empty(FILE *stream);

#endif
