/* input.h: reads the client's lines, with their arrival times, on a separate thread, so that a quit
 * or a stop is noticed while an earlier line is still being executed.
 *
 * Only the thread that executes the lines may call these functions; only is_quitting and
 * is_stopping may be read from any thread. */
#ifndef KMD_ENGINE_INPUT_H
#define KMD_ENGINE_INPUT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fileio.h"

/* Maximum length of a line in bytes, many times what the longest game needs. */
#define INPUT_LINE_MAX ((size_t)1 << 20)

typedef struct Input {
    _Atomic bool is_quitting; /* `quit` has been read, even if not returned; relaxed */
    _Atomic bool is_stopping; /* `quit` or `stop` has been read but not returned; relaxed */
    LineReader lines;         /* used by the reading thread */
    pthread_t thread;
    int64_t line_ns; /* arrival time of the line returned last (clock_ns) */
    bool is_cut;     /* the line returned last was longer than INPUT_LINE_MAX and is truncated */
    StrBuf taken;    /* lines taken from `waiting`; those before `next` have been returned */
    size_t next;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t changed;
    int stops;      /* number of `stop` lines read but not returned */
    StrBuf waiting; /* each line is its InputMark, followed by the text with its LF */
    bool has_ended; /* no further lines will follow */
} Input;

/* Starts reading; the caller keeps the descriptor. Ends the program if there is no thread. */
void input_start(Input *input, int fd);

/* Frees the memory. Call it only after input_next has returned false. */
void input_free(Input *input);

/* Waits for the next line and returns it without its LF or CR LF and without a byte-order mark at
 * its start. The line is valid until the next call. Returns false after the line `quit` or the last
 * line has been returned. */
bool input_next(Input *input, StrView *line);

#endif
