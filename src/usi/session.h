/* session.h: what a session is made of besides the protocol: the lines that come, work in the
 * background, signs of life. */
#ifndef KMD_USI_SESSION_H
#define KMD_USI_SESSION_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/fileio.h"

/* In input.c: the lines of a client, read ahead by a thread of their own, so that its quit is known
 * while a line before it is still being obeyed, and the time that each came at.
 *
 * All functions are for one thread, the one that obeys; only `is_ending` is shared. */

/* Bytes of the longest line that is taken: many times a game of the greatest length. */
#define INPUT_LINE_MOST ((size_t)1 << 20)

typedef struct Input {
    _Atomic bool is_ending; /* quit or the end has been read, if not given out; relaxed */
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
 * the end: behind the line `quit`, which is still given, or behind the last line. */
bool input_next(Input *input, StrView *line);

/* In job.c: long work in the background of a session, one piece at a time, so that lines are obeyed
 * meanwhile. All functions are for the thread that obeys them; with the work it shares `cancel` and
 * `is_done` only. */

typedef void JobWork(void *context);

typedef struct Job {
    _Atomic bool cancel;  /* the work is to end early */
    _Atomic bool is_done; /* it has ended */
    bool is_started;      /* and not yet joined */
    pthread_t thread;
    JobWork *work;
    void *context;
} Job;

/* Starts the work after waiting for the one before; where the system gives no thread, does it
 * here. context must stay until job_wait. */
void job_start(Job *job, JobWork *work, void *context);

/* Asks the work to end early. */
void job_cancel(Job *job);

/* Waits for the end of the work. */
void job_wait(Job *job);

/* True while the work goes on. */
bool job_is_busy(const Job *job);

/* In keepalive.c: when a client that waits for long is to be shown that the engine lives.
 *
 * Plain data of whoever owns it; reads no clock and prints nothing. */

typedef struct KeepAlive {
    int64_t last_ms; /* when the client last heard from the engine */
} KeepAlive;

/* The wait begins at `now_ms`, of any clock. */
void keepalive_begin(KeepAlive *keepalive, int64_t now_ms);

/* True when a sign of life is due, which is then counted as given. To be asked now and then. */
bool keepalive_is_due(KeepAlive *keepalive, int64_t now_ms);

#endif
