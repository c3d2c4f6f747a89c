/* Tests of proc.h with small programs that every POSIX system has. */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "unit.h"

#define SECOND 1000000000

static Proc *start_shell(const char *script) {
    const char *argv[] = {"sh", "-c", script, NULL};
    ProcSpec spec = {argv, NULL, NULL};
    Proc *proc = NULL;
    CHECK_INT(proc_start(&spec, &proc), 0);
    return proc;
}

/* The next line within ten seconds. */
static bool wait_line(Proc *proc, StrView *line) {
    int64_t deadline_ns = clock_ns() + unit_patience_ms(10000) * 1000000;
    while (!proc_next_line(proc, line)) {
        if (proc_has_ended(proc) || clock_ns() > deadline_ns) {
            return false;
        }
        proc_wait(&proc, 1, deadline_ns);
    }
    return true;
}

static void check_line(Proc *proc, const char *want) {
    StrView line = {NULL, 0};
    CHECK(wait_line(proc, &line) && sv_equal(line, sv_from(want)));
}

static void check_end(Proc *proc, int64_t grace_ms, ProcEndKind kind, int code) {
    ProcEnd end = proc_stop(proc, grace_ms);
    CHECK_INT(end.kind, kind);
    CHECK_INT(end.code, code);
}

/* The number of open descriptors. */
static int count_fds(void) {
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        count += fcntl(fd, F_GETFD) != -1;
    }
    return count;
}

static void test_talk(void) {
    int before = count_fds();
    Proc *proc = start_shell("while read line; do echo \"<$line>\"; done; exit 7");
    int64_t sent_ns = clock_ns();
    proc_send(proc, SV("one\ntwo\n"));
    check_line(proc, "<one>");
    CHECK(proc_line_ns(proc) >= sent_ns && proc_line_ns(proc) <= clock_ns());
    check_line(proc, "<two>");
    proc_send(proc, SV("thr"));
    proc_send(proc, SV("ee\n"));
    check_line(proc, "<three>");
    CHECK(!proc_has_ended(proc));
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 7);
    CHECK_INT(count_fds(), before);
}

static void test_lines(void) {
    Proc *proc = start_shell("printf 'a\\r\\n\\nb'; read go; printf 'c\\nrest'");
    check_line(proc, "a");
    check_line(proc, "");
    proc_send(proc, SV("go\n"));
    check_line(proc, "bc");
    StrView line;
    CHECK(!wait_line(proc, &line)); /* output without a line end is not a line */
    CHECK(proc_has_ended(proc));
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
}

static void test_overlong(void) {
    Proc *proc = start_shell("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo after");
    check_line(proc, "after");
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
}

/* A child that does not read must not block its parent, and gets all input when it reads. */
static void test_slow_reader(void) {
    char path[64], script[160];
    snprintf(path, sizeof(path), "/tmp/komadori-proc-%ld", (long)getpid());
    remove(path);
    snprintf(script, sizeof(script),
             "until [ -e %s ]; do sleep 0.01; done; [ $(head -c 1000000 | wc -c) -eq 1000000 ] && "
             "echo all",
             path);
    Proc *proc = start_shell(script);
    StrBuf block = STRBUF_INIT;
    for (int i = 0; i < 10000; i++) {
        strbuf_add_str(&block, "0123456789");
    }
    int64_t start_ns = clock_ns();
    for (int i = 0; i < 10; i++) {
        proc_send(proc, strbuf_view(&block));
    }
    CHECK_TIMELY(clock_ns() - start_ns < SECOND);
    CHECK_INT(file_write(path, "", 0), 0); /* the child reads from now on */
    check_line(proc, "all");
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
    remove(path);
    strbuf_free(&block);
}

static void test_deadline(void) {
    Proc *proc = start_shell("sleep 30");
    int64_t start_ns = clock_ns();
    proc_wait(&proc, 1, start_ns + SECOND / 10);
    int64_t waited_ns = clock_ns() - start_ns;
    CHECK(waited_ns >= SECOND / 10);
    CHECK_TIMELY(waited_ns < SECOND * 2);
    start_ns = clock_ns();
    proc_wait(&proc, 1, 0);
    CHECK_TIMELY(clock_ns() - start_ns < SECOND / 10);
    check_end(proc, 50, PROC_KILLED, 0);
}

static void test_ends(void) {
    StrView line;
    Proc *proc = start_shell("kill -TERM $$");
    CHECK(!wait_line(proc, &line) && proc_has_ended(proc));
    check_end(proc, unit_patience_ms(5000), PROC_SIGNALED, SIGTERM);
    proc = start_shell("exit 3");
    CHECK(!wait_line(proc, &line));
    proc_send(proc, SV("to nobody\n")); /* must be harmless */
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 3);
    proc = start_shell("trap '' TERM; while :; do sleep 1; done");
    check_end(proc, 0, PROC_KILLED, 0);
}

