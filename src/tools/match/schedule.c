#include "tools/match/schedule.h"

#include "base/base.h"

int schedule_encounters(const Schedule *schedule) {
    return schedule->kind == GAUNTLET ? schedule->engines - 1
                                      : schedule->engines * (schedule->engines - 1) / 2;
}

void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second) {
    ASSERT(encounter >= 0 && encounter < schedule_encounters(schedule));
    *first = 0;
    if (schedule->kind == ROUND_ROBIN) {
        /* Engine i meets the engines - 1 - i engines behind it. */
        int left = schedule->engines - 1;
        while (encounter >= left) {
            encounter -= left;
            left--;
            ++*first;
        }
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
    int encounters = schedule_encounters(schedule);
    int in_encounter = index % schedule->games;
    ScheduledGame game = {.index = index,
                          .round = index / (schedule->games * encounters),
                          .encounter = index / schedule->games % encounters};
    schedule_opponents(schedule, game.encounter, &game.first, &game.second);
    /* With an odd number of games the colours go on alternating over the rounds. */
    game.is_first_black = (in_encounter + game.round * schedule->games) % 2 == 0;
    game.pair = schedule_is_paired(schedule) ? index / 2 : -1;
    game.opening = game.pair >= 0 ? game.pair : index;
    return game;
}
