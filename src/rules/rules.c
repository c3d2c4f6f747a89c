/* rules.c: calls the init functions once, in the order of their dependencies. */
#include "rules/rules.h"

#include <pthread.h>

#include "rules/attacks.h"
#include "rules/danger.h"
#include "rules/zobrist.h"

static void fill_tables(void) {
    attacks_init();
    zobrist_init();
    danger_init();
}

void rules_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
}
