/* Tests of relay.h: the deepest line is the one that is taken. */
#include "search/relay.h"

#include <pthread.h>

#include "unit.h"

static RootMove line_of(int n) {
    return (RootMove){.move = (Move)n, .score = n, .pv = {.len = 1, .moves = {(Move)n}}};
}

static void test_order(void) {
    Relay relay;
    RootMove taken;
    relay_init(&relay);
    relay_begin(&relay);
    CHECK(!relay_has_passed(&relay, 1));
    RootMove first = line_of(11);
    relay_hand_over(&relay, 3, &first);
    CHECK(relay_has_passed(&relay, 3) && !relay_has_passed(&relay, 4));
    RootMove late = line_of(12);
    relay_hand_over(&relay, 3, &late);
    relay_hand_over(&relay, 2, &late);
    CHECK_INT(relay_take(&relay, &taken), 3);
    CHECK_INT(taken.move, 11);
    relay_hand_over(&relay, 4, &late);
    CHECK_INT(relay_take(&relay, &taken), 4);
    CHECK_INT(taken.move, 12);
    relay_begin(&relay);
    CHECK(!relay_has_passed(&relay, 1));
    relay_free(&relay);
}

enum { DEPTHS = 2000 };

static void *run_ahead(void *arg) {
    Relay *relay = arg;
    for (int depth = 1; depth <= DEPTHS; depth++) {
        RootMove line = line_of(depth);
        relay_hand_over(relay, depth, &line);
    }
    return NULL;
}

/* Whatever is taken, line and depth belong together, and the depth never falls. */
static void test_threads(void) {
    Relay relay;
    relay_init(&relay);
    relay_begin(&relay);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, run_ahead, &relay) == 0);
    }
    int before = 0;
    int odd = 0;
    while (before < DEPTHS) {
        if (!relay_has_passed(&relay, before + 1)) {
            continue;
        }
        RootMove taken;
        int depth = relay_take(&relay, &taken);
        odd += depth <= before || taken.move != depth || taken.score != depth;
        before = depth;
    }
    CHECK_INT(odd, 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    relay_free(&relay);
}

UNIT_MAIN({"the deepest line is taken", test_order}, {"two at once", test_threads})
