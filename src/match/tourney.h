/* tourney.h: plays all games of a tournament on several threads. */
#ifndef KMD_MATCH_TOURNEY_H
#define KMD_MATCH_TOURNEY_H

#include <stdatomic.h>

#include "match/matchreport.h"
#include "match/settings.h"

typedef enum TourneyStatus {
    TOURNEY_DONE,        /* every game was played, or the test has decided */
    TOURNEY_INTERRUPTED, /* *cancel was set by the caller */
    TOURNEY_FAILED       /* a file or a program is missing; the report says which */
} TourneyStatus;

/* Continues from the results in settings->results.path, plays all remaining games and prints the
 * final report. Setting *cancel from another thread or a signal handler ends the tournament within
 * moments: games in progress are not counted, and engines are told to quit. tourney_run also sets
 * *cancel itself when it ends early. */
TourneyStatus tourney_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

/* Merges the files of settings->merge and reports on them as on a finished tournament. */
TourneyStatus tourney_merge(MatchSettings *settings, MatchReport *report);

#endif
