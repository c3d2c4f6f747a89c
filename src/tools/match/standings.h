/* standings.h: adds up the results of a tournament. One thread at a time. */
#ifndef KMD_MATCH_STANDINGS_H
#define KMD_MATCH_STANDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/match/elo.h"
#include "tools/match/gameresult.h"
#include "tools/match/schedule.h"

/* Results of one player from its own view. */
typedef struct WinDrawLoss {
    uint64_t wins;
    uint64_t draws;
    uint64_t losses;
} WinDrawLoss;

/* An encounter from the first engine's view. */
typedef struct EncounterScore {
    WinDrawLoss by_color[COLOR_NB]; /* of the first engine as black and as white */
    ScoreSample pairs;              /* complete pairs only */
} EncounterScore;

/* What is known of an engine beyond its results. */
typedef struct EngineScore {
    PlayerStats stats;
    uint64_t faults[ENDED_NB]; /* games lost by a fault of its own, by reason */
} EngineScore;

typedef struct Standings {
    Schedule schedule;
    int total; /* games of the whole tournament */
    int done;
    EncounterScore *encounters;
    EngineScore *engines;
    uint8_t *half_points; /* by game: of the first engine, or NOT_PLAYED */
    uint64_t ends[ENDED_NB];
    uint64_t black_wins;
    uint64_t white_wins;
    uint64_t plies;
    uint64_t signature; /* sum of gameresult_hash over the games done */
} Standings;

enum { NOT_PLAYED = 255 };

void standings_init(Standings *standings, const Schedule *schedule);
void standings_free(Standings *standings);

bool standings_has(const Standings *standings, int index);

/* Adds a game that has not been added yet. */
void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result);

/* All games of an encounter, by colour added up. */
WinDrawLoss standings_encounter(const Standings *standings, int encounter);

/* What an encounter says about strength: pairs where games come in pairs, else games. */
ScoreSample standings_encounter_sample(const Standings *standings, int encounter);

/* Likewise of one engine against all others, from its own view. */
WinDrawLoss standings_engine(const Standings *standings, int engine);
ScoreSample standings_engine_sample(const Standings *standings, int engine);

static inline uint64_t wdl_games(const WinDrawLoss *score) {
    return score->wins + score->draws + score->losses;
}

/* Half points, 2 for a win. */
static inline uint64_t wdl_half_points(const WinDrawLoss *score) {
    return 2 * score->wins + score->draws;
}

#endif
