/* searchopt.h: the options of one search. The table in engine/options.c sets most of them. The
 * options are copied when the search starts, so the originals may change while the search runs.
 * Plain data. */
#ifndef KMD_SEARCH_SEARCHOPT_H
#define KMD_SEARCH_SEARCHOPT_H

#include "search/score.h"
#include "search/skill.h"
#include "search/timeman.h"

typedef struct SearchOptions {
    int multi_pv; /* >= 1 */
    KmdDeclareRule entering_king_rule;
    int max_moves_to_draw;         /* a game with this many moves is drawn; 0: no limit */
    int draw_value[COLOR_NB];      /* value of a draw when the engine plays that colour */
    bool is_analysis;              /* search on even if a declaration wins */
    int resign_value;              /* resign at a score of -resign_value or worse */
    int pv_interval;               /* minimum time between reports in milliseconds */
    bool output_fail_lhpv;         /* also report fail highs and fail lows at the root */
    bool generate_all_legal_moves; /* also search non-promotions of pawn, lance, bishop and rook */
    int depth_limit;               /* 0: none */
    uint64_t nodes_limit;          /* 0: none */
    Skill skill;
    TimeOptions time;
} SearchOptions;

#endif
