/* Tests the skill levels: limits must grow, and choices improve, with the level. */
#include "search/skill.h"

#include "base/rng.h"
#include "unit.h"

static void levels_grow(void) {
    CHECK(!skill_of_level(SKILL_FULL).is_limited);
    for (int level = 0; level < SKILL_FULL; level++) {
        Skill skill = skill_of_level(level);
        CHECK(skill.is_limited && skill.lines >= 1);
        CHECK(skill.depth > 0 || skill.nodes > 0);
        if (level > 0) {
            Skill below = skill_of_level(level - 1);
            bool is_deeper = skill.depth > below.depth || skill.nodes > below.nodes;
            CHECK(is_deeper || (skill.noise < below.noise && skill.lines <= below.lines));
            CHECK(skill.depth == 0 || below.depth <= skill.depth);
            CHECK(skill.depth > 0 || below.depth > 0 || skill.nodes > below.nodes);
        }
    }
}

static void ratings(void) {
    CHECK_INT(skill_level_of_elo(SKILL_MIN_ELO), 0);
    CHECK_INT(skill_level_of_elo(SKILL_MAX_ELO), SKILL_FULL);
    for (int elo = SKILL_MIN_ELO; elo < SKILL_MAX_ELO; elo += 10) {
        CHECK(skill_level_of_elo(elo) <= skill_level_of_elo(elo + 10));
    }
}

/* Ranks select the levels that docs/usi.md (Strength) compares with them. */
static void ranks(void) {
    static const struct {
        int rank, level;
    } cases[] = {{-30, 0}, {-21, 0}, {-20, 1}, {-14, 5},       {-13, 6}, {-9, 8},
                 {-8, 9},  {-3, 11}, {-2, 12}, {0, 12},        {1, 13},  {2, 14},
                 {5, 17},  {6, 18},  {7, 19},  {9, SKILL_FULL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_INT(skill_level_of_elo(skill_elo_of_rank(cases[i].rank)), cases[i].level);
    }
}

/* How much worse than the best move the chosen moves are on average. */
static double average_loss(int level, const Score *scores, int count) {
    Skill skill = skill_of_level(level);
    Rng rng = rng_init(1);
    double loss = 0;
    for (int i = 0; i < 2000; i++) {
        int chosen = skill_choose(&skill, scores, count, rng_next(&rng));
        CHECK(chosen >= 0 && chosen < count);
        loss += scores[0] - scores[chosen];
    }
    return loss / 2000;
}

static void choices(void) {
    static const Score even[] = {40, 26, 9, -9, -34, -64, -130, -260};
    double losses[] = {average_loss(0, even, 8), average_loss(6, even, 8),
                       average_loss(12, even, 8), average_loss(19, even, 8)};
    CHECK(losses[0] > losses[1] && losses[1] > losses[2] && losses[2] > losses[3]);
    CHECK(losses[3] < 0.5);
    /* From level 5 on, a move to an even game is never chosen instead of a win, but any of several
     * wins may be chosen. */
    static const Score winning[] = {31990, 100};
    CHECK(average_loss(5, winning, 2) < 0.5);
    CHECK(average_loss(0, winning, 2) > 10000);
    static const Score single[] = {-31990};
    CHECK(average_loss(0, single, 1) < 0.5);
}

UNIT_MAIN({"levels grow", levels_grow}, {"ratings", ratings}, {"ranks", ranks},
          {"choices", choices})
