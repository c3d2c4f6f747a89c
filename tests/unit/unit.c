#include "unit.h"
#include "rules/position.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int checks_run;
static int checks_failed;
static bool has_untimed; /* a limit of real time was not checked */
static const char *skip_reason;

bool unit_check(bool condition, const char *text, const char *file, int line) {
    checks_run++;
    if (!condition) {
        checks_failed++;
        printf("  %s:%d: does not hold: %s\n", file, line, text);
    }
    return condition;
}

bool unit_check_int(int64_t got, int64_t want, const char *text, const char *file, int line) {
    checks_run++;
    if (got != want) {
        checks_failed++;
        printf("  %s:%d: %s is %lld, not %lld\n", file, line, text, (long long)got,
               (long long)want);
    }
    return got == want;
}

bool unit_check_str(const char *got, const char *want, const char *text, const char *file,
                    int line) {
    checks_run++;
    bool is_same = got != NULL && want != NULL && strcmp(got, want) == 0;
    if (!is_same) {
        checks_failed++;
        printf("  %s:%d: %s is \"%s\", not \"%s\"\n", file, line, text, got ? got : "(null)",
               want ? want : "(null)");
    }
    return is_same;
}

bool unit_check_near(double got, double want, double tolerance, const char *file, int line) {
    checks_run++;
    bool is_near = fabs(got - want) <= tolerance;
    if (!is_near) {
        checks_failed++;
        printf("  %s:%d: got %.9g, not within %g of %.9g\n", file, line, got, tolerance, want);
    }
    return is_near;
}

bool unit_check_timely(bool condition, const char *text, const char *file, int line) {
    bool is_timed = unit_is_timed();
    has_untimed |= !is_timed;
    return !is_timed || unit_check(condition, text, file, line);
}

void unit_skip(const char *reason) {
    skip_reason = reason;
}

const char *unit_temp_path(const char *name) {
    static char path[4096];
    const char *build = getenv("KOMADORI_BUILD");
    snprintf(path, sizeof(path), "%s%s%s", build != NULL ? build : "", build != NULL ? "/" : "",
             name);
    return path;
}

const char *unit_cases_dir(void) {
    const char *dir = getenv("KOMADORI_CASES");
    struct stat info;
    if (dir == NULL || dir[0] == '\0') {
        return NULL;
    }
    CHECK(stat(dir, &info) == 0 && S_ISDIR(info.st_mode));
    return dir;
}

bool unit_is_timed(void) {
    const char *value = getenv("KOMADORI_TEST_TIMING");
    return value != NULL && strcmp(value, "1") == 0;
}

int64_t unit_patience_ms(int64_t ms) {
    return unit_is_timed() ? ms : 120000 + ms;
}

bool unit_wants_all(void) {
    const char *full = getenv("KOMADORI_TEST_FULL");
    return full != NULL && strcmp(full, "1") == 0;
}

int unit_run(const UnitTest *tests, int count, int argc, char **argv) {
    pos_init_tables();
    const char *filter = argc > 1 ? argv[1] : "";
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < count; i++) {
        if (strstr(tests[i].name, filter) == NULL) {
            continue;
        }
        checks_run = 0;
        checks_failed = 0;
        has_untimed = false;
        skip_reason = NULL;
        tests[i].run();
        if (has_untimed) {
            skipped++;
            printf("skip  %s, a bound of time: times count in make test TIMING=1 only\n",
                   tests[i].name);
        }
        if (skip_reason != NULL && checks_failed == 0) {
            skipped++;
            printf("skip  %s: %s\n", tests[i].name, skip_reason);
        } else if (checks_failed > 0 || (checks_run == 0 && !has_untimed)) {
            failed++;
            printf("FAIL  %s%s\n", tests[i].name, checks_run == 0 ? " (checks nothing)" : "");
        } else {
            passed += checks_run > 0;
        }
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}
