#include "base/clock.h"

#include <stddef.h>

#include "unit.h"

static void test_never_runs_backwards(void) {
    int64_t before = clock_ns();
    int backward_steps = 0;
    for (int i = 0; i < 10000; i++) {
        int64_t now = clock_ns();
        backward_steps += now < before;
        before = now;
    }
    CHECK_INT(backward_steps, 0);
}

static void test_units_agree(void) {
    int64_t ns = clock_ns();
    int64_t ms = clock_ms();
    CHECK(ms >= ns / 1000000);
    CHECK(ms <= clock_ns() / 1000000);
}

static void test_sleep_is_at_least_as_long(void) {
    int64_t start = clock_ns();
    clock_sleep_ms(20);
    CHECK(clock_ns() - start >= 20 * (int64_t)1000000);
    start = clock_ns();
    clock_sleep_ms(0);
    clock_sleep_ms(-5);
    CHECK_TIMELY(clock_ns() - start < (int64_t)5000000000);
}

static void test_cpu_time_counts_work(void) {
    /* On some systems the CPU time advances in steps of a hundredth of a second or more. */
    int64_t start = clock_cpu_ns();
    int64_t end_ns = clock_ns() + (int64_t)100 * 1000000;
    while (clock_ns() < end_ns) {
    }
    CHECK(clock_cpu_ns() > start);
}

static int64_t noon(void) {
    return (int64_t)12 * 3600 * 1000000000;
}

static void test_can_be_replaced(void) {
    clock_replace(noon);
    CHECK(clock_is_replaced());
    CHECK_INT(clock_ms(), 12 * 3600 * 1000);
    clock_replace(NULL);
    CHECK(!clock_is_replaced());
}

UNIT_MAIN({"a test can put its own in its place", test_can_be_replaced},
          {"the clock never runs backwards", test_never_runs_backwards},
          {"milliseconds and nanoseconds agree", test_units_agree},
          {"sleeping takes at least as long as asked", test_sleep_is_at_least_as_long},
          {"processor time grows with work", test_cpu_time_counts_work})
