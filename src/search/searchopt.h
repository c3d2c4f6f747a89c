/* searchopt.h: the options a search runs under: a snapshot taken when it starts, so that options
 * may change meanwhile. Plain data. */
#ifndef KMD_SEARCH_SEARCHOPT_H
#define KMD_SEARCH_SEARCHOPT_H

#include "search/score.h"
#include "search/timeman.h"

/* In skill.c: playing weaker on purpose: shallower searches, and now and then a move that is not
 * the best. Pure; no time is wasted, weak levels answer faster. */

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

/* The level that stands nearest to a rating of SKILL_LEAST_ELO .. SKILL_MOST_ELO. */
int skill_level_of_elo(int elo);

/* Which of count >= 1 candidates to play; scores are theirs, best first. */
int skill_choose(const Skill *skill, const Score *scores, int count, uint64_t random);

typedef struct SearchOptions {
    int multi_pv; /* >= 1 */
    KmdDeclareRule declare;
    int max_plies;            /* a game with this many moves is drawn; 0: no limit */
    int draw_value[COLOR_NB]; /* what a draw is worth to the engine when it plays that colour */
    int resign_value;         /* resign at -this or worse */
    int pv_interval_ms;       /* least time between reports */
    bool reports_fail;        /* also report bounds of failed windows */
    bool has_all_moves;       /* search non-promotions of pawn, lance, bishop and rook too */
    int depth_limit;          /* 0: none */
    uint64_t nodes_limit;     /* 0: none */
    int attack_bias; /* what each piece near the enemy king adds to the evaluation of the side to
                        move at the root: a player for training data; 0 usually */
    Skill skill;
    TimeOptions time;
} SearchOptions;

#endif
