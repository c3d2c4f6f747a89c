/* Tests the test harness: how it handles limits of real time if times count, and if they do not
 * count. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/str.h"

static bool is_late;

static void only_a_bound(void) {
    CHECK_TIMELY(!is_late);
}

static void a_bound_and_more(void) {
    CHECK(true);
    CHECK_TIMELY(!is_late);
    CHECK_TIMELY(true);
}

static void no_bound(void) {
    CHECK(true);
}

/* Runs the three tests in a separate process, because the harness counts in static variables.
 * Returns their output. */
static StrBuf run_inner(const char *timing, bool late, int *status) {
    static const UnitTest tests[] = {
        {"only", only_a_bound}, {"more", a_bound_and_more}, {"none", no_bound}};
    StrBuf text = STRBUF_INIT;
    char name[] = "/tmp/unit-XXXXXX";
    int fd = mkstemp(name);
    CHECK(fd >= 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        char *no_args[] = {name, NULL};
        setenv("KOMADORI_TEST_TIMING", timing, 1);
        is_late = late;
        dup2(fd, STDOUT_FILENO);
        int result = unit_run(tests, 3, 1, no_args);
        fflush(stdout);
        _exit(result);
    }
    *status = -1;
    CHECK(waitpid(pid, status, 0) == pid);
    close(fd);
    CHECK_INT(file_read(name, &text), 0);
    unlink(name);
    return text;
}

static void times_do_not_count(void) {
    int status;
    StrBuf text = run_inner("", true, &status);
    CHECK_STR(text.ptr, "skip  only, a bound of time: times count in make test TIMING=1 only\n"
                        "skip  more, a bound of time: times count in make test TIMING=1 only\n"
                        "2 passed, 0 failed, 2 skipped\n");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    strbuf_free(&text);
}

static void times_count(void) {
    int status;
    StrBuf text = run_inner("1", false, &status);
    CHECK_STR(text.ptr, "3 passed, 0 failed, 0 skipped\n");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    strbuf_free(&text);
    text = run_inner("1", true, &status);
    CHECK(sv_find(strbuf_view(&text), SV("1 passed, 2 failed, 0 skipped")) < text.len);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    strbuf_free(&text);
}

UNIT_MAIN({"where times do not count", times_do_not_count}, {"where times count", times_count})
