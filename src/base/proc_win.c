/* proc_win.c: child processes with CreateProcess and named pipes, the only pipes of Windows that
 * can be read and written without blocking. Each child has at most one pending read and one pending
 * write.
 *
 * Each child has its own job object. Ending the job ends every process that the child has started,
 * and the system ends the job when our process ends. A child inherits only its three handles, even
 * if several threads start children at the same time. */
#include "base/proc.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>

#include <mstcpip.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/xmem.h"

enum { CHUNK = 1 << 14, PIPE_BYTES = 1 << 16, CRASH_STATUS = 0xC0 };

/* Our end of a pipe and its pending operation. */
typedef struct Channel {
    HANDLE pipe; /* NULL once closed */
    OVERLAPPED job;
    bool is_busy;
    bool is_socket; /* the pipe is a socket, which proc_free closes */
} Channel;

struct Proc {
    HANDLE process, group; /* NULL for a connection */
    SOCKET socket;         /* of a connection: the handle of both channels */
    Channel to;            /* the child's stdin */
    Channel from;          /* the child's stdout; closed once the child has ended */
    StrBuf outbox;         /* bytes that wait for the pending write */
    StrBuf outgoing;
    LineBuf inbox; /* lines longer than PROC_LINE_MAX are skipped */
    int64_t read_ns;
    char chunk[CHUNK];
};

/* The three handles that a child gets. */
typedef struct ChildHandles {
    HANDLE in, out, err;
} ChildHandles;

/* Does nothing: on Windows, writing to a pipe without a reader returns an error and sends no
 * signal. */
void proc_init(void) {
}

void proc_catch_end(void (*handler)(int number)) {
    signal(SIGINT, handler);
    signal(SIGTERM, handler);
}

static int errno_of(DWORD error) {
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return ENOENT;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_ACCESS_DENIED:
        return EACCES;
    case ERROR_BAD_EXE_FORMAT:
        return ENOEXEC;
    default:
        return EIO;
    }
}

static void close_handle(HANDLE *handle) {
    if (*handle != NULL && *handle != INVALID_HANDLE_VALUE) {
        CloseHandle(*handle);
    }
    *handle = NULL;
}

/* ---- Pipes. ---- */

/* Creates a pipe; `access` is the access that our end has. The name contains the address of the
 * Channel, so it is unique as long as the Channel is not moved. */
static int channel_open(Channel *channel, DWORD access, HANDLE *child_end) {
    StrBuf name = STRBUF_INIT;
    SECURITY_ATTRIBUTES inherited = {sizeof(inherited), NULL, TRUE};
    strbuf_addf(&name, "\\\\.\\pipe\\komadori-%lu-%p", (unsigned long)GetCurrentProcessId(),
                (void *)channel);
    channel->job.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
    channel->pipe =
        CreateNamedPipeA(name.ptr, access | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                         PIPE_TYPE_BYTE | PIPE_WAIT, 1, PIPE_BYTES, PIPE_BYTES, 0, NULL);
    *child_end = CreateFileA(name.ptr, access == PIPE_ACCESS_INBOUND ? GENERIC_WRITE : GENERIC_READ,
                             0, &inherited, OPEN_EXISTING, 0, NULL);
    bool is_good = channel->job.hEvent != NULL && channel->pipe != INVALID_HANDLE_VALUE &&
                   *child_end != INVALID_HANDLE_VALUE;
    int error = is_good ? 0 : errno_of(GetLastError());
    strbuf_free(&name);
    return error;
}

/* Closes a channel and cancels its pending operation. */
static void channel_close(Channel *channel) {
    DWORD count;
    if (channel->is_busy) {
        CancelIoEx(channel->pipe, &channel->job);
        GetOverlappedResult(channel->pipe, &channel->job, &count, TRUE);
        channel->is_busy = false;
    }
    if (channel->is_socket) {
        channel->pipe = NULL;
    }
    close_handle(&channel->pipe);
}

/* Collects the result of the pending operation. Returns false while it is still pending. Closes the
 * channel if the other end is gone. A result of 0 bytes does not mean that: the other side may have
 * written 0 bytes. */
static bool channel_collect(Channel *channel, DWORD *count) {
    if (GetOverlappedResult(channel->pipe, &channel->job, count, FALSE)) {
        channel->is_busy = false;
        return true;
    }
    if (GetLastError() == ERROR_IO_INCOMPLETE) {
        return false;
    }
    *count = 0;
    channel->is_busy = false;
    channel_close(channel);
    return true;
}

/* Called after a read or write was started: it has completed or is pending; otherwise the other end
 * is closed. */
static void channel_begun(Channel *channel, BOOL is_done) {
    channel->is_busy = is_done || GetLastError() == ERROR_IO_PENDING;
    if (!channel->is_busy) {
        channel_close(channel);
    }
}

