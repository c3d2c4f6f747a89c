/* skill.c: the table of skill levels, and the choice of a move by adding noise to the scores. */
#include "search/skill.h"

#include "base/rng.h"

/* A score of more centipawns than this means that the game is decided. Noise may hide the
 * difference between two wins or between two losses, but not the difference between a win and an
 * even game. */
#define DECIDED 1300

/* Each row is {is_limited, depth, nodes, lines, noise}. Level 0 plays only slightly better than
 * random: the noise is larger than the piece values. docs/tuning.md (Levels) says what halving the
 * noise gains. */
static const Skill levels[SKILL_FULL] = {
    {true, 1, 0, 200, 16000}, {true, 1, 0, 200, 3900}, {true, 1, 0, 200, 2500},
    {true, 1, 0, 200, 1500},  {true, 1, 0, 200, 780},  {true, 1, 0, 200, 450},
    {true, 1, 0, 24, 310},    {true, 1, 0, 16, 235},   {true, 1, 0, 12, 170},
    {true, 2, 0, 10, 110},    {true, 4, 0, 6, 60},     {true, 5, 0, 5, 50},
    {true, 6, 0, 5, 80},      {true, 7, 0, 4, 40},     {true, 0, 10000, 3, 22},
    {true, 0, 15000, 3, 20},  {true, 0, 22000, 3, 18}, {true, 0, 34000, 3, 14},
    {true, 0, 60000, 3, 10},  {true, 0, 180000, 2, 4},
};

Skill skill_of_level(int level) {
    ASSERT(level >= 0 && level <= SKILL_FULL);
    return level < SKILL_FULL ? levels[level] : (Skill){.is_limited = false};
}

int skill_level_of_elo(int elo) {
    int range = SKILL_MAX_ELO - SKILL_MIN_ELO;
    int above = int_clamp(elo, SKILL_MIN_ELO, SKILL_MAX_ELO) - SKILL_MIN_ELO;
    return (above * SKILL_FULL + range / 2) / range;
}

int skill_elo_of_rank(int rank) {
    /* The weakest rank of each level above 0, as docs/usi.md (Strength) estimates them. */
    static const int weakest[SKILL_FULL] = {-20, -19, -17, -16, -14, -13, -11, -9, -8, -6,
                                            -4,  -2,  1,   2,   3,   4,   5,   6,  7,  8};
    int level = 0;
    while (level < SKILL_FULL && rank >= weakest[level]) {
        level++;
    }
    return SKILL_MIN_ELO + level * (SKILL_MAX_ELO - SKILL_MIN_ELO) / SKILL_FULL;
}

int skill_choose(const Skill *skill, const Score *scores, int count, uint64_t random) {
    ASSERT(count >= 1);
    Rng rng = rng_init(random);
    int best = 0;
    int best_value = INT32_MIN;
    for (int i = 0; i < int_min(count, skill->lines); i++) {
        /* Adding two random numbers makes small errors more frequent than large ones. */
        double error = rng_unit(&rng) + rng_unit(&rng) - 1.0;
        int value = int_clamp(scores[i], -DECIDED, DECIDED) + (int)(error * skill->noise);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
