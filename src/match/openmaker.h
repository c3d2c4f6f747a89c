/* openmaker.h: makes a file of openings: random but sensible first moves that lead to positions
 * that an engine evaluates as balanced.
 *
 * Each opening is a random walk. At each step a few legal moves are drawn at random, the engine
 * searches each of them briefly, and one that is not clearly worse than the best is played. A plan
 * decides which side plays a ranging rook (moves its rook to files 5 to 9, counted from that side)
 * and which side a static rook, so that the file contains both kinds of game. The same seed and
 * engine give the same openings. */
#ifndef KMD_MATCH_OPENMAKER_H
#define KMD_MATCH_OPENMAKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "play/player.h"

typedef struct OpenMakerOptions {
    const char *path; /* file to write; NULL: make no openings */
    int count;
    uint64_t seed;
    int min_plies;
    int max_plies;
    int score;   /* maximum distance from 0 of the final position's score, in centipawns */
    int window;  /* maximum loss of a step compared with the best move drawn, in centipawns */
    int samples; /* number of legal moves drawn at each step */
    int nodes;   /* nodes for each move drawn; the final check uses the engine's own limit */
} OpenMakerOptions;

/* Makes the file with `engine`, reports faults of the engine to `watch`, and prints progress on
 * `progress`. Does not overwrite a file that is not empty. Returns false if the engine fails, the
 * file cannot be written, *cancel is set, or too few walks end in a balanced position. The last
 * line on `progress` then gives the reason, and the file contains the openings made so far. */
bool openmaker_run(const OpenMakerOptions *options, const EngineSpec *engine,
                   const PlayerOptions *player_rules, const PlayerSink *sink, FILE *progress,
                   const atomic_bool *cancel) MUST_CHECK;

#endif
