/* proc_posix.c: child processes with fork and pipes, and TCP connections with sockets.
 *
 * All our pipe ends are close-on-exec, so a child never inherits the pipes of another child, even
 * if several threads start children at the same time. */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/xmem.h"

struct Proc {
    pid_t pid;     /* 0: a connection, not a process */
    int to_fd;     /* the child's stdin; -1 once closed */
    int from_fd;   /* the child's stdout; -1 after its end */
    StrBuf outbox; /* input that to_fd has not accepted yet, from `sent` on */
    size_t sent;
    LineBuf inbox;   /* lines longer than PROC_LINE_MAX are skipped */
    int64_t read_ns; /* see proc_line_ns */
};

void proc_init(void) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* exceeding a file size limit gives a write error instead */
    /* If the process was started without the standard descriptors, a pipe might become one of
     * them. */
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= 2);
    if (fd > 2) {
        close(fd);
    }
}

void proc_catch_end(void (*handler)(int number)) {
    signal(SIGINT, handler);
    signal(SIGTERM, handler);
    /* nohup starts programs with the signal ignored. */
    if (signal(SIGHUP, handler) == SIG_IGN) {
        signal(SIGHUP, SIG_IGN);
    }
}

static void close_fd(int *fd) {
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* Both ends close-on-exec. */
#if defined(__APPLE__)

/* macOS has no pipe2, so a child that another thread starts at this moment also inherits the
 * ends. */
static int open_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return errno;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

#else

static int open_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
}

#endif

/* Runs in the child after fork, so it makes only async-signal-safe calls. Executes the program, or
 * writes errno to report_fd. */
NORETURN static void run_child(const ProcSpec *spec, const char *path, const int fds[3],
                               int report_fd) {
    struct sigaction action;
    sigset_t none;
    memset(&action, 0, sizeof(action));
    action.sa_handler = SIG_DFL;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (dup2(fds[0], 0) >= 0 && dup2(fds[1], 1) >= 0 && dup2(fds[2], 2) >= 0 &&
        (spec->dir == NULL || chdir(spec->dir) == 0)) {
        execvp(path, (char *const *)(uintptr_t)spec->argv);
    }
    int error = errno;
    ssize_t written = write(report_fd, &error, sizeof(error));
    _exit(written == (ssize_t)sizeof(error) ? 127 : 126);
}

/* All pipes made to start a child, so that they can be closed together on failure. */
typedef struct Pipes {
    int in[2], out[2];
    int report[2], err;
} Pipes;

static void pipes_close(Pipes *pipes) {
    for (int i = 0; i < 2; i++) {
        close_fd(&pipes->in[i]);
        close_fd(&pipes->out[i]);
        close_fd(&pipes->report[i]);
    }
    close_fd(&pipes->err);
}

static int pipes_open(const ProcSpec *spec, Pipes *pipes) {
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}, -1};
    int error = open_pipe(pipes->in);
    error = error != 0 ? error : open_pipe(pipes->out);
    error = error != 0 ? error : open_pipe(pipes->report);
    if (error == 0) {
        const char *path = spec->stderr_path != NULL ? spec->stderr_path : "/dev/null";
        pipes->err = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        error = pipes->err >= 0 ? 0 : errno;
    }
    return error;
}

/* Forks. On success the child runs the program, and *pid is its process ID. */
static int spawn(const ProcSpec *spec, Pipes *pipes, pid_t *pid) {
    const char *name = spec->argv[0];
    char *absolute = strchr(name, '/') != NULL ? realpath(name, NULL) : NULL;
    const int fds[3] = {pipes->in[0], pipes->out[1], pipes->err};
    int error = 0;
    *pid = fork();
    if (*pid == 0) {
        run_child(spec, absolute != NULL ? absolute : name, fds, pipes->report[1]);
    }
    if (*pid < 0) {
        error = errno;
    } else {
        setpgid(*pid, *pid);
        close_fd(&pipes->report[1]);
        /* Read the report of run_child. If exec succeeded, it has closed the pipe. */
        ssize_t got;
        do {
            got = read(pipes->report[0], &error, sizeof(error));
        } while (got < 0 && errno == EINTR);
        error = got == (ssize_t)sizeof(error) ? error : 0;
        if (error != 0) {
            waitpid(*pid, NULL, 0);
        }
    }
    free(absolute);
    return error;
}

