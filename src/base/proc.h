/* proc.h: child processes that communicate in lines through pipes, and TCP connections, which are
 * used in the same way.
 *
 * Only proc_wait and proc_stop block, and only as long as the caller allows. No child can block its
 * parent: input that a child does not read is queued, its output is collected during waits, and its
 * stderr goes to a file or is discarded. Each child has its own process group, so Ctrl-C at the
 * terminal reaches only the parent. A Proc belongs to one thread; different threads may use
 * different Procs at the same time.
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
    const char *const *argv; /* ends with NULL; a relative path in argv[0] is relative to the
                                parent's working directory */
    const char *dir;         /* working directory; NULL: the parent's */
    const char *stderr_path; /* file to which stderr is appended; NULL: discarded */
} ProcSpec;

/* How a child ended. */
typedef enum ProcEndKind {
    PROC_EXITED,   /* ended by itself; `code` is the exit status */
    PROC_SIGNALED, /* ended by a signal that we did not send; `code` is its number */
    PROC_KILLED    /* killed by proc_stop, because it was still running */
} ProcEndKind;

typedef struct ProcEnd {
    ProcEndKind kind;
    int code;
} ProcEnd;

/* Makes it harmless, for the whole process, to write to a child that has ended. Call it once,
 * before threads start. */
void proc_init(void);

/* Installs a handler for the signals that ask this process to end: SIGINT, SIGTERM and SIGHUP (the
 * terminal was closed). `handler` receives the signal's number. SIGHUP stays ignored if it was, as
 * under nohup. */
void proc_catch_end(void (*handler)(int number));

/* Starts a child. Returns 0 with the new child in *out, or an errno value (see file_error_text). */
int proc_start(const ProcSpec *spec, Proc **out) MUST_CHECK;

/* Connects to a server by TCP: a Proc without a process. proc_send writes to the server, and
 * proc_has_ended is true once the connection is lost. Waits for at most timeout_ms for each of the
 * host's addresses. On failure returns false with the reason, which names host and port, appended
 * to *error. */
bool proc_connect(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                  StrBuf *error) MUST_CHECK;

/* Queues bytes for the child's stdin and writes as many as the pipe accepts now. proc_wait writes
 * the rest. */
void proc_send(Proc *proc, StrView bytes);

/* Collects the output of `count` children (1 to PROC_WAIT_MAX) until one of them has produced a
 * complete line or has ended, or until clock_ns() reaches deadline_ns. Returns at once if the
 * deadline is in the past. Lines of more than PROC_LINE_MAX bytes are discarded. */
enum { PROC_WAIT_MAX = 8, PROC_LINE_MAX = 1 << 20 };
void proc_wait(Proc *const *procs, int count, int64_t deadline_ns);

/* The next collected line, without its LF or CR LF. The line is valid until the next call for this
 * child. */
bool proc_next_line(Proc *proc, StrView *line);

/* The time (clock_ns) at which the line that was returned last became complete, or the deadline of
 * the proc_wait that found it if that is earlier: if this process was suspended or had no processor
 * meanwhile, nobody knows when the line came, and the child is not charged for our delay. */
int64_t proc_line_ns(const Proc *proc);

/* True once the child has ended or closed its stdout, and all its lines have been returned. */
bool proc_has_ended(const Proc *proc);

/* Closes the child's stdin and waits up to grace_ms for it to end, still reading its output. Then
 * kills its whole process group and frees proc. Afterwards no part of the child is still
 * running. A connection is closed at once. */
ProcEnd proc_stop(Proc *proc, int64_t grace_ms);

#endif
