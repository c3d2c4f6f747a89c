/* input.h: the lines of a client with their times of arrival, read ahead by a separate thread, so
 * that a quit is noticed while an earlier line is still being executed.
 *
 * All functions are for one thread, which executes the lines; only `is_ending` is shared. */
#ifndef KMD_USI_INPUT_H
#define KMD_USI_INPUT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fileio.h"

/* Bytes of the longest line that is taken: many times a game of the greatest length. */
#define INPUT_LINE_MOST ((size_t)1 << 20)

typedef struct Input {
    _Atomic bool is_ending; /* quit or the end has been read, even if not returned yet; relaxed */
    LineReader lines;       /* of the reading thread */
    pthread_t thread;
    bool has_thread;
    int64_t line_ns; /* when the line given out last had come (clock_ns) */
    bool is_cut;     /* it was longer than INPUT_LINE_MOST, and is only its beginning */
    StrBuf given;    /* lines as in `waiting`, given out up to `next` */
    size_t next;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t changed;
    StrBuf waiting; /* for each line the bytes of its InputMark, then it with its LF */
    bool is_whole;  /* nothing follows them */
} Input;

/* Begins to read; the descriptor stays the caller's. Where the system gives no thread, lines are
 * read when they are asked for, and nothing is known of what follows. */
void input_start(Input *input, int fd);

/* Only after input_next has returned false. */
void input_free(Input *input);

/* Waits for the next line and gives it without its LF or CR LF, valid until the next call. False at
 * the end: after the line `quit`, which is still given, or after the last line. */
bool input_next(Input *input, StrView *line);

#endif
