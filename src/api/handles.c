#include "api/handles.h"

#include <pthread.h>

#include "rules/rules.h"

static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

void handles_init(void) {
    pthread_once(&tables_once, rules_init);
}
