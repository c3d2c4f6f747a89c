/* tuner.h: plays the games of a tuning run (spsa.h) on several threads. */
#ifndef KMD_MATCH_TUNER_H
#define KMD_MATCH_TUNER_H

#include "match/tourney.h"

/* Continues from the file settings->spsa.csv_path, plays all remaining pairs and prints the values,
 * even if it ends early. Each pair adds a line to that file. For *cancel see tourney_run. */
TourneyStatus tuner_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
