/* warnings.h: warnings about engines that continue to play. Each warning is reported once, in the
 * report and in the file of results. */
#ifndef KMD_MATCH_WARNINGS_H
#define KMD_MATCH_WARNINGS_H

#include <pthread.h>

#include "match/matchreport.h"
#include "match/resultlog.h"

/* The most warnings that are reported for one engine. */
enum { WARNINGS_PER_ENGINE = 20 };

typedef struct Warnings {
    MatchReport *report;
    ResultLog *log;        /* also receives the warnings; may be NULL */
    pthread_mutex_t *lock; /* the lock that guards report and log */
    char **told;
    int count;
    size_t cap;
} Warnings;

void warnings_free(Warnings *warnings);

/* The function for a PlayerSink's `warn`; its context is a Warnings. Reports "ENGINE: TEXT" unless
 * that was reported before. */
void warnings_tell(void *warnings, const char *engine, StrView text);

#endif
