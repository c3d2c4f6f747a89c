/* tourney.h: plays all games of a tournament on several threads. */
#ifndef KMD_MATCH_TOURNEY_H
#define KMD_MATCH_TOURNEY_H

#include <stdatomic.h>

#include "tools/match/matchreport.h"
#include "tools/match/settings.h"

typedef enum TourneyStatus {
    TOURNEY_DONE,        /* every game was played, or the test has decided */
    TOURNEY_INTERRUPTED, /* *cancel was raised from outside */
    TOURNEY_FAILED       /* a file or a program is missing; the report says which */
} TourneyStatus;

/* Plays from what settings->results_path holds to the end and prints the final report. Raising
 * *cancel from another thread or a signal handler ends it within moments: games under way are not
 * counted, engines are told to quit. It is raised by tourney_run itself, too, when it ends early.
 */
TourneyStatus tourney_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

/* Reports on the files of settings->merge as on a tournament that has just ended. */
TourneyStatus tourney_merge(MatchSettings *settings, MatchReport *report);

#endif
