/* schedule.c: which two engines meet in which game, with which colours and opening, computed from
 * the number of the game. */
#include "match/schedule.h"

#include "base/base.h"

const char *schedule_kind_name(int kind) {
    static const char *const names[] = {[ROUND_ROBIN] = "round-robin", [GAUNTLET] = "gauntlet"};
    return kind < (int)COUNTOF(names) ? names[kind] : NULL;
}

int schedule_encounters(const Schedule *schedule) {
    return schedule->kind == GAUNTLET ? schedule->seeds * (schedule->engines - schedule->seeds)
                                      : schedule->engines * (schedule->engines - 1) / 2;
}

bool schedule_fits(const Schedule *schedule) {
    int64_t games = (int64_t)schedule_encounters(schedule) * schedule->games; /* of a round */
    return games <= TOTAL_MAX / schedule->rounds;
}

void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second) {
    ASSERT(encounter >= 0 && encounter < schedule_encounters(schedule));
    if (schedule->kind == GAUNTLET) {
        int others = schedule->engines - schedule->seeds;
        *first = encounter / others;
        *second = schedule->seeds + encounter % others;
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

bool schedule_is_in_shard(const Schedule *schedule, int index) {
    const ArgPart *shard = &schedule->shard;
    int unit = schedule_is_paired(schedule) ? index / 2 : index;
    return shard->count == 0 || unit % shard->count == shard->number - 1;
}