/* The group is killed with its leader. */
static void test_grandchild(void) {
    Proc *proc = start_shell("sleep 60 >/dev/null & echo $!; exit 0");
    StrView line = {NULL, 0};
    int64_t pid = 0;
    CHECK(wait_line(proc, &line) && sv_to_i64(line, 2, INT32_MAX, &pid));
    CHECK_INT(kill((pid_t)pid, 0), 0);
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
    bool is_gone = false;
    for (int i = 0; i < 200 && !is_gone; i++) {
        char path[64];
        StrBuf stat = STRBUF_INIT;
        snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
        /* The process has ended, or is a zombie that another process will reap. */
        is_gone = kill((pid_t)pid, 0) != 0 || (file_read(path, &stat) == 0 &&
                                               sv_find(strbuf_view(&stat), SV(") Z")) < stat.len);
        strbuf_free(&stat);
        clock_sleep_ms(is_gone ? 0 : 10);
    }
    CHECK(is_gone);
}

static void test_start(void) {
    const char *argv[] = {"/no/such/program", NULL};
    ProcSpec spec = {argv, NULL, NULL};
    Proc *proc = NULL;
    int before = count_fds();
    CHECK_INT(proc_start(&spec, &proc), ENOENT);
    CHECK(proc == NULL);
    const char *pwd[] = {"pwd", NULL};
    spec = (ProcSpec){pwd, "/no/such/directory", NULL};
    CHECK_INT(proc_start(&spec, &proc), ENOENT);
    spec.dir = "/";
    CHECK_INT(proc_start(&spec, &proc), 0);
    check_line(proc, "/");
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
    CHECK_INT(count_fds(), before);
}

static void test_stderr(void) {
    char path[64];
    StrBuf text = STRBUF_INIT;
    snprintf(path, sizeof(path), "/tmp/komadori-stderr-%ld", (long)getpid());
    const char *argv[] = {"sh", "-c", "echo heard >&2; echo said", NULL};
    ProcSpec spec = {argv, NULL, path};
    for (int i = 0; i < 2; i++) {
        Proc *proc = NULL;
        CHECK_INT(proc_start(&spec, &proc), 0);
        check_line(proc, "said");
        check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
    }
    CHECK_INT(file_read(path, &text), 0);
    CHECK_STR(text.ptr, "heard\nheard\n");
    strbuf_free(&text);
    remove(path);
}

static void test_two(void) {
    Proc *procs[2] = {start_shell("sleep 30"), start_shell("read go; echo here")};
    int64_t start_ns = clock_ns();
    proc_send(procs[1], SV("go\n"));
    proc_wait(procs, 2, start_ns + 10 * (int64_t)SECOND);
    CHECK_TIMELY(clock_ns() - start_ns < 5 * (int64_t)SECOND);
    check_line(procs[1], "here");
    check_end(procs[0], 0, PROC_KILLED, 0);
    check_end(procs[1], unit_patience_ms(5000), PROC_EXITED, 0);
}

/* A line that comes while this process is stopped counts as if it had come before the deadline of
 * the wait, however long the stop lasts. */
static void test_stopped_reader(void) {
    Proc *proc = start_shell("read line; kill -STOP $PPID; echo done; sleep 0.5; kill -CONT $PPID");
    StrView line = {NULL, 0};
    int64_t deadline_ns;
    proc_send(proc, SV("go\n"));
    do {
        deadline_ns = clock_ns() + SECOND / 5;
        proc_wait(&proc, 1, deadline_ns);
    } while (!proc_next_line(proc, &line) && !proc_has_ended(proc));
    CHECK(sv_equal(line, SV("done")));
    CHECK(proc_line_ns(proc) <= deadline_ns);
    check_end(proc, unit_patience_ms(5000), PROC_EXITED, 0);
}

int main(int argc, char **argv) {
    static const UnitTest tests[] = {
        {"talk in lines", test_talk},
        {"line ends", test_lines},
        {"a line without end is thrown away", test_overlong},
        {"a child that does not read", test_slow_reader},
        {"waiting ends in time", test_deadline},
        {"how children end", test_ends},
        {"a child's child", test_grandchild},
        {"starting, and failing to", test_start},
        {"stderr goes to its file", test_stderr},
        {"waiting for two", test_two},
        {"a line that comes while the reader is stopped", test_stopped_reader},
    };
    proc_init();
    return unit_run(tests, (int)COUNTOF(tests), argc, argv);
}
