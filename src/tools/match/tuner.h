/* tuner.h: plays the games of a tuning run (spsa.h) on several threads. */
#ifndef KMD_MATCH_TUNER_H
#define KMD_MATCH_TUNER_H

#include "tools/match/tourney.h"

/* Goes on from what settings->spsa.csv_path holds to the last pair and prints the values, so far
 * where it ends early. After each pair the file has a line more. For *cancel see tourney_run. */
TourneyStatus tuner_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
