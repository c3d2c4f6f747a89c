/* openmaker.h: makes a file of openings: random but sensible first moves to positions that an
 * engine at a fixed number of nodes holds for balanced.
 *
 * Each opening is a random walk. At each step a few of the legal moves are drawn, the engine looks
 * at each of them for a moment, and one of those that are not clearly worse than the best is
 * played. A plan says which side plays a ranging rook (moves it to files 5 to 9 as that side counts
 * them) and which a static one, so that both kinds of shogi are there. What follows from a seed is
 * the same on every run as long as the engine is. */
#ifndef KMD_MATCH_OPENMAKER_H
#define KMD_MATCH_OPENMAKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/match/player.h"

typedef struct OpenMakerRules {
    const char *path; /* file to write; NULL: make no openings */
    int count;
    uint64_t seed;
    int min_plies;
    int max_plies;
    int score;   /* the final position is within this of 0, in centipawns */
    int window;  /* a step loses at most this against the best move drawn */
    int samples; /* legal moves drawn at each step */
    int nodes;   /* for each of them; the final check uses the engine's own limit */
} OpenMakerRules;

/* Makes the file with `engine`, reports faults of the engine to `watch`, and shows its progress on
 * `progress`. A file that is not empty is not overwritten. False when the engine fails, the file
 * cannot be written, *cancel is raised or too few walks end balanced; the last line on progress
 * says which, and the openings made so far are in the file. */
bool openmaker_run(const OpenMakerRules *rules, const EngineSpec *engine,
                   const PlayerRules *player_rules, const PlayerWatch *watch, FILE *progress,
                   const atomic_bool *cancel) MUST_CHECK;

#endif
