/* tourney.h: what komadori-match does: plays all games of a tournament on several threads, tunes
 * options of an engine, or tests its USI. */
#ifndef KMD_MATCH_TOURNEY_H
#define KMD_MATCH_TOURNEY_H

#include <stdatomic.h>
#include <stdio.h>

#include "tools/match/matchreport.h"
#include "tools/match/player.h"
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

/* Does an engine speak USI as GUIs need it? What H. Isozaki's definition (Shogidokoro) and the
 * clients in use (ShogiHome, cshogi, lishogi) require, asked one by one (compliance.c).
 *
 * Starts the engine several times and writes a line for each requirement to `out`: "pass WHAT" or
 * "FAIL WHAT: why", and the counts. True when it meets all of them. Raising *cancel ends it. */
bool compliance_run(const EngineSpec *engine, const PlayerRules *rules, FILE *out,
                    const atomic_bool *cancel) MUST_CHECK;

/* Plays the games of a tuning run (spsa.h, tuner.c) on several threads.
 *
 * Goes on from what settings->spsa.csv_path holds to the last pair and prints the values, so far
 * where it ends early. After each pair the file has a line more. For *cancel see tourney_run. */
TourneyStatus tuner_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
