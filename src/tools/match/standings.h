/* standings.h: the results of a tournament added up. One thread at a time. */
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
    int faults[ENDED_NB]; /* games lost by a fault of its own, by reason */
} EngineScore;

/* Who meets whom. */
typedef struct Opponents {
    int first, second; /* -1: not known yet */
} Opponents;

typedef struct Standings {
    Schedule schedule;
    int total;            /* games of the whole tournament, at most */
    Opponents *opponents; /* by encounter */
    int *byes;            /* by round: who has no opponent in it, or -1; NULL: there are none */
    int wanted;           /* games that are played here: all, or those of a shard */
    int done;
    EncounterScore *encounters;
    EngineScore *engines;
    ScoreSample *history; /* of each engine after stride, 2 * stride ... games: for curves */
    int points;           /* of the history: rows of all engines */
    int stride;
    uint8_t *half_points; /* by game: of the first engine, or NOT_PLAYED */
    int ends[ENDED_NB];
    int black_wins, white_wins;
    int64_t plies;
    uint64_t signature; /* sum of gameresult_hash over the games done */
} Standings;

enum { NOT_PLAYED = 255, HISTORY_MOST = 512 };

void standings_init(Standings *standings, const Schedule *schedule);
void standings_free(Standings *standings);

bool standings_has(const Standings *standings, int index);

/* True when the game's opponents are known and it is to be played: in a knockout an encounter is
 * played again only while it is tied. */
bool standings_is_due(const Standings *standings, int index);

/* True when every game that is due, now or later, has been played. */
bool standings_is_complete(const Standings *standings);

/* A game with its opponents, as far as they are known. */
ScheduledGame standings_game(const Standings *standings, int index);

/* The engine that has won a knockout's encounter: of a tie that stands to the end the one that was
 * named first. -1 while it is not decided. */
int standings_winner(const Standings *standings, int encounter);

/* What an engine is ranked by: in a knockout the rounds it has won, in a Swiss tournament its
 * points with its bye, else its share of the points. */
double standings_rank(const Standings *standings, int engine);

/* The engines by rank, best first; who was named first is before its equals. */
void standings_order(const Standings *standings, int *list);

/* What equal points of a Swiss tournament are told apart by. */
typedef struct TieBreaks {
    double
        buchholz; /* sum of the points of the engines that it has met, each once for an encounter */
    double berger; /* Sonneborn-Berger: those points, each times the share that it won there */
} TieBreaks;

TieBreaks standings_ties(const Standings *standings, int engine);

/* As standings_order, with equals of a Swiss tournament by Buchholz, then Sonneborn-Berger, and
 * those of a knockout, who are out in the same round, by their share of the points: for
 * tables. Who meets whom does not depend on these. */
void standings_table(const Standings *standings, int *list);

/* Adds a game that has not been added yet, and finds who meets whom next. */
void standings_add(Standings *standings, const ScheduledGame *game, const GameResult *result);

/* All games of an encounter, by colour added up. */
WinDrawLoss standings_encounter(const Standings *standings, int encounter);

/* What an encounter says about strength: pairs where games come in pairs, else games. */
ScoreSample standings_encounter_sample(const Standings *standings, int encounter);

/* Likewise of one engine against all others, from its own view. */
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
    int games;     /* in a Swiss tournament with those of rounds without an opponent, as won */
    double points; /* of these games */
    EloEstimate estimate; /* from games that were played */
} EngineRow;

EngineRow standings_row(const Standings *standings, int engine);

/* Points of one engine against another in all their encounters; false when they do not meet. */
bool standings_points(const Standings *standings, int row, int column, double *points);

#endif
