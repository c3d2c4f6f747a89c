/* output.h: whole lines to the client, from any thread, and a log of the session if wanted.
 *
 * Each line is a single write under a lock, so lines never mix. A failed write ends the program,
 * because the client is gone. If the client does not read, lines wait. */
#ifndef KMD_COMMAND_OUTPUT_H
#define KMD_COMMAND_OUTPUT_H

#include <pthread.h>
#include <stdio.h>

#include "base/str.h"

typedef struct Output {
    int fd;
    pthread_mutex_t lock; /* guards the rest, and the writing */
    StrBuf line;
    FILE *log; /* NULL: none */
    int64_t log_start_ms;
} Output;

void output_init(Output *out, int fd);
void output_free(Output *out);

/* Writes text and a line end; an empty text is an empty line. */
void output_line(Output *out, StrView text);

/* As printf, one line. */
void output_linef(Output *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Notes a line from the client in the log; without a log it never waits. This and the next are for
 * one thread only, the one that executes the lines. */
void output_note_input(Output *out, StrView line);

/* Appends a log of the session to the file at path from now on: milliseconds, < or >, line. An
 * empty path ends it. Returns 0 or an errno value; then the log before continues. */
int output_log_to(Output *out, StrView path) MUST_CHECK;

#endif
