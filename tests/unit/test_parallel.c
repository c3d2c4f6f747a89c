#include "base/parallel.h"

#include <pthread.h>
#include <string.h>

#include "unit.h"

enum { MAX_THREADS = 16 };

typedef struct Seen {
    int calls[MAX_THREADS];
    pthread_t thread[MAX_THREADS];
} Seen;

static void note_call(void *context, int index) {
    Seen *seen = context;
    seen->calls[index]++;
    seen->thread[index] = pthread_self();
}

static void test_every_index_once(void) {
    for (int threads = 1; threads <= MAX_THREADS; threads++) {
        Seen seen;
        memset(&seen, 0, sizeof(seen));
        parallel_run(threads, note_call, &seen);
        for (int i = 0; i < MAX_THREADS; i++) {
            CHECK_INT(seen.calls[i], i < threads);
        }
        CHECK(pthread_equal(seen.thread[0], pthread_self()));
    }
}

static void fill_row(void *context, int index) {
    int(*table)[1000] = context;
    for (int i = 0; i < 1000; i++) {
        table[index][i] = index * 1000 + i;
    }
}

static void run_inner(void *context, int index) {
    int(*table)[1000] = context;
    parallel_run(2, fill_row, &table[index * 2]);
}

static void test_runs_inside_the_work(void) {
    static int table[4][1000];
    parallel_run(2, run_inner, table);
    int wrong = 0;
    for (int row = 0; row < 4; row++) {
        for (int i = 0; i < 1000; i++) {
            wrong += table[row][i] != row % 2 * 1000 + i;
        }
    }
    CHECK_INT(wrong, 0);
}

UNIT_MAIN({"every index is called once, 0 on the caller", test_every_index_once},
          {"the work may run others in parallel", test_runs_inside_the_work})
