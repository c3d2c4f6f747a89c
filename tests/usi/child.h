/* child.h: an engine program as a child process with pipes, for the tests of the protocol.
 * Single-threaded. */
#ifndef KMD_USI_CHILD_H
#define KMD_USI_CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "base/clock.h"
#include "base/str.h"

typedef struct Child {
    pid_t pid;
    int to;    /* its stdin; -1 once closed */
    int from;  /* its stdout */
    int error; /* its stderr */
    StrBuf buf;
    size_t next; /* index in `buf` of the next line */
    bool is_at_end;
} Child;

/* True if the build is fast: no sanitizer and no emulator. */
static bool child_is_quick(void) {
    const char *mode = getenv("KOMADORI_MODE");
    return mode == NULL || strcmp(mode, "release") == 0;
}

/* The number of programs that share a processor: 1 on a quiet machine, more on a busy machine. */
static int child_share(void) {
    double load;
    int share = 1;
    if (getloadavg(&load, 1) == 1) {
        share += (int)(load / (double)sysconf(_SC_NPROCESSORS_ONLN));
    }
    return share;
}

/* The factor by which times may exceed those of a quiet machine. If times do not count, it is so
 * large that only a hanging program is late. */
static int child_slowness(void) {
    return !unit_is_timed() ? 1000 : child_is_quick() ? child_share() : 10 * child_share();
}

/* The engine of this build; NULL if the test was not started by `make test`. */
static const char *child_program(void) {
    static char path[4096];
    const char *build = getenv("KOMADORI_BUILD");
    snprintf(path, sizeof(path), "%s/komadori", build != NULL ? build : "build/release-native");
    return access(path, X_OK) == 0 ? path : NULL;
}

/* Starts the engine. The environment variable KOMADORI_RUN names a program that runs programs for
 * another system or processor. */
static bool child_start(Child *child) {
    const char *runner = getenv("KOMADORI_RUN");
    int to[2];
    int from[2];
    int error[2];
    *child = (Child){.to = -1};
    if (child_program() == NULL || pipe(to) != 0 || pipe(from) != 0 || pipe(error) != 0) {
        return false;
    }
    signal(SIGPIPE, SIG_IGN);
    child->pid = fork();
    if (child->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        dup2(error[1], STDERR_FILENO);
        for (int fd = 3; fd < 64; fd++) {
            close(fd);
        }
        if (runner != NULL && runner[0] != '\0') {
            execlp(runner, runner, child_program(), (char *)NULL);
        } else {
            execl(child_program(), "komadori", (char *)NULL);
        }
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    close(error[1]);
    child->to = to[1];
    child->from = from[0];
    child->error = error[0];
    fcntl(child->from, F_SETFL, O_NONBLOCK);
    fcntl(child->error, F_SETFL, O_NONBLOCK);
    return child->pid > 0;
}

static void child_send(Child *child, StrView text) {
    while (text.len > 0) {
        ssize_t count = write(child->to, text.ptr, text.len);
        if (count < 0 && errno != EINTR) {
            return;
        }
        text = sv_skip(text, count > 0 ? (size_t)count : 0);
    }
}

static void child_close_input(Child *child) {
    if (child->to >= 0) {
        close(child->to);
        child->to = -1;
    }
}

/* Takes a complete line from the data received. */
static bool child_take_line(Child *child, StrView *line) {
    StrView rest = sv_skip(strbuf_view(&child->buf), child->next);
    size_t end = sv_find_byte(rest, '\n');
    if (end == rest.len) {
        return false;
    }
    *line = sv_prefix(rest, end);
    child->next += end + 1;
    return true;
}

/* The next line of output, waiting until `deadline` (clock_ms) at most. */
static bool child_next_line(Child *child, int64_t deadline, StrView *line) {
    for (;;) {
        if (child_take_line(child, line)) {
            return true;
        }
        int64_t left = deadline - clock_ms();
        struct pollfd wait = {.fd = child->from, .events = POLLIN};
        if (child->is_at_end || poll(&wait, 1, left > 0 ? (int)left : 0) <= 0) {
            return false;
        }
        if (child->next > 0) {
            memmove(child->buf.ptr, child->buf.ptr + child->next, child->buf.len - child->next);
            child->buf.len -= child->next;
            child->next = 0;
        }
        strbuf_reserve(&child->buf, 65536);
        ssize_t count = read(child->from, child->buf.ptr + child->buf.len, 65536);
        child->is_at_end = count == 0;
        child->buf.len += count > 0 ? (size_t)count : 0;
    }
}

/* Waits for the child to end. Returns its exit status, or -1 if it is still running or was
 * killed. */
static int child_wait(Child *child, int64_t ms) {
    int64_t deadline = clock_ms() + ms;
    for (;;) {
        int status;
        pid_t pid = waitpid(child->pid, &status, WNOHANG);
        if (pid == child->pid) {
            child->pid = 0;
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        if (clock_ms() >= deadline) {
            return -1;
        }
        clock_sleep_ms(1);
    }
}

/* True if the child has written nothing to stderr; otherwise prints what it has written. */
static bool child_was_silent(Child *child) {
    char text[4096];
    ssize_t count = read(child->error, text, sizeof(text) - 1);
    if (count > 0) {
        text[count] = '\0';
        printf("    on stderr: %s\n", text);
    }
    return count <= 0;
}

static void child_free(Child *child) {
    child_close_input(child);
    if (child->pid > 0) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    close(child->from);
    close(child->error);
    strbuf_free(&child->buf);
}

#endif
