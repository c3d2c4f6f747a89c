/* searchwait.h: how a command waits for the answer to a search that it started and may have to
 * stop.
 *
 *     searchwait_begin(&wait);
 *     ... start the search with {.context = &wait, .on_done = searchwait_note} ...
 *     while (!searchwait_look(&wait)) {
 *         ... stop the search when the command is cancelled ...
 *     }
 *
 * All functions but searchwait_note are for the thread of the command. */
#ifndef KMD_CMD_SEARCHWAIT_H
#define KMD_CMD_SEARCHWAIT_H

#include <pthread.h>

#include "search/sinfo.h"

typedef struct SearchWait {
    pthread_mutex_t lock; /* guards the rest while a search runs */
    pthread_cond_t done;
    bool is_done;
    SearchResult result;
} SearchWait;

void searchwait_init(SearchWait *wait);
void searchwait_free(SearchWait *wait);

/* No answer has come yet. */
void searchwait_begin(SearchWait *wait);

/* The answer has come: a SearchSink's on_done. `wait` is a SearchWait. */
void searchwait_note(void *wait, const SearchResult *result);

/* Waits for the answer, though only a moment: as long as a cancelled command may take to notice.
 * True when it is there, in wait->result. */
bool searchwait_look(SearchWait *wait);

#endif
