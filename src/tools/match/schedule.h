/* schedule.h: who plays whom in a tournament, with which colours, from which opening. Everything
 * follows from the index of a game, so a tournament can be taken up again anywhere and games can be
 * given out to threads in any order. No state. */
#ifndef KMD_MATCH_SCHEDULE_H
#define KMD_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum TournamentKind {
    ROUND_ROBIN, /* everybody against everybody; with two engines a match */
    GAUNTLET,    /* the first `seeds` engines against each of the others */
    KNOCKOUT,    /* who loses an encounter goes out; who meets whom follows from the results */
    SWISS        /* in each round equals meet equals, and nobody twice; likewise */
} TournamentKind;

/* A knockout's encounter that is tied is played again, this many times in all; engines of a
 * tournament where who meets whom follows from results, at most. */
enum { KNOCKOUT_TRIES = 4, OPEN_ENGINES_MOST = 256 };

typedef struct Schedule {
    TournamentKind kind;
    int engines;       /* >= 2 */
    int rounds;        /* >= 1 */
    int games;         /* per encounter and round, >= 1 */
    bool repeats;      /* two games in a row are a pair: one opening, colours swapped */
    bool keeps_colors; /* colours are never swapped: the first engine is black */
    bool has_furigoma; /* who is black in the first game of a pair is drawn by lot, from seed */
    bool is_reversed;  /* colours are swapped in every game */
    int seeds;         /* of a gauntlet; 0 is 1 */
    uint64_t seed;
} Schedule;

typedef struct ScheduledGame {
    int index; /* 0 .. schedule_total() - 1 */
    int round; /* from 0 */
    int encounter;
    int first; /* engine numbers, first < second; -1 where they follow from results */
    int second;
    bool is_first_black;
    int opening; /* counts on without end: take it modulo the number of openings */
    int pair;    /* number of the pair, or -1 where games do not come in pairs */
} ScheduledGame;

static inline int schedule_black(const ScheduledGame *game) {
    return game->is_first_black ? game->first : game->second;
}

static inline int schedule_white(const ScheduledGame *game) {
    return game->is_first_black ? game->second : game->first;
}

/* True where who meets whom follows from results: standings_game knows. */
static inline bool schedule_is_open(const Schedule *schedule) {
    return schedule->kind == KNOCKOUT || schedule->kind == SWISS;
}

/* Pairs of opponents: those of each round, or where they follow from results of all rounds. */
int schedule_encounters(const Schedule *schedule);

/* Where they follow from results: the rounds, and the first encounter of a round, from 0. */
int schedule_rounds(const Schedule *schedule);
int schedule_first_encounter(const Schedule *schedule, int round);

/* The two engines of an encounter; -1 where they follow from results. */
void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second);

/* True when every game is part of a pair. */
bool schedule_is_paired(const Schedule *schedule);

/* The number of games, at most; rounds * encounters * games must fit an int. */
int schedule_total(const Schedule *schedule);

/* The number of openings that would make every pair, or every single game, begin in its own way. */
int schedule_openings(const Schedule *schedule);

ScheduledGame schedule_game(const Schedule *schedule, int index);

#endif
