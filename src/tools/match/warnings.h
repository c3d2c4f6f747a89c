/* warnings.h: warnings about engines that continue to play: reported once each, in the report and
 * in the file of results. */
#ifndef KMD_MATCH_WARNINGS_H
#define KMD_MATCH_WARNINGS_H

#include <pthread.h>

#include "tools/match/matchreport.h"
#include "tools/match/resultlog.h"

/* No more warnings of one engine are told, however different they are. */
enum { WARNINGS_PER_ENGINE = 20 };

typedef struct Warnings {
    MatchReport *report;
    ResultLog *log;        /* hears of them too; NULL: there is none */
    pthread_mutex_t *lock; /* the one under which report and log are used */
    char **told;
    int count;
    size_t cap;
} Warnings;

void warnings_free(Warnings *warnings);

/* A PlayerWatch's `warn`, with a Warnings as its context: tells "ENGINE: TEXT" unless it was told
 * before. */
void warnings_tell(void *warnings, const char *engine, StrView text);

#endif
