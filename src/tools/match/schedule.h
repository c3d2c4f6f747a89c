/* schedule.h: which game comes when: who plays whom, with which colours, from which opening.
 *
 * Everything follows from the index of a game, so a tournament can be taken up again anywhere and
 * games can be given out to threads in any order. No state. */
#ifndef KMD_MATCH_SCHEDULE_H
#define KMD_MATCH_SCHEDULE_H

#include <stdbool.h>

typedef enum TournamentKind {
    ROUND_ROBIN, /* everybody against everybody; with two engines a match */
    GAUNTLET     /* engine 0 against each of the others */
} TournamentKind;

typedef struct Schedule {
    TournamentKind kind;
    int engines;  /* >= 2 */
    int rounds;   /* >= 1 */
    int games;    /* per encounter and round, >= 1 */
    bool repeats; /* two games in a row are a pair: one opening, colours swapped */
} Schedule;

typedef struct ScheduledGame {
    int index; /* 0 .. schedule_total() - 1 */
    int round; /* from 0 */
    int encounter;
    int first; /* engine numbers; first < second */
    int second;
    bool is_first_black;
    int opening; /* counts on without end: take it modulo the number of openings */
    int pair;    /* number of the pair, or -1 where games do not come in pairs */
} ScheduledGame;

/* Pairs of opponents in a round. */
int schedule_encounters(const Schedule *schedule);

/* The two engines of an encounter. */
void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second);

/* True when every game is part of a pair. */
bool schedule_is_paired(const Schedule *schedule);

/* The number of games; rounds * encounters * games must fit an int. */
int schedule_total(const Schedule *schedule);

/* The number of openings that would make every pair, or every single game, begin in its own way. */
int schedule_openings(const Schedule *schedule);

ScheduledGame schedule_game(const Schedule *schedule, int index);

#endif
