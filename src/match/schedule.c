/* schedule.c: which two engines meet in which game, with which colours and opening, computed from
 * the number of the game. */
#include "match/schedule.h"

#include "base/base.h"
#include "base/rng.h"

static int seeds_of(const Schedule *schedule) {
    return int_max(schedule->seeds, 1);
}

/* The number of encounters in each round; in a knockout, in all rounds together. */
static int encounters_of_round(const Schedule *schedule) {
    switch (schedule->kind) {
    case ROUND_ROBIN:
        return schedule->engines * (schedule->engines - 1) / 2;
    case GAUNTLET:
        return seeds_of(schedule) * (schedule->engines - seeds_of(schedule));
    case SWISS:
        return schedule->engines / 2;
    default:
        return schedule->engines - 1;
    }
}

/* The number of consecutive games of an encounter, including possible repetitions. */
static int block_of(const Schedule *schedule) {
    return schedule->games * (schedule->kind == KNOCKOUT ? KNOCKOUT_TRIES : 1);
}

int64_t schedule_round_games(const Schedule *schedule) {
    return (int64_t)encounters_of_round(schedule) * block_of(schedule);
}

bool schedule_fits(const Schedule *schedule) {
    int rounds = schedule->kind == KNOCKOUT ? 1 : schedule->rounds;
    return schedule_round_games(schedule) <= TOTAL_MAX / rounds;
}

int schedule_encounters(const Schedule *schedule) {
    int encounters = encounters_of_round(schedule);
    return schedule->kind == SWISS ? schedule->rounds * encounters : encounters;
}

int schedule_rounds(const Schedule *schedule) {
    int rounds = schedule->rounds;
    if (schedule->kind == KNOCKOUT) {
        rounds = 0;
        for (int left = schedule->engines; left > 1; left = (left + 1) / 2) {
            rounds++;
        }
    }
    return rounds;
}

int schedule_first_encounter(const Schedule *schedule, int round) {
    int encounter = round * (schedule->engines / 2);
    if (schedule->kind == KNOCKOUT) {
        encounter = 0;
        int left = schedule->engines;
        for (int i = 0; i < round; i++) {
            encounter += left / 2;
            left = (left + 1) / 2;
        }
    }
    return encounter;
}

void schedule_opponents(const Schedule *schedule, int encounter, int *first, int *second) {
    ASSERT(encounter >= 0 && encounter < schedule_encounters(schedule));
    if (schedule_is_open(schedule)) {
        *first = *second = -1;
        return;
    }
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
    int rounds = schedule_is_open(schedule) ? 1 : schedule->rounds;
    return rounds * schedule_encounters(schedule) * block_of(schedule);
}

int schedule_openings(const Schedule *schedule) {
    int total = schedule_total(schedule);
    return schedule_is_paired(schedule) ? total / 2 : total;
}

/* Draws lots for colours: heads or tails, like the throw of pieces before a shogi game. */
static bool throw_lot(const Schedule *schedule, int unit) {
    uint64_t state = schedule->seed + ((uint64_t)unit << 32);
    return rng_splitmix(&state) >> 63 != 0;
}

ScheduledGame schedule_game(const Schedule *schedule, int index) {
    ASSERT(index >= 0 && index < schedule_total(schedule));
    int encounters = schedule_encounters(schedule);
    int block = block_of(schedule), in_encounter = index % block;
    ScheduledGame game = {.index = index, .encounter = index / block % encounters};
    game.round = index / (block * encounters);
    if (schedule_is_open(schedule)) {
        while (game.round + 1 < schedule_rounds(schedule) &&
               schedule_first_encounter(schedule, game.round + 1) <= game.encounter) {
            game.round++;
        }
    }
    schedule_opponents(schedule, game.encounter, &game.first, &game.second);
    game.pair = schedule_is_paired(schedule) ? index / 2 : -1;
    game.opening = game.pair >= 0 ? game.pair : index;
    /* If the number of games is odd, colours continue to alternate from round to round. */
    game.is_first_black =
        schedule->keeps_colors || (in_encounter + game.round * schedule->games) % 2 == 0;
    game.is_first_black ^= schedule->is_reversed;
    if (schedule->has_furigoma) {
        game.is_first_black ^= throw_lot(schedule, game.opening);
    }
    return game;
}
