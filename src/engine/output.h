/* output.h: prints whole lines to the client, from any thread, and can write a log of the session.
 *
 * Each line is a single write under a lock, so lines never mix. A failed write ends the program,
 * because the client is gone. If the client does not read, writers wait. */
#ifndef KMD_ENGINE_OUTPUT_H
#define KMD_ENGINE_OUTPUT_H

#include <pthread.h>
#include <stdio.h>

#include "base/str.h"

typedef struct Output {
    int fd;
    pthread_mutex_t lock; /* guards the members below, and all output */
    StrBuf line;
    FILE *log; /* NULL: no log */
    int64_t log_start_ms;
} Output;

void output_init(Output *out, int fd);
void output_free(Output *out);

/* Writes text and a line end; an empty text is an empty line. */
void output_line(Output *out, StrView text);

/* Writes each line of a text. */
void output_lines(Output *out, StrView text);

/* Writes one line, formatted as by printf. */
void output_linef(Output *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes a line from the client to the log. Returns at once if there is no log. Only the thread
 * that executes the client's commands may call output_note_input and output_log_to. */
void output_note_input(Output *out, StrView line);

/* From now on appends a log of the session to the file at path. Each line of the log has the time
 * in milliseconds, < or >, and the line. An empty path ends the log. Returns 0 or an errno value;
 * on failure the old log continues. */
int output_log_to(Output *out, StrView path) MUST_CHECK;

#endif
