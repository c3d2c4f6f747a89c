/* How commands wait for the answer to a search. */
#include "cmd/searchwait.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "unit.h"

typedef struct Late {
    SearchWait wait;
    _Atomic int looks;
} Late;

/* Answers behind the second look. */
static void *answer_late(void *context) {
    const SearchResult result = {.best = MOVE_RESIGN, .nodes = 7};
    Late *late = context;
    while (atomic_load(&late->looks) < 2) {
        clock_sleep_ms(1);
    }
    searchwait_note(&late->wait, &result);
    return NULL;
}

/* A look gives the command the chance to see that it is cancelled; the answer ends it early. */
static void looks_until_the_answer(void) {
    Late late = {.looks = 1};
    SearchWait *wait = &late.wait;
    pthread_t thread;
    searchwait_init(wait);
    searchwait_begin(wait);
    int64_t start = clock_ms();
    CHECK(!searchwait_look(wait));
    CHECK(clock_ms() - start >= 20);
    CHECK_INT(pthread_create(&thread, NULL, answer_late, &late), 0);
    while (!searchwait_look(wait)) {
        atomic_fetch_add(&late.looks, 1);
    }
    CHECK(atomic_exchange(&late.looks, 2) >= 2);
    CHECK_INT(wait->result.best, MOVE_RESIGN);
    CHECK_INT((int64_t)wait->result.nodes, 7);
    CHECK(searchwait_look(wait));
    pthread_join(thread, NULL);
    searchwait_begin(wait);
    CHECK(!searchwait_look(wait));
    searchwait_free(wait);
}

UNIT_MAIN({"looks until the answer", looks_until_the_answer})
