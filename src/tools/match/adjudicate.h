/* adjudicate.h: ends games whose result the players' own scores agree on. Plain data and
 * arithmetic. The rules are those of cutechess-cli (I. Jonsson et al.): resign and draw. */
#ifndef KMD_MATCH_ADJUDICATE_H
#define KMD_MATCH_ADJUDICATE_H

#include <stdbool.h>

#include "rules/outcome.h"
#include "tools/match/usiline.h"

/* A rule with movecount 0 is off. */
typedef struct AdjudicationRules {
    int resign_moves;      /* so many moves of a side in a row ... */
    int resign_score;      /* ... at or below minus this lose */
    bool is_resign_mutual; /* the other side must see it as well */
    int draw_moves;        /* so many moves in a row of both sides ... */
    int draw_score;        /* ... within this of 0 are a draw ... */
    int draw_from_ply;     /* ... once this many plies have been played */
} AdjudicationRules;

/* What has been seen in a game; zero-initialise. */
typedef struct Adjudicator {
    int losing_run[COLOR_NB];  /* latest moves of the side in a row with a lost score */
    int winning_run[COLOR_NB]; /* likewise with a won score */
    int draw_run[COLOR_NB];
} Adjudicator;

/* Notes the score that came with `side`'s move, the ply-th of the game, and returns who has won by
 * now: KMD_WINNER_NONE while the game goes on. */
KmdWinner adjudicate_move(Adjudicator *adjudicator, const AdjudicationRules *rules, Color side,
                          const UsiInfo *info, int ply);

#endif
