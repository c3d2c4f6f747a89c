/* regret.h: regret curves: how much winning chance an engine gives away by its choice of moves at
 * different numbers of nodes.
 *
 * No games are needed. Each engine chooses a move in each of many positions at each number of
 * nodes, and a reference engine judges every chosen move by a long search of the position after it.
 * The loss of a move is the winning chance of the best judged move minus its own. The winning
 * chance of a score in centipawns is 1 / (1 + exp(-score / scale)). */
#ifndef KMD_MATCH_REGRET_H
#define KMD_MATCH_REGRET_H

#include <stdatomic.h>

#include "tools/match/tourney.h"

/* Chooses, judges and reports. The first engine of the settings is the reference, which judges
 * within its own limits; the others choose at each number of nodes in settings->regret. Continues
 * from the CSV file. For *cancel see tourney_run. */
TourneyStatus regret_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