/* ---- Starting. ---- */

/* Appends one argument in the form that the child's C library expects: in quotes, with backslashes
 * doubled if a quote follows. */
static void add_argument(StrBuf *line, const char *argument) {
    size_t backslashes = 0;
    strbuf_add_str(line, line->len > 0 ? " \"" : "\"");
    for (const char *c = argument; *c != '\0'; c++) {
        for (; *c == '"' && backslashes > 0; backslashes--) {
            strbuf_add_byte(line, '\\');
        }
        if (*c == '"') {
            strbuf_add_byte(line, '\\');
        }
        backslashes = *c == '\\' ? backslashes + 1 : 0;
        strbuf_add_byte(line, *c);
    }
    for (; backslashes > 0; backslashes--) {
        strbuf_add_byte(line, '\\');
    }
    strbuf_add_byte(line, '"');
}

/* Appends the program. If its name contains a folder, it is relative to our working directory, not
 * to the child's. */
static void add_program(StrBuf *line, const char *program) {
    char path[MAX_PATH];
    bool has_folder = strpbrk(program, "/\\") != NULL;
    DWORD len = has_folder ? GetFullPathNameA(program, sizeof(path), path, NULL) : 0;
    add_argument(line, len > 0 && len < sizeof(path) ? path : program);
}

