/* skill.h: weaker play: shallower searches, and sometimes a move that is not the best. Pure
 * functions; weak levels answer faster. */
#ifndef KMD_SEARCH_SKILL_H
#define KMD_SEARCH_SKILL_H

#include <stdbool.h>
#include <stdint.h>

#include "search/score.h"

enum { SKILL_FULL = 20, SKILL_LEAST_ELO = 500, SKILL_MOST_ELO = 3000 };

/* How a level plays. */
typedef struct Skill {
    bool is_limited; /* false: full strength, the rest is 0 */
    int depth;       /* greatest depth; 0: no limit */
    uint64_t nodes;  /* 0: no limit */
    int lines;       /* how many of the best moves are candidates */
    int noise;       /* centipawns by which a candidate may seem better or worse than it is */
} Skill;

/* The levels 0 (a beginner) to SKILL_FULL (no limit). */
Skill skill_of_level(int level);

/* The level nearest to a rating of SKILL_LEAST_ELO .. SKILL_MOST_ELO. */
int skill_level_of_elo(int elo);

/* Which of count >= 1 candidates to play; scores are theirs, best first. */
int skill_choose(const Skill *skill, const Score *scores, int count, uint64_t random);

#endif
