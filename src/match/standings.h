/* standings.h: a tournament and its results so far: who plays by which rules, and the sums of the
 * games that have ended. Only one thread at a time may use the standings. */
#ifndef KMD_MATCH_STANDINGS_H
#define KMD_MATCH_STANDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"
#include "match/elo.h"
#include "match/openings.h"
#include "match/schedule.h"
#include "play/enginespec.h"
#include "play/gameresult.h"
#include "play/referee.h"
#include "rules/outcome.h"

/* A tournament: engines, schedule, openings and rules. It is filled in before the first game and
 * only read while games run, by any thread. If zero-initialised, there is nothing to free. */
typedef struct Contest {
    EngineSpec *engines; /* owned, including their members */
    int engine_count;
    Schedule schedule;
    bool has_no_end; /* the SPRT ends the match; the number of rounds is only an upper limit */
    OpeningsOptions openings_rules;
    Openings openings; /* owned */
    OutcomeRules rules;
    AdjudicationOptions adjudication;
    SprtTest sprt;     /* sprt.alpha 0: none */
    int concurrency;   /* number of games played at once */
    int64_t seed;      /* of the order of the openings */
    const char *event; /* NULL: not given; likewise `site` */
    const char *site;
    Args command; /* the words of the command line */
} Contest;

/* The results of one player from its own point of view. */
typedef struct WinDrawLoss {
    int wins, draws, losses;
} WinDrawLoss;

/* The results of an encounter from the first engine's point of view. */
typedef struct EncounterScore {
    int first, second;              /* the engines */
    WinDrawLoss by_color[COLOR_NB]; /* results of the first engine as black and as white */
    ScoreSample pairs;              /* complete pairs only */
} EncounterScore;

/* Data about an engine besides its results. */
typedef struct EngineScore {
    PlayerStats stats;
    int faults[ENDED_NB]; /* games lost by its own fault, by reason */
} EngineScore;

typedef struct Standings {
    const Contest *contest;
    int total;  /* number of games in the whole tournament */
    int wanted; /* number of games to be played here: all, or those of a shard */
    int done;
    int done_before; /* games that were read from a file of results */
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

void standings_init(Standings *standings, const Contest *contest);
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

/* The results of one engine against another, or against all others if `opponent` is -1. */
WinDrawLoss standings_engine(const Standings *standings, int engine, int opponent);

/* The sample of one engine against all others, and the estimate from it. */
ScoreSample standings_engine_sample(const Standings *standings, int engine);
EloEstimate standings_engine_elo(const Standings *standings, int engine);

static inline int wdl_games(const WinDrawLoss *score) {
    return score->wins + score->draws + score->losses;
}

static inline double wdl_points(const WinDrawLoss *score) {
    return score->wins + score->draws / 2.0;
}

#endif
