/* How commands wait for the answer to a search. */
#include "cmd/searchwait.h"

#include "base/clock.h"
#include "unit.h"

static void *answer_late(void *wait) {
    const SearchResult result = {.best = MOVE_RESIGN, .nodes = 7};
    clock_sleep_ms(80);
    searchwait_note(wait, &result);
    return NULL;
}

/* A look gives the command the chance to see that it is cancelled; the answer ends it early. */
static void looks_until_the_answer(void) {
    SearchWait wait;
    pthread_t thread;
    int looks = 1;
    searchwait_init(&wait);
    searchwait_begin(&wait);
    int64_t start = clock_ms();
    CHECK(!searchwait_look(&wait));
    CHECK(clock_ms() - start >= 20);
    CHECK_INT(pthread_create(&thread, NULL, answer_late, &wait), 0);
    while (!searchwait_look(&wait)) {
        looks++;
    }
    CHECK(looks >= 2);
    CHECK_INT(wait.result.best, MOVE_RESIGN);
    CHECK_INT((int64_t)wait.result.nodes, 7);
    CHECK(searchwait_look(&wait));
    pthread_join(thread, NULL);
    searchwait_begin(&wait);
    CHECK(!searchwait_look(&wait));
    searchwait_free(&wait);
}

UNIT_MAIN({"looks until the answer", looks_until_the_answer})
