#include "search/searchopt.h"

#include "base/rng.h"

/* Beyond this a game is decided: noise may hide the difference between two wins, or two losses,
 * but not that between a win and an even game. */
#define DECIDED 1300

static const Skill levels[SKILL_FULL] = {
    {true, 1, 0, 16, 300},   {true, 1, 0, 12, 190},   {true, 2, 0, 10, 170},
    {true, 2, 0, 8, 110},    {true, 2, 0, 6, 51},     {true, 4, 0, 6, 107},
    {true, 4, 0, 6, 73},     {true, 4, 0, 6, 45},     {true, 6, 0, 5, 64},
    {true, 6, 0, 5, 41},     {true, 6, 0, 4, 24},     {true, 7, 0, 4, 24},
    {true, 0, 20000, 3, 19}, {true, 0, 30000, 3, 15}, {true, 0, 50000, 3, 11},
    {true, 0, 80000, 2, 8},  {true, 0, 130000, 2, 4}, {true, 0, 220000, 1, 0},
    {true, 0, 400000, 1, 0}, {true, 0, 900000, 1, 0},
};

Skill skill_of_level(int level) {
    ASSERT(level >= 0 && level <= SKILL_FULL);
    return level < SKILL_FULL ? levels[level] : (Skill){.is_limited = false};
}

int skill_level_of_elo(int elo) {
    int range = SKILL_MOST_ELO - SKILL_LEAST_ELO;
    int above = int_clamp(elo, SKILL_LEAST_ELO, SKILL_MOST_ELO) - SKILL_LEAST_ELO;
    return (above * SKILL_FULL + range / 2) / range;
}

int skill_choose(const Skill *skill, const Score *scores, int count, uint64_t random) {
    ASSERT(count >= 1);
    Rng rng = rng_init(random);
    int best = 0;
    int best_value = INT32_MIN;
    for (int i = 0; i < int_min(count, skill->lines); i++) {
        /* The sum of two: small errors are more frequent than large ones. */
        double error = rng_unit(&rng) + rng_unit(&rng) - 1.0;
        int value = int_clamp(scores[i], -DECIDED, DECIDED) + (int)(error * skill->noise);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
