/* matchlog.h: what a match writes beside its results: files that grow while it goes on, and the log
 * of all that is said to engines and by them. */
#ifndef KMD_MATCH_MATCHLOG_H
#define KMD_MATCH_MATCHLOG_H

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

/* Reads a file that grew, and takes off it what stands behind its last line end. False with the
 * reason appended to *error. */
bool newfile_read(const char *path, StrBuf *text, StrBuf *error);

/* All that is said to engines and by them: a line each, "SECONDS NAME[SLOT] > TEXT", with < for
 * what an engine says and seconds since the file was opened. Safe from every thread. */
typedef struct TrafficLog TrafficLog;

/* NULL with the reason appended to *error. */
TrafficLog *traffic_open(const char *path, StrBuf *error);

/* Adds the lines of text. log may be NULL. */
void traffic_add(TrafficLog *log, const char *name, int slot, char direction, StrView text);

/* False when something could not be written. log may be NULL. */
bool traffic_close(TrafficLog *log);

#endif
