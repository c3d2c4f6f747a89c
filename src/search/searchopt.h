/* searchopt.h: the options a search runs under: a snapshot taken when it starts, so that options
 * may change meanwhile. Plain data. */
#ifndef KMD_SEARCH_SEARCHOPT_H
#define KMD_SEARCH_SEARCHOPT_H

#include "search/score.h"
#include "search/skill.h"
#include "search/timeman.h"

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
