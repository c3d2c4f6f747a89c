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
    const char *const
        *argv; /* ends with NULL; a relative path in argv[0] is relative to our working directory */
    const char *dir;         /* working directory; NULL: ours */
    const char *stderr_path; /* file to which stderr is appended; NULL: discarded */
} ProcSpec;

/* How a child ended. */
typedef enum ProcEndKind {
    PROC_EXITED,   /* by itself; code is the exit status */
    PROC_SIGNALED, /* by a signal that we did not send; code is its number */
    PROC_KILLED    /* by proc_stop, because it was still running */
} ProcEndKind;

typedef struct ProcEnd {
    ProcEndKind kind;
    int code;
} ProcEnd;

/* Makes writing to a child that has ended harmless, for the whole process. Call it once, before
 * threads start. */
void proc_init(void);

/* Calls `handler` with the number of each signal that asks this process to end: SIGINT, SIGTERM,
 * and SIGHUP (the terminal was closed), unless the latter is ignored, as under nohup. */
void proc_catch_end(void (*handler)(int number));

/* Starts a child. Returns 0 and the new child in *out, or an errno value (see file_error_text). */
int proc_start(const ProcSpec *spec, Proc **out) MUST_CHECK;

/* Queues bytes for the child's stdin and writes as much as the pipe accepts at once; the rest
 * follows in proc_wait. */
void proc_send(Proc *proc, StrView bytes);

/* Collects output of the `count` children (1 to PROC_WAIT_MAX) until one of them has a complete
 * line or has ended, or until clock_ns() reaches deadline_ns. With a deadline in the past it
 * returns at once. Lines of more than PROC_LINE_MAX bytes are discarded. */
enum { PROC_WAIT_MAX = 8, PROC_LINE_MAX = 1 << 20 };
void proc_wait(Proc *const *procs, int count, int64_t deadline_ns);

/* The next collected line, without its LF or CR LF; valid until the next call for this child. */
bool proc_next_line(Proc *proc, StrView *line);

/* When the bytes that completed the line returned last were read, by clock_ns(). */
int64_t proc_line_ns(const Proc *proc);

/* True once the child has closed its stdout (also by ending) and all lines have been returned. */
bool proc_has_ended(const Proc *proc);

/* Closes the child's stdin, waits up to grace_ms for its end while reading on, then kills its whole
 * group. Frees proc; afterwards nothing of the child is left. */
ProcEnd proc_stop(Proc *proc, int64_t grace_ms);

#endif