static HANDLE open_stderr(const char *path) {
    SECURITY_ATTRIBUTES inherited = {sizeof(inherited), NULL, TRUE};
    return CreateFileA(path != NULL ? path : "NUL", FILE_APPEND_DATA | SYNCHRONIZE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited,
                       OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* Starts the program suspended; it inherits only the handles of `list`. */
static int create_process(const ProcSpec *spec, char *line, STARTUPINFOEXA *startup,
                          PROCESS_INFORMATION *started) {
    DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | CREATE_SUSPENDED;
    bool is_good = CreateProcessA(NULL, line, NULL, NULL, TRUE, flags, NULL, spec->dir,
                                  &startup->StartupInfo, started);
    return is_good ? 0 : errno_of(GetLastError());
}

/* Calls create_process with the list of handles that the child inherits. */
static int create_with_handles(const ProcSpec *spec, ChildHandles *handles,
                               PROCESS_INFORMATION *started) {
    StrBuf line = STRBUF_INIT;
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    STARTUPINFOEXA startup = {.lpAttributeList = xmem_calloc(1, size)};
    startup.StartupInfo = (STARTUPINFOA){.cb = sizeof(startup),
                                         .dwFlags = STARTF_USESTDHANDLES,
                                         .hStdInput = handles->in,
                                         .hStdOutput = handles->out,
                                         .hStdError = handles->err};
    add_program(&line, spec->argv[0]);
    for (int i = 1; spec->argv[i] != NULL; i++) {
        add_argument(&line, spec->argv[i]);
    }
    int error = EIO;
    if (InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size)) {
        if (UpdateProcThreadAttribute(startup.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                      handles, sizeof(*handles), NULL, NULL)) {
            error = create_process(spec, line.ptr, &startup, started);
        }
        DeleteProcThreadAttributeList(startup.lpAttributeList);
    }
    free(startup.lpAttributeList);
    strbuf_free(&line);
    return error;
}

/* Creates the job object of a child. The job ends when its last handle is closed, and only we have
 * one. */
static HANDLE create_group(HANDLE process) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    memset(&limits, 0, sizeof(limits));
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    HANDLE group = CreateJobObjectA(NULL, NULL);
    if (group != NULL) {
        SetInformationJobObject(group, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
        AssignProcessToJobObject(group, process);
    }
    return group;
}

static int spawn(Proc *proc, const ProcSpec *spec) {
    ChildHandles handles = {NULL, NULL, NULL};
    PROCESS_INFORMATION started;
    int error = channel_open(&proc->to, PIPE_ACCESS_OUTBOUND, &handles.in);
    if (error == 0) {
        error = channel_open(&proc->from, PIPE_ACCESS_INBOUND, &handles.out);
    }
    if (error == 0) {
        handles.err = open_stderr(spec->stderr_path);
        error = handles.err != INVALID_HANDLE_VALUE ? 0 : errno_of(GetLastError());
    }
    if (error == 0) {
        error = create_with_handles(spec, &handles, &started);
    }
    if (error == 0) {
        proc->process = started.hProcess;
        proc->group = create_group(started.hProcess);
        ResumeThread(started.hThread);
        CloseHandle(started.hThread);
    }
    close_handle(&handles.in);
    close_handle(&handles.out);
    close_handle(&handles.err);
    return error;
}

static void proc_free(Proc *proc) {
    channel_close(&proc->to);
    channel_close(&proc->from);
    close_handle(&proc->to.job.hEvent);
    close_handle(&proc->from.job.hEvent);
    close_handle(&proc->process);
    close_handle(&proc->group);
    if (proc->from.is_socket) {
        closesocket(proc->socket);
    }
    strbuf_free(&proc->outbox);
    strbuf_free(&proc->outgoing);
    linebuf_free(&proc->inbox);
    free(proc);
}

int proc_start(const ProcSpec *spec, Proc **out) {
    Proc *proc = xmem_calloc(1, sizeof(*proc));
    proc->inbox.most = PROC_LINE_MAX;
    int error = spawn(proc, spec);
    *out = error == 0 ? proc : NULL;
    if (error != 0) {
        proc_free(proc);
    }
    return error;
}

/* ---- Connections: an overlapped socket is read and written like a pipe. ---- */

static Proc *proc_of_socket(SOCKET socket) {
    Proc *proc = xmem_calloc(1, sizeof(*proc));
    proc->inbox.most = PROC_LINE_MAX;
    proc->socket = socket;
    proc->to.pipe = proc->from.pipe = (HANDLE)socket;
    proc->to.is_socket = proc->from.is_socket = true;
    proc->to.job.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
    proc->from.job.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
    return proc;
}

/* ---- Talking. ---- */

/* Continues to write as long as the pipe accepts the bytes at once. */
static void pump_out(Proc *proc) {
    DWORD count;
    while (proc->to.pipe != NULL) {
        if (proc->to.is_busy) {
            if (!channel_collect(&proc->to, &count)) {
                return;
            }
            if (proc->to.pipe == NULL) {
                return;
            }
        }
        if (proc->outbox.len == 0) {
            return;
        }
        StrBuf done = proc->outgoing;
        proc->outgoing = proc->outbox;
        proc->outbox = done;
        strbuf_clear(&proc->outbox);
        channel_begun(&proc->to, WriteFile(proc->to.pipe, proc->outgoing.ptr,
                                           (DWORD)proc->outgoing.len, NULL, &proc->to.job));
    }
}

void proc_send(Proc *proc, StrView bytes) {
    strbuf_add(&proc->outbox, bytes);
    pump_out(proc);
}

/* Continues to read until no more bytes are available or a complete line has been read. */
static void pump_in(Proc *proc) {
    DWORD count;
    while (proc->from.pipe != NULL && !linebuf_has_line(&proc->inbox)) {
        if (!proc->from.is_busy) {
            channel_begun(&proc->from,
                          ReadFile(proc->from.pipe, proc->chunk, CHUNK, NULL, &proc->from.job));
        }
        if (!proc->from.is_busy || !channel_collect(&proc->from, &count)) {
            return;
        }
        if (proc->from.pipe == NULL) {
            return;
        }
        if (count == 0 && proc->from.is_socket) {
            channel_close(&proc->from); /* the server has closed the connection */
            return;
        }
        proc->read_ns = clock_ns();
        memcpy(linebuf_room(&proc->inbox, count), proc->chunk, count);
        linebuf_filled(&proc->inbox, count);
    }
}

static bool is_ready(Proc *proc) {
    return linebuf_has_line(&proc->inbox) || proc->from.pipe == NULL;
}

/* The number of milliseconds until the deadline, rounded up so that the wait does not end too
 * early; 0 if the deadline has passed. */
static DWORD wait_ms(int64_t deadline_ns) {
    int64_t left = deadline_ns - clock_ns();
    return left <= 0 ? 0 : (DWORD)i64_min((left + 999999) / 1000000, 60000);
}

/* Waits until a pending operation of one of the children has ended. */
static void wait_for_any(Proc *const *procs, int count, HANDLE other, DWORD timeout_ms) {
    HANDLE events[2 * PROC_WAIT_MAX + 1];
    DWORD used = 0;
    for (int i = 0; i < count; i++) {
        if (procs[i]->from.is_busy) {
            events[used++] = procs[i]->from.job.hEvent;
        }
        if (procs[i]->to.is_busy) {
            events[used++] = procs[i]->to.job.hEvent;
        }
    }
    if (other != NULL) {
        events[used++] = other;
    }
    if (used > 0) {
        WaitForMultipleObjects(used, events, FALSE, timeout_ms);
    }
}

void proc_wait(Proc *const *procs, int count, int64_t deadline_ns) {
    ASSERT(count >= 1 && count <= PROC_WAIT_MAX);
    for (;;) {
        bool has_ready = false;
        for (int i = 0; i < count; i++) {
            pump_out(procs[i]);
            pump_in(procs[i]);
            procs[i]->read_ns = i64_min(procs[i]->read_ns, deadline_ns);
            has_ready |= is_ready(procs[i]);
        }
        DWORD timeout_ms = wait_ms(deadline_ns);
        if (has_ready || timeout_ms == 0) {
            return;
        }
        wait_for_any(procs, count, NULL, timeout_ms);
    }
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
    return proc->from.pipe == NULL && !linebuf_has_line(&look);
}

/* ---- Ending. ---- */

/* Writes the remaining input and discards output until the process has ended. Closes the child's
 * stdin as soon as no input is left. */
static bool wait_for_end(Proc *proc, int64_t grace_ms) {
    int64_t deadline_ns = clock_ns() + grace_ms * 1000000;
    for (;;) {
        StrView line;
        pump_out(proc);
        if (proc->outbox.len == 0 && !proc->to.is_busy) {
            channel_close(&proc->to);
        }
        pump_in(proc);
        while (proc_next_line(proc, &line)) {
            pump_in(proc);
        }
        if (WaitForSingleObject(proc->process, 0) == WAIT_OBJECT_0) {
            return true;
        }
        DWORD timeout_ms = wait_ms(deadline_ns);
        if (timeout_ms == 0) {
            return false;
        }
        wait_for_any(&proc, 1, proc->process, timeout_ms);
    }
}

ProcEnd proc_stop(Proc *proc, int64_t grace_ms) {
    ProcEnd end = {PROC_KILLED, 0};
    DWORD status = 0;
    if (proc->from.is_socket) {
        pump_out(proc);
        proc_free(proc);
        return end;
    }
    bool has_ended = wait_for_end(proc, grace_ms);
    if (has_ended && GetExitCodeProcess(proc->process, &status)) {
        /* Report an unhandled exception in the same way as a signal on other systems. */
        bool is_crash = status >> 24 == CRASH_STATUS;
        end = (ProcEnd){is_crash ? PROC_SIGNALED : PROC_EXITED, (int)status};
    }
    if (!has_ended) {
        TerminateProcess(proc->process, 1);
    }
    if (proc->group != NULL) {
        TerminateJobObject(proc->group, 1);
    }
    WaitForSingleObject(proc->process, INFINITE);
    proc_free(proc);
    return end;
}

/* ---- Connections. ---- */

/* Connects to one of a host's addresses. Returns INVALID_SOCKET on failure. */
static SOCKET connect_to(const struct addrinfo *address, int64_t timeout_ms) {
    SOCKET to = WSASocketW(address->ai_family, address->ai_socktype, address->ai_protocol, NULL, 0,
                           WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    u_long does_wait = 0, no_wait = 1;
    const int on = 1;
    if (to == INVALID_SOCKET) {
        return to;
    }
    ioctlsocket(to, (long)FIONBIO, &no_wait);
    bool is_good = connect(to, address->ai_addr, (int)address->ai_addrlen) == 0;
    if (!is_good && WSAGetLastError() == WSAEWOULDBLOCK) {
        fd_set writable, failed;
        struct timeval limit = {(long)(timeout_ms / 1000), (long)(timeout_ms % 1000 * 1000)};
        FD_ZERO(&writable);
        FD_ZERO(&failed);
        FD_SET(to, &writable);
        FD_SET(to, &failed);
        is_good = select(0, NULL, &writable, &failed, &limit) > 0 && FD_ISSET(to, &writable);
    }
    if (!is_good) {
        closesocket(to);
        return INVALID_SOCKET;
    }
    ioctlsocket(to, (long)FIONBIO, &does_wait);
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof(on));
    /* Lets the system find out within minutes that the other side has vanished without a word. */
    struct tcp_keepalive keep = {.onoff = 1, .keepalivetime = 60000, .keepaliveinterval = 15000};
    DWORD got = 0;
    if (WSAIoctl(to, SIO_KEEPALIVE_VALS, &keep, sizeof(keep), NULL, 0, &got, NULL, NULL) != 0) {
        setsockopt(to, SOL_SOCKET, SO_KEEPALIVE, (const char *)&on, sizeof(on));
    }
    return to;
}

bool proc_connect(const char *host, const char *port, int64_t timeout_ms, Proc **out,
                  StrBuf *error) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    SOCKET to = INVALID_SOCKET;
    WSADATA data;
    *out = NULL;
    bool is_good = WSAStartup(MAKEWORD(2, 2), &data) == 0;
    bool is_known = is_good && getaddrinfo(host, port, &hints, &found) == 0;
    for (const struct addrinfo *at = found; at != NULL && to == INVALID_SOCKET; at = at->ai_next) {
        to = connect_to(at, timeout_ms);
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    if (to == INVALID_SOCKET) {
        strbuf_addf(error, "cannot connect to %s, port %s: %s", host, port,
                    is_known ? "no answer" : "unknown host");
        return false;
    }
    *out = proc_of_socket(to);
    return true;
}
