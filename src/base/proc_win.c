/* Children on Windows. Anonymous pipes cannot be waited for there, so each child has two threads of
 * ours: one moves what it says into the inbox, one what it is told out of the outbox. Both wait in
 * the system; proc_wait waits for the readers' event. A job object stands for the process group. */
#include "base/proc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/clock.h"
#include "base/xmem.h"

struct Proc {
    HANDLE process;
    HANDLE job;
    HANDLE to_child;   /* written by the writer thread only */
    HANDLE from_child; /* read by the reader thread only */
    HANDLE reader;
    HANDLE writer;
    HANDLE has_output; /* manual-reset event: the inbox has something new, or the child has ended */
    HANDLE has_input;  /* auto-reset event: the outbox has something new, or is_closing */
    CRITICAL_SECTION lock; /* guards all below but `line` */
    StrBuf inbox;          /* not given out yet */
    StrBuf outbox;         /* not written yet */
    int64_t read_ns;       /* time of the latest read */
    bool has_ended;        /* the child's stdout is closed */
    bool is_closing;       /* the writer shall close stdin when the outbox is empty */
    bool is_overlong;      /* inside a line that is thrown away */
    StrBuf line;           /* the line given out last */
    int64_t line_ns;
};

void proc_init(void) {
}

/* Windows reports errors in numbers of its own; those that a missing program gives are told apart.
 */
static int last_error(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_DIRECTORY:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
        return EACCES;
    case ERROR_BAD_EXE_FORMAT:
        return ENOEXEC;
    default:
        return EIO;
    }
}

static DWORD WINAPI run_reader(void *context) {
    enum { CHUNK = 1 << 14 };
    Proc *proc = context;
    char *chunk = xmem_alloc(CHUNK, 1);
    DWORD got = 0;
    while (ReadFile(proc->from_child, chunk, CHUNK, &got, NULL) && got > 0) {
        EnterCriticalSection(&proc->lock);
        strbuf_add_bytes(&proc->inbox, chunk, got);
        proc->read_ns = clock_ns();
        SetEvent(proc->has_output);
        LeaveCriticalSection(&proc->lock);
    }
    EnterCriticalSection(&proc->lock);
    proc->has_ended = true;
    SetEvent(proc->has_output);
    LeaveCriticalSection(&proc->lock);
    free(chunk);
    return 0;
}

/* Takes the outbox away to write it without the lock. False when there is nothing more to come. */
static bool take_outbox(Proc *proc, StrBuf *taken) {
    bool goes_on = true;
    EnterCriticalSection(&proc->lock);
    *taken = proc->outbox;
    proc->outbox = STRBUF_INIT;
    if (taken->len == 0 && proc->is_closing) {
        goes_on = false;
    }
    LeaveCriticalSection(&proc->lock);
    return goes_on;
}

static DWORD WINAPI run_writer(void *context) {
    Proc *proc = context;
    bool is_open = true;
    StrBuf taken;
    while (take_outbox(proc, &taken) && is_open) {
        size_t sent = 0;
        while (sent < taken.len && is_open) {
            DWORD written = 0;
            is_open = WriteFile(proc->to_child, taken.ptr + sent, (DWORD)(taken.len - sent),
                                &written, NULL);
            sent += written;
        }
        if (taken.len == 0) {
            WaitForSingleObject(proc->has_input, INFINITE);
        }
        strbuf_free(&taken);
    }
    strbuf_free(&taken);
    CloseHandle(proc->to_child);
    return 0;
}

/* Appends one argument as the C runtime of the child splits the command line again. */
static void add_argument(StrBuf *line, const char *text) {
    size_t slashes = 0;
    strbuf_add_str(line, line->len > 0 ? " \"" : "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            for (size_t i = 0; i <= slashes; i++) {
                strbuf_add_byte(line, '\\');
            }
        }
        slashes = *text == '\\' ? slashes + 1 : 0;
        strbuf_add_byte(line, *text);
    }
    for (size_t i = 0; i < slashes; i++) {
        strbuf_add_byte(line, '\\');
    }
    strbuf_add_byte(line, '"');
}

