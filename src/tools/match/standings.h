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
    int wins, draws, losses;
} WinDrawLoss;

/* An encounter from the first engine's view. */
typedef struct EncounterScore {
    WinDrawLoss by_color[COLOR_NB]; /* of the first engine as black and as white */
    ScoreSample pairs;              /* complete pairs only */
} EncounterScore;

/* What is known of an engine beyond its results. */
typedef struct EngineScore {
    PlayerStats stats;
    int faults[ENDED_NB]; /* games lost by its own fault, by reason */
} EngineScore;

/* Who meets whom. */
typedef struct Opponents {
    int first, second; /* -1: not known yet */
} Opponents;

typedef struct Standings {
    Schedule schedule;
    int total;            /* games of the whole tournament, at most */
    Opponents *opponents; /* by encounter */
    int *byes;            /* by round: the engine without an opponent, or -1; NULL: no byes */
    int wanted;           /* number of games to be played here: all, or those of a shard */
    int done;
    EncounterScore *encounters;
    EngineScore *engines;
    ScoreSample *history; /* of each engine after stride, 2 * stride ... games: for curves */
    int points;           /* length of the history: rows for all engines */
    int stride;
    uint8_t *half_points; /* by game: half points of the first engine, or NOT_PLAYED */
    int ends[ENDED_NB];
    int black_wins, white_wins;
    int64_t plies;
    uint64_t signature; /* sum of gameresult_hash over the games done */
} Standings;

enum { NOT_PLAYED = 255, HISTORY_MOST = 512 };

void standings_init(Standings *standings, const Schedule *schedule);
void standings_free(Standings *standings);

bool standings_has(const Standings *standings, int index);

/* True if the game's opponents are known and it should be played: a knockout repeats an encounter
 * only while it is tied. */
bool standings_is_due(const Standings *standings, int index);

/* True if every game of the tournament that must be played has been played. */
bool standings_is_complete(const Standings *standings);

/* A game with its opponents, as far as they are known. */
ScheduledGame standings_game(const Standings *standings, int index);

/* The winner of a knockout encounter; if it is still tied at the end, the engine that was named
 * first. -1 while it is undecided. */
int standings_winner(const Standings *standings, int encounter);

/* The value that ranks an engine: in a knockout the rounds it has won, in a Swiss tournament its
 * points including byes, otherwise its fraction of the points. */
double standings_rank(const Standings *standings, int engine);

/* The engines by rank, best first; equals in the order in which they were named. */
void standings_order(const Standings *standings, int *list);

/* Tie-breaks for equal points in a Swiss tournament. */
typedef struct TieBreaks {
    double buchholz; /* sum of the points of its opponents, counted once per encounter */
    double
        berger; /* Sonneborn-Berger: the same, each multiplied by the share of points won there */
} TieBreaks;

TieBreaks standings_ties(const Standings *standings, int engine);

/* For tables: the order of standings_order with ties broken, in a Swiss tournament by Buchholz,
 * then Sonneborn-Berger, and in a knockout, for engines that went out in the same round, by their
 * share of the points. Pairings do not depend on tie-breaks. */
void standings_table(const Standings *standings, int *list);

/* Adds a game that has not been added yet, and pairs the next round if it can. */
void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result);

/* All games of an encounter, by colour added up. */
WinDrawLoss standings_encounter(const Standings *standings, int encounter);

/* The sample for the Elo estimate of an encounter: pairs if games come in pairs, otherwise games.
 * */
ScoreSample standings_encounter_sample(const Standings *standings, int encounter);

/* The same for one engine against all others, from its view. */
WinDrawLoss standings_engine(const Standings *standings, int engine);
ScoreSample standings_engine_sample(const Standings *standings, int engine);

static inline int wdl_games(const WinDrawLoss *score) {
    return score->wins + score->draws + score->losses;
}

static inline double wdl_points(const WinDrawLoss *score) {
    return score->wins + score->draws / 2.0;
}

/* A line of a table: an engine against all others. */
typedef struct EngineRow {
    WinDrawLoss score;
    int games;            /* in a Swiss tournament including byes, which count as won games */
    double points;        /* of these games */
    EloEstimate estimate; /* from games actually played */
} EngineRow;

EngineRow standings_row(const Standings *standings, int engine);

/* Points of one engine against another in all their encounters. Returns false if they do not meet.
 * */
bool standings_points(const Standings *standings, int row, int column, double *points);

#endif
