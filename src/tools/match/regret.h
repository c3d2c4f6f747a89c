/* regret.h: regret curves: how much winning chance an engine gives away by the moves that it
 * chooses at different numbers of nodes. No games are needed: each engine chooses a move in each of
 * many positions at each number of nodes, and a reference engine judges every move that was chosen
 * by a long search of its own of the position after it.
 *
 * The loss of a move is the winning chance of the best judged move less its own, with the chance
 * 1 / (1 + exp(-score / scale)) of a score in centipawns. */
#ifndef KMD_MATCH_REGRET_H
#define KMD_MATCH_REGRET_H

#include <stdatomic.h>

#include "tools/match/tourney.h"

/* Chooses, judges and reports. The first engine of settings is the reference, which judges within
 * its own limits; the others choose at each number of nodes of settings->regret. Goes on from what
 * the CSV file holds. For *cancel see tourney_run. */
TourneyStatus regret_run(const MatchSettings *settings, MatchReport *report, atomic_bool *cancel);

#endif