static HANDLE open_stderr(const ProcSpec *spec) {
    SECURITY_ATTRIBUTES inherit = {sizeof(inherit), NULL, TRUE};
    const char *path = spec->stderr_path != NULL ? spec->stderr_path : "NUL";
    return CreateFileA(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                       OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
}

static void close_handle(HANDLE handle) {
    if (handle != NULL && handle != INVALID_HANDLE_VALUE) {
        CloseHandle(handle);
    }
}

/* Starts the program with exactly these three handles inherited, whatever other threads do. */
static int create_process(const ProcSpec *spec, HANDLE handles[3], PROCESS_INFORMATION *info) {
    StrBuf command = STRBUF_INIT;
    SIZE_T size = 0;
    STARTUPINFOEXA startup;
    memset(&startup, 0, sizeof(startup));
    for (int i = 0; spec->argv[i] != NULL; i++) {
        add_argument(&command, spec->argv[i]);
    }
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    startup.lpAttributeList = xmem_alloc(size, 1);
    InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size);
    UpdateProcThreadAttribute(startup.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                              handles, 3 * sizeof(HANDLE), NULL, NULL);
    startup.StartupInfo.cb = sizeof(startup);
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = handles[0];
    startup.StartupInfo.hStdOutput = handles[1];
    startup.StartupInfo.hStdError = handles[2];
    DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP |
                  CREATE_SUSPENDED;
    bool is_good = CreateProcessA(NULL, command.ptr, NULL, NULL, TRUE, flags, NULL, spec->dir,
                                  &startup.StartupInfo, info);
    int error = is_good ? 0 : last_error();
    DeleteProcThreadAttributeList(startup.lpAttributeList);
    free(startup.lpAttributeList);
    strbuf_free(&command);
    return error;
}

/* Puts the new process into a job of its own, so that it can be ended with all it has started. */
static HANDLE start_job(const PROCESS_INFORMATION *info) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    HANDLE job = CreateJobObjectA(NULL, NULL);
    memset(&limits, 0, sizeof(limits));
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
    AssignProcessToJobObject(job, info->hProcess);
    ResumeThread(info->hThread);
    CloseHandle(info->hThread);
    return job;
}

int proc_start(const ProcSpec *spec, Proc **out) {
    SECURITY_ATTRIBUTES inherit = {sizeof(inherit), NULL, TRUE};
    HANDLE child[3] = {NULL, NULL, NULL};
    HANDLE to_child = NULL;
    HANDLE from_child = NULL;
    PROCESS_INFORMATION info;
    int error = 0;
    *out = NULL;
    child[2] = open_stderr(spec);
    if (child[2] == INVALID_HANDLE_VALUE || !CreatePipe(&child[0], &to_child, &inherit, 0) ||
        !CreatePipe(&from_child, &child[1], &inherit, 0)) {
        error = last_error();
    }
    if (error == 0) {
        SetHandleInformation(to_child, HANDLE_FLAG_INHERIT, 0);
        SetHandleInformation(from_child, HANDLE_FLAG_INHERIT, 0);
        error = create_process(spec, child, &info);
    }
    for (int i = 0; i < 3; i++) {
        close_handle(child[i]);
    }
    if (error != 0) {
        close_handle(to_child);
        close_handle(from_child);
        return error;
    }
    Proc *proc = xmem_calloc(1, sizeof(*proc));
    proc->process = info.hProcess;
    proc->job = start_job(&info);
    proc->to_child = to_child;
    proc->from_child = from_child;
    proc->has_output = CreateEventA(NULL, TRUE, FALSE, NULL);
    proc->has_input = CreateEventA(NULL, FALSE, FALSE, NULL);
    InitializeCriticalSection(&proc->lock);
    proc->reader = CreateThread(NULL, 0, run_reader, proc, 0, NULL);
    proc->writer = CreateThread(NULL, 0, run_writer, proc, 0, NULL);
    *out = proc;
    return 0;
}

void proc_send(Proc *proc, StrView bytes) {
    EnterCriticalSection(&proc->lock);
    strbuf_add(&proc->outbox, bytes);
    LeaveCriticalSection(&proc->lock);
    SetEvent(proc->has_input);
}

/* Throws an unfinished line away that has grown too long; the lock is held. */
static void limit_inbox(Proc *proc) {
    if (proc->inbox.len > PROC_LINE_MAX) {
        proc->is_overlong = true;
        strbuf_clear(&proc->inbox);
    }
}

