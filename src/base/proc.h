/* proc.h: child processes that communicate in lines through pipes.
 *
 * Only proc_wait and proc_stop block, and only as long as the caller allows. Input that a child
 * does not read is kept, its output is collected while waiting, and its stderr is written to a file
 * or discarded, so that no child can block its parent. Children have process groups of their own,
 * so Ctrl-C at the terminal reaches only the parent. A Proc belongs to one thread; different
 * threads may use different ones at the same time.
 *
 * proc_posix.c and proc_win.c implement it; the Makefile chooses. */
#ifndef KMD_BASE_PROC_H
#define KMD_BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/str.h"

typedef struct Proc Proc;

/* The program to start. */
typedef struct ProcSpec {
    const char *const *argv; /* ends with NULL; argv[0] with a slash counts from our directory */
    const char *dir;         /* working directory; NULL: ours */
    const char *stderr_path; /* file that stderr is appended to; NULL: thrown away */
} ProcSpec;

/* How a child ended. */
typedef enum ProcEndKind {
    PROC_EXITED,   /* by itself; code is the exit status */
    PROC_SIGNALED, /* by a signal that was not ours; code is its number */
    PROC_KILLED    /* by proc_stop, because it was still running */
} ProcEndKind;

typedef struct ProcEnd {
    ProcEndKind kind;
    int code;
} ProcEnd;

/* Writing to a child that has ended becomes harmless, for the whole process. Call once, before
 * threads start. */
void proc_init(void);

/* Calls `handler` with the number of each signal that asks this process to end: SIGINT, SIGTERM,
 * and SIGHUP (the terminal was closed) unless it is ignored, as under nohup. */
void proc_catch_end(void (*handler)(int number));

/* Starts a child. Returns 0 and the new child in *out, or an errno value (see file_error_text). */
int proc_start(const ProcSpec *spec, Proc **out) MUST_CHECK;

/* Queues bytes for the child's stdin and writes what the pipe takes at once; the rest follows in
 * proc_wait. */
void proc_send(Proc *proc, StrView bytes);

/* Collects output of the `count` children (1 to PROC_WAIT_MAX) until one of them has a whole line
 * to give or has ended, or until clock_ns() reaches deadline_ns. A deadline in the past looks
 * without waiting. Lines of more than PROC_LINE_MAX bytes are thrown away. */
enum { PROC_WAIT_MAX = 8, PROC_LINE_MAX = 1 << 20 };
void proc_wait(Proc *const *procs, int count, int64_t deadline_ns);

/* The next collected line, without its LF or CR LF, valid until the next call for this child. */
bool proc_next_line(Proc *proc, StrView *line);

/* When the bytes that completed the latest given line were read, on clock_ns()'s scale. */
int64_t proc_line_ns(const Proc *proc);

/* True once the child has closed its stdout (as it does by ending) and all lines are given out. */
bool proc_has_ended(const Proc *proc);

/* Closes the child's stdin, waits up to grace_ms for its end while reading on, then kills it with
 * all of its group. Frees proc; afterwards nothing of the child is left. */
ProcEnd proc_stop(Proc *proc, int64_t grace_ms);

#endif