int proc_start(const ProcSpec *spec, Proc **out) {
    Pipes pipes;
    pid_t pid = -1;
    *out = NULL;
    int error = pipes_open(spec, &pipes);
    if (error == 0) {
        error = spawn(spec, &pipes, &pid);
    }
    if (error != 0) {
        pipes_close(&pipes);
        return error;
    }
    Proc *proc = xmem_calloc(1, sizeof(*proc));
    proc->inbox.most = PROC_LINE_MAX;
    proc->pid = pid;
    proc->to_fd = pipes.in[1];
    proc->from_fd = pipes.out[0];
    pipes.in[1] = -1;
    pipes.out[0] = -1;
    pipes_close(&pipes);
    fcntl(proc->to_fd, F_SETFL, O_NONBLOCK);
    fcntl(proc->from_fd, F_SETFL, O_NONBLOCK);
    *out = proc;
    return 0;
}

/* ---- Talking. ---- */

/* Writes as much of the outbox as the pipe accepts now. */
static void flush_outbox(Proc *proc) {
    while (proc->to_fd >= 0 && proc->sent < proc->outbox.len) {
        ssize_t written =
            write(proc->to_fd, proc->outbox.ptr + proc->sent, proc->outbox.len - proc->sent);
        if (written >= 0) {
            proc->sent += (size_t)written;
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR && proc->pid != 0) {
            close_fd(&proc->to_fd);
        } else if (errno != EINTR) {
            proc->to_fd = -1; /* read_output closes the connection */
        }
    }
    strbuf_clear(&proc->outbox);
    proc->sent = 0;
}

void proc_send(Proc *proc, StrView bytes) {
    strbuf_add(&proc->outbox, bytes);
    flush_outbox(proc);
}

/* Reads once from the child's stdout. No complete line may be waiting. */
static void read_output(Proc *proc) {
    enum { CHUNK = 1 << 14 };
    char *room = linebuf_room(&proc->inbox, CHUNK);
    ssize_t got = read(proc->from_fd, room, CHUNK);
    if (got > 0) {
        linebuf_filled(&proc->inbox, (size_t)got);
        proc->read_ns = clock_ns();
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_fd(&proc->from_fd);
        proc->to_fd = proc->pid != 0 ? proc->to_fd : -1;
    }
}

/* Milliseconds for poll, rounded up so that it does not wake too early; 0 if the deadline has
 * passed. */
static int poll_ms(int64_t deadline_ns) {
    int64_t left = deadline_ns - clock_ns();
    return left <= 0 ? 0 : (int)i64_min((left + 999999) / 1000000, 60000);
}

/* Polls all children once, and reads and writes as much as possible. */
static void poll_once(Proc *const *procs, int count, int timeout_ms) {
    struct pollfd fds[2 * PROC_WAIT_MAX];
    for (int i = 0; i < count; i++) {
        bool has_outbox = procs[i]->outbox.len > procs[i]->sent;
        fds[2 * i] = (struct pollfd){procs[i]->from_fd, POLLIN, 0};
        fds[2 * i + 1] = (struct pollfd){has_outbox ? procs[i]->to_fd : -1, POLLOUT, 0};
    }
    if (poll(fds, (nfds_t)(2 * count), timeout_ms) <= 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (fds[2 * i].revents != 0) {
            read_output(procs[i]);
        }
        if (fds[2 * i + 1].revents != 0) {
            flush_outbox(procs[i]);
        }
    }
}

void proc_wait(Proc *const *procs, int count, int64_t deadline_ns) {
    ASSERT(count >= 1 && count <= PROC_WAIT_MAX);
    int timeout_ms;
    do {
        for (int i = 0; i < count; i++) {
            if (linebuf_has_line(&procs[i]->inbox) || procs[i]->from_fd < 0) {
                return;
            }
        }
        timeout_ms = poll_ms(deadline_ns);
        poll_once(procs, count, timeout_ms);
        for (int i = 0; i < count; i++) {
            procs[i]->read_ns = i64_min(procs[i]->read_ns, deadline_ns);
        }
    } while (timeout_ms > 0);
}

bool proc_next_line(Proc *proc, StrView *line) {
    bool has_line;
    do {
        has_line = linebuf_next(&proc->inbox, line);
    } while (has_line && proc->inbox.is_cut);
    return has_line;
}

