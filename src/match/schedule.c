/* schedule.c: which two engines meet in which game, with which colours and opening, computed from
 * the number of the game. */
#include "match/schedule.h"

#include "base/base.h"

static int seeds_of(const Schedule *schedule) {
    return int_max(schedule->seeds, 1);
}

int schedule_encounters(const Schedule *schedule) {
    return schedule->kind == GAUNTLET
               ? seeds_of(schedule) * (schedule->engines - seeds_of(schedule))
               : schedule->engines * (schedule->engines - 1) / 2;
}

int64_t schedule_round_games(const Schedule *schedule) {
    return (int64_t)schedule_encounters(schedule) * schedule->games;
}

bool schedule_fits(const Schedule *schedule) {
    return schedule_round_games(schedule) <= TOTAL_MAX / schedule->rounds;
}

void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second) {
    ASSERT(encounter >= 0 && encounter < schedule_encounters(schedule));
    if (schedule->kind == GAUNTLET) {
        int others = schedule->engines - seeds_of(schedule);
        *first = encounter / others;
        *second = seeds_of(schedule) + encounter % others;
        return;
    }
    /* Engine i meets the engines - 1 - i engines after it. */
    int left = schedule->engines - 1;
    for (*first = 0; encounter >= left; ++*first) {
        encounter -= left;
        left--;
    }
    *second = *first + 1 + encounter;
}

bool schedule_is_paired(const Schedule *schedule) {
    return schedule->repeats && schedule->games % 2 == 0;
}

int schedule_total(const Schedule *schedule) {
    return schedule->rounds * schedule_encounters(schedule) * schedule->games;
}

int schedule_openings(const Schedule *schedule) {
    int total = schedule_total(schedule);
    return schedule_is_paired(schedule) ? total / 2 : total;
}

ScheduledGame schedule_game(const Schedule *schedule, int index) {
    ASSERT(index >= 0 && index < schedule_total(schedule));
    int encounters = schedule_encounters(schedule), in_encounter = index % schedule->games;
    ScheduledGame game = {.index = index,
                          .round = index / (schedule->games * encounters),
                          .encounter = index / schedule->games % encounters};
    schedule_opponents(schedule, game.encounter, &game.first, &game.second);
    game.pair = schedule_is_paired(schedule) ? index / 2 : -1;
    game.opening = game.pair >= 0 ? game.pair : index;
    /* If the number of games is odd, colours continue to alternate from round to round. */
    game.is_first_black =
        schedule->keeps_colors || (in_encounter + game.round * schedule->games) % 2 == 0;
    game.is_first_black ^= schedule->is_reversed;
    return game;
}
