/* tuner.h: plays the games of a tuning run (spsa.h) on several threads. */
#ifndef KMD_MATCH_TUNER_H
#define KMD_MATCH_TUNER_H

#include "tools/match/tourney.h"

/* Continues from settings->spsa.csv_path, plays to the last pair and prints the values, also if it
 * ends early. Each pair adds a line to the file. For *cancel see tourney_run. */
TourneyStatus tuner_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