int64_t proc_line_ns(const Proc *proc) {
    return proc->read_ns;
}

bool proc_has_ended(const Proc *proc) {
    LineBuf look = proc->inbox; /* a copy, because looking for a line changes the buffer */
    return proc->from_fd < 0 && !linebuf_has_line(&look);
}

/* Waits for the end of the process and discards its output meanwhile. Returns true if it has ended.
 * The process is not reaped yet. */
static bool wait_for_end(Proc *proc, int64_t grace_ms) {
    int64_t deadline_ns = clock_ns() + grace_ms * 1000000;
    for (;;) {
        siginfo_t info;
        memset(&info, 0, sizeof(info));
        if (waitid(P_PID, (id_t)proc->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid == proc->pid) {
            return true;
        }
        int left_ms = int_min(poll_ms(deadline_ns), 10);
        if (left_ms == 0) {
            return false;
        }
        if (proc->from_fd >= 0) {
            StrView line;
            poll_once(&proc, 1, left_ms);
            while (proc_next_line(proc, &line)) {
            }
        } else {
            clock_sleep_ms(1);
        }
    }
}

ProcEnd proc_stop(Proc *proc, int64_t grace_ms) {
    ProcEnd end = {PROC_KILLED, 0};
    int status = 0;
    flush_outbox(proc);
    if (proc->pid == 0) { /* a connection, whose descriptors are the same */
        proc->to_fd = -1;
    } else {
        close_fd(&proc->to_fd);
        bool has_ended = wait_for_end(proc, grace_ms);
        kill(-proc->pid, SIGKILL); /* the whole group, because a wrapper script may have left other
                                      processes running */
        while (waitpid(proc->pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (has_ended && WIFEXITED(status)) {
            end = (ProcEnd){PROC_EXITED, WEXITSTATUS(status)};
        } else if (has_ended && WIFSIGNALED(status)) {
            end = (ProcEnd){PROC_SIGNALED, WTERMSIG(status)};
        }
    }
    close_fd(&proc->from_fd);
    strbuf_free(&proc->outbox);
    linebuf_free(&proc->inbox);
    free(proc);
    return end;
}

/* ---- Connections. ---- */

/* Connects to one of a host's addresses. Returns the descriptor, or -1 with errno. */
static int connect_to(const struct addrinfo *address, int64_t timeout_ms) {
    int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    int error = 0;
    socklen_t len = sizeof(error);
    if (fd < 0) {
        return -1;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
        return fd;
    }
    struct pollfd wait = {fd, POLLOUT, 0};
    if (errno != EINPROGRESS) {
        error = errno;
    } else if (poll(&wait, 1, (int)timeout_ms) <= 0) {
        error = ETIMEDOUT;
    } else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0) {
        error = errno;
    }
    if (error != 0) {
        close(fd);
        fd = -1;
        errno = error;
    }
    return fd;
}

/* Lets the system find out within minutes that the other side has vanished without a word. Probes
 * are only sent while nothing that we have sent is unanswered; the wait for an answer, which Linux
 * ends after a quarter of an hour by default, is limited too. */
#if defined(TCP_KEEPIDLE) && defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT) &&                     \
    defined(TCP_USER_TIMEOUT)

static void watch_connection(int fd) {
    const int on = 1, idle_s = 60, interval_s = 15, count = 4;
    const unsigned limit_ms = 120000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof(interval_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit_ms, sizeof(limit_ms));
}

#else

static void watch_connection(int fd) {
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
}

#endif

bool proc_connect(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                  StrBuf *error) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const int on = 1;
    struct addrinfo *found = NULL;
    int fd = -1;
    *out = NULL;
    int failure = getaddrinfo(host, port, &hints, &found);
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = connect_to(at, timeout_ms);
    }
    if (fd < 0) {
        strbuf_addf(error, "cannot connect to %s, port %s: %s", host, port,
                    failure != 0 ? gai_strerror(failure) : strerror(errno));
    } else {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* send lines at once */
        watch_connection(fd);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        *out = xmem_calloc(1, sizeof(Proc));
        (*out)->inbox.most = PROC_LINE_MAX;
        (*out)->to_fd = (*out)->from_fd = fd;
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    return fd >= 0;
}