/* True when there is a line or an end to see; else the event is reset, so that a wait for it ends
 * with the next news. */
static bool is_ready(Proc *proc) {
    EnterCriticalSection(&proc->lock);
    bool has_line = sv_find_byte(strbuf_view(&proc->inbox), '\n') < proc->inbox.len;
    bool is_good = has_line || proc->has_ended;
    if (!is_good) {
        limit_inbox(proc);
        ResetEvent(proc->has_output);
    }
    LeaveCriticalSection(&proc->lock);
    return is_good;
}

void proc_wait(Proc *const *procs, int count, int64_t deadline_ns) {
    HANDLE events[PROC_WAIT_MAX];
    ASSERT(count >= 1 && count <= PROC_WAIT_MAX);
    for (;;) {
        for (int i = 0; i < count; i++) {
            if (is_ready(procs[i])) {
                return;
            }
            events[i] = procs[i]->has_output;
        }
        int64_t left_ns = deadline_ns - clock_ns();
        if (left_ns <= 0) {
            return;
        }
        DWORD left_ms = (DWORD)i64_min((left_ns + 999999) / 1000000, 60000);
        WaitForMultipleObjects((DWORD)count, events, FALSE, left_ms);
    }
}

/* Moves the first line of the inbox to `line`. */
static bool take_line(Proc *proc) {
    EnterCriticalSection(&proc->lock);
    size_t len = sv_find_byte(strbuf_view(&proc->inbox), '\n');
    bool is_there = len < proc->inbox.len;
    if (is_there) {
        size_t rest = proc->inbox.len - len - 1;
        strbuf_clear(&proc->line);
        strbuf_add_bytes(&proc->line, proc->inbox.ptr, len);
        memmove(proc->inbox.ptr, proc->inbox.ptr + len + 1, rest);
        proc->inbox.len = rest;
        proc->line_ns = proc->read_ns;
    }
    LeaveCriticalSection(&proc->lock);
    return is_there;
}

bool proc_next_line(Proc *proc, StrView *line) {
    while (take_line(proc)) {
        *line = strbuf_view(&proc->line);
        if (sv_ends_with(*line, SV("\r"))) {
            line->len--;
        }
        if (!proc->is_overlong) {
            return true;
        }
        proc->is_overlong = false;
    }
    return false;
}

int64_t proc_line_ns(const Proc *proc) {
    return proc->line_ns;
}

bool proc_has_ended(const Proc *proc) {
    Proc *shared = (Proc *)(uintptr_t)proc; /* the lock is not part of what is constant */
    EnterCriticalSection(&shared->lock);
    bool has_line = sv_find_byte(strbuf_view(&proc->inbox), '\n') < proc->inbox.len;
    bool has_ended = proc->has_ended && !has_line;
    LeaveCriticalSection(&shared->lock);
    return has_ended;
}

ProcEnd proc_stop(Proc *proc, int64_t grace_ms) {
    ProcEnd end = {PROC_KILLED, 0};
    DWORD code = 0;
    EnterCriticalSection(&proc->lock);
    proc->is_closing = true;
    LeaveCriticalSection(&proc->lock);
    SetEvent(proc->has_input);
    if (WaitForSingleObject(proc->process, (DWORD)grace_ms) == WAIT_OBJECT_0 &&
        GetExitCodeProcess(proc->process, &code)) {
        end = (ProcEnd){PROC_EXITED, (int)code};
    }
    TerminateJobObject(proc->job, 1);
    /* With the child gone both pipes are broken, and both threads come to their end. */
    WaitForSingleObject(proc->reader, INFINITE);
    WaitForSingleObject(proc->writer, INFINITE);
    CloseHandle(proc->reader);
    CloseHandle(proc->writer);
    CloseHandle(proc->from_child);
    CloseHandle(proc->process);
    CloseHandle(proc->job);
    CloseHandle(proc->has_output);
    CloseHandle(proc->has_input);
    DeleteCriticalSection(&proc->lock);
    strbuf_free(&proc->inbox);
    strbuf_free(&proc->outbox);
    strbuf_free(&proc->line);
    free(proc);
    return end;
}
