/* regret.h: regret curves: how much winning chance an engine's choice of moves loses at different
 * numbers of nodes.
 *
 * No games are needed. Each engine chooses a move in each of many positions at each number of
 * nodes, and a reference engine judges every chosen move by a long search of the position after it.
 * The loss of a move is the winning chance of the best judged move minus that of the move itself.
 * The winning chance of a score in centipawns is 1 / (1 + exp(-score / scale)). */
#ifndef KMD_MATCH_REGRET_H
#define KMD_MATCH_REGRET_H

#include <stdatomic.h>

#include "tools/match/tourney.h"

/* Runs the whole test: engines choose moves, the reference judges them, and the results are
 * reported. The first engine of the settings is the reference, which judges within its own limits;
 * the other engines choose moves at each number of nodes in settings->regret. Continues from the
 * CSV file of an earlier run. For *cancel see tourney_run. */
TourneyStatus regret_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
