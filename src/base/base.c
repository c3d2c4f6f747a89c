/* base.c: prints a failed assertion and ends the program. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

void base_assert_fail(const char *condition, const char *file, int line) {
    fprintf(stderr, "komadori: %s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
