/* Tests of shared_iteration.h: workers adopt the deepest line. */
#include "search/shared_iteration.h"

#include <pthread.h>

#include "unit.h"

static RootMove line_of(int n) {
    return (RootMove){.move = (Move)n, .score = n, .pv = {.len = 1, .moves = {(Move)n}}};
}

static void test_order(void) {
    SharedIteration iteration;
    RootMove taken;
    shared_iteration_init(&iteration);
    shared_iteration_begin(&iteration);
    CHECK(!shared_iteration_has_passed(&iteration, 1));
    RootMove first = line_of(11);
    shared_iteration_hand_over(&iteration, 3, &first);
    CHECK(shared_iteration_has_passed(&iteration, 3) &&
          !shared_iteration_has_passed(&iteration, 4));
    RootMove late = line_of(12);
    shared_iteration_hand_over(&iteration, 3, &late);
    shared_iteration_hand_over(&iteration, 2, &late);
    CHECK_INT(shared_iteration_take(&iteration, &taken), 3);
    CHECK_INT(taken.move, 11);
    shared_iteration_hand_over(&iteration, 4, &late);
    CHECK_INT(shared_iteration_take(&iteration, &taken), 4);
    CHECK_INT(taken.move, 12);
    shared_iteration_begin(&iteration);
    CHECK(!shared_iteration_has_passed(&iteration, 1));
    shared_iteration_free(&iteration);
}

enum { DEPTHS = 2000 };

static void *run_ahead(void *arg) {
    SharedIteration *iteration = arg;
    for (int depth = 1; depth <= DEPTHS; depth++) {
        RootMove line = line_of(depth);
        shared_iteration_hand_over(iteration, depth, &line);
    }
    return NULL;
}

/* Line and depth always belong together, and the depth never decreases. */
static void test_threads(void) {
    SharedIteration iteration;
    shared_iteration_init(&iteration);
    shared_iteration_begin(&iteration);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, run_ahead, &iteration) == 0);
    }
    int before = 0;
    int odd = 0;
    while (before < DEPTHS) {
        if (!shared_iteration_has_passed(&iteration, before + 1)) {
            continue;
        }
        RootMove taken;
        int depth = shared_iteration_take(&iteration, &taken);
        odd += depth <= before || taken.move != depth || taken.score != depth;
        before = depth;
    }
    CHECK_INT(odd, 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    shared_iteration_free(&iteration);
}

UNIT_MAIN({"the deepest line is taken", test_order}, {"two at once", test_threads})
