/* standings.h: adds up the results of a tournament. Only one thread at a time may use it. */
#ifndef KMD_MATCH_STANDINGS_H
#define KMD_MATCH_STANDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "match/elo.h"
#include "match/schedule.h"
#include "play/gameresult.h"

/* The results of one player from its own point of view. */
typedef struct WinDrawLoss {
    int wins, draws, losses;
} WinDrawLoss;

/* The results of an encounter from the first engine's point of view. */
typedef struct EncounterScore {
    WinDrawLoss by_color[COLOR_NB]; /* results of the first engine as black and as white */
    double extra[COLOR_NB]; /* points of the first engine beyond half a point per repetition */
    ScoreSample pairs;      /* complete pairs only */
} EncounterScore;

/* Data about an engine besides its results. */
typedef struct EngineScore {
    PlayerStats stats;
    int faults[ENDED_NB]; /* games lost by its own fault, by reason */
} EngineScore;

/* Who meets whom. */
typedef struct Opponents {
    int first, second;
} Opponents;

typedef struct Standings {
    Schedule schedule;
    int total;            /* number of games in the whole tournament */
    Opponents *opponents; /* indexed by encounter */
    double repetition;    /* points of black for a draw by repetition; white gets the rest of one
                             point. Elo and the SPRT count it as a draw */
    int wanted;           /* number of games to be played here: all, or those of a shard */
    int done;
    EncounterScore *encounters;
    EngineScore *engines;
    ScoreSample *history; /* the sample of each engine after stride, 2 * stride and so on games, for
                             drawing curves */
    int points;           /* number of rows in the history, each with all engines */
    int stride;
    uint8_t *half_points; /* for each game, the half points of the first engine, or NOT_PLAYED */
    int ends[ENDED_NB];
    int black_wins, white_wins;
    int64_t plies;
    uint64_t signature; /* sum of gameresult_hash over the games done */
} Standings;

enum { NOT_PLAYED = 255, SCORE_SAMPLES_MAX = 512 };

/* `repetition` is 0.5 by the usual rules. */
void standings_init(Standings *standings, const Schedule *schedule, double repetition);
void standings_free(Standings *standings);

bool standings_has(const Standings *standings, int index);

/* Lists the engines for tables by their share of the points, best first. Equal engines are listed
 * in the order in which they were named. */
void standings_table(const Standings *standings, int *list);

/* Adds a game that has not been added yet. */
void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result);

/* The results of all games of an encounter, with both colours added up. */
WinDrawLoss standings_encounter(const Standings *standings, int encounter);

/* The sample for the Elo estimate of an encounter. The sample counts pairs if games come in pairs,
 * otherwise games. */
ScoreSample standings_encounter_sample(const Standings *standings, int encounter);

/* The results and the sample of one engine against all others, from its point of view. */
WinDrawLoss standings_engine(const Standings *standings, int engine);
ScoreSample standings_engine_sample(const Standings *standings, int engine);

static inline int wdl_games(const WinDrawLoss *score) {
    return score->wins + score->draws + score->losses;
}

static inline double wdl_points(const WinDrawLoss *score) {
    return score->wins + score->draws / 2.0;
}

/* A line of a table: the results of an engine against all others. */
typedef struct EngineRow {
    WinDrawLoss score;
    int games;
    double points;        /* points in these games */
    EloEstimate estimate; /* estimate from the games actually played */
} EngineRow;

EngineRow standings_row(const Standings *standings, int engine);

/* The points of one engine against another in all their encounters. Returns false if they do not
 * meet. */
bool standings_points(const Standings *standings, int row, int column, double *points);

#endif
