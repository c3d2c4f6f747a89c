/* schedule.h: decides who plays whom in a tournament, with which colours and from which opening.
 *
 * Everything follows from the index of a game, so a tournament can be resumed anywhere and threads
 * can take games in any order. No state. */
#ifndef KMD_MATCH_SCHEDULE_H
#define KMD_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cmdline.h"

typedef enum TournamentKind {
    ROUND_ROBIN, /* every engine plays every other; with two engines this is a match */
    GAUNTLET     /* the first `seeds` engines play each of the others */
} TournamentKind;

/* The largest number of games in a tournament, and of one that a test ends. */
enum { TOTAL_MAX = 20000000, SPRT_GAMES = 2000000 };

typedef struct Schedule {
    TournamentKind kind;
    int engines;       /* >= 2 */
    int rounds;        /* >= 1 */
    int games;         /* number of games per encounter and round, >= 1 */
    bool repeats;      /* two games in a row are a pair: one opening, colours swapped */
    bool keeps_colors; /* colours are never swapped: the first engine is black */
    bool is_reversed;  /* colours are swapped in every game */
    int seeds;         /* number of engines in a gauntlet that play all others, >= 1 */
    ArgPart shard;     /* only the games of this part are played here; count 0: all games */
} Schedule;

typedef struct ScheduledGame {
    int index; /* 0 .. schedule_total() - 1 */
    int round; /* number of the round, from 0 */
    int encounter;
    int first, second; /* engine numbers, first < second */
    bool is_first_black;
    int opening; /* not limited by the number of openings: use it modulo that number */
    int pair;    /* number of the pair, or -1 if games do not come in pairs */
} ScheduledGame;

static inline int schedule_black(const ScheduledGame *game) {
    return game->is_first_black ? game->first : game->second;
}

static inline int schedule_white(const ScheduledGame *game) {
    return game->is_first_black ? game->second : game->first;
}

/* The name of a kind of tournament; NULL after the last one. */
const char *schedule_kind_name(int kind);

/* True if there are at most TOTAL_MAX games. The functions below require this. */
bool schedule_fits(const Schedule *schedule);

/* The number of encounters in each round. */
int schedule_encounters(const Schedule *schedule);

/* The two engines of an encounter. */
void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second);

/* True if every game is part of a pair. */
bool schedule_is_paired(const Schedule *schedule);

/* The number of games. */
int schedule_total(const Schedule *schedule);

ScheduledGame schedule_game(const Schedule *schedule, int index);

/* True if the game is played here. The two games of a pair are in the same part. */
bool schedule_is_in_shard(const Schedule *schedule, int index);

#endif
