#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* Runs code in a child process with stderr closed, and returns how it ended. */
static int status_of_child(void (*code)(void)) {
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        code();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static void call_assert_fail(void) {
    base_assert_fail("condition", "file.c", 1);
}

static void test_assert_fail_aborts(void) {
    int status = status_of_child(call_assert_fail);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void break_an_assert(void) {
    volatile int one = 1;
    ASSERT(one == 2);
}

static void test_assert_follows_the_mode(void) {
    int status = status_of_child(break_an_assert);
#ifdef KMD_DEBUG
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#else
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

UNIT_MAIN({"base_assert_fail aborts", test_assert_fail_aborts},
          {"ASSERT stops debug builds only", test_assert_follows_the_mode})
