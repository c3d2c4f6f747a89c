/* unit.h: a small test harness. Checks count successes and failures, and main runs a list of tests.
 *
 * A test file defines static void functions and ends with the line below, whose main calls
 * pos_init_tables first: UNIT_MAIN({"what it shows", function}, ...) If a check fails, it prints
 * its place and the test continues. The last line of a run is "N passed, N failed", followed by ",
 * N skipped" if tests were skipped. A test without a check counts as failed. Tests are
 * single-threaded unless they say otherwise. */
#ifndef KMD_UNIT_UNIT_H
#define KMD_UNIT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct UnitTest {
    const char *name;
    void (*run)(void);
} UnitTest;

/* Runs the tests, or only those whose name contains argv[1]. Returns main's exit status. */
int unit_run(const UnitTest *tests, int count, int argc, char **argv);

/* Each function returns whether the check passed. */
bool unit_check(bool condition, const char *text, const char *file, int line);
bool unit_check_int(int64_t got, int64_t want, const char *text, const char *file, int line);
bool unit_check_str(const char *got, const char *want, const char *text, const char *file,
                    int line);
bool unit_check_near(double got, double want, double tolerance, const char *file, int line);

/* See CHECK_TIMELY. */
bool unit_check_timely(bool condition, const char *text, const char *file, int line);

/* Marks the running test as skipped; the reason is printed. */
void unit_skip(const char *reason);

/* The folder of test data that is not part of the project, named by the environment variable
 * KOMADORI_CASES; NULL if that is unset or empty. If the folder does not exist, a check fails. */
const char *unit_cases_dir(void);

/* The path of a file in the build folder, for a test to write and remove. Valid until the next
 * call. */
const char *unit_temp_path(const char *name);

/* True in `make test TIMING=1`, which is meant for a quiet machine. Limits of real time are checked
 * only then. */
bool unit_is_timed(void);

/* How long to wait for an event that must happen: `ms` if times count, otherwise a time so long
 * that only a hanging program exceeds it. */
int64_t unit_patience_ms(int64_t ms);

/* True if slow cases should run too, as in `make test-all FULL=1`. */
bool unit_wants_all(void);

#define CHECK(condition)     unit_check((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want) unit_check_int((got), (want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) unit_check_str((got), (want), #got, __FILE__, __LINE__)
#define CHECK_NEAR(got, want, tolerance)                                                           \
    unit_check_near((got), (want), (tolerance), __FILE__, __LINE__)

/* A limit of real time, checked if times count. Otherwise it is reported as skipped. */
#define CHECK_TIMELY(condition) unit_check_timely((condition), #condition, __FILE__, __LINE__)

#define UNIT_MAIN(...)                                                                             \
    int main(int argc, char **argv) {                                                              \
        static const UnitTest tests[] = {__VA_ARGS__};                                             \
        return unit_run(tests, (int)(sizeof(tests) / sizeof(tests[0])), argc, argv);               \
    }

#endif
