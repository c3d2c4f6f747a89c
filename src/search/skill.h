/* skill.h: limited strength: shallower searches, and a random choice among the best moves. Lower
 * levels answer faster. Pure functions. */
#ifndef KMD_SEARCH_SKILL_H
#define KMD_SEARCH_SKILL_H

#include <stdbool.h>
#include <stdint.h>

#include "search/score.h"

enum {
    SKILL_FULL = 20,
    SKILL_MIN_ELO = 500,
    SKILL_MAX_ELO = 3000,
    SKILL_MIN_RANK = -30,
    SKILL_MAX_RANK = 9
};

/* The limits of a level. */
typedef struct Skill {
    bool is_limited; /* false: full strength; all other members are 0 */
    int depth;       /* maximum depth; 0: no limit */
    uint64_t nodes;  /* 0: no limit */
    int lines;       /* number of best moves to choose from */
    int noise; /* amplitude in centipawns of the random error added to each candidate's score */
} Skill;

/* The levels 0 (a beginner) to SKILL_FULL (no limit). */
Skill skill_of_level(int level);

/* The level nearest to a rating of SKILL_MIN_ELO .. SKILL_MAX_ELO. */
int skill_level_of_elo(int elo);

/* The rating of the level that plays about as well as this amateur rank, SKILL_MIN_RANK to
 * SKILL_MAX_RANK: -3 is 3 kyu, 1 is 1 dan, and 0 counts as 1 kyu. */
int skill_elo_of_rank(int rank);

/* The index of the candidate to play. scores[0..count-1] are the candidates' scores, best first;
 * count is at least 1. */
int skill_choose(const Skill *skill, const Score *scores, int count, uint64_t random);

#endif
