/* repetition.h: sennichite and perpetual check, over the moves that led to the position.
 *
 * Reads the state stack of the position; safe from any thread on its own position. */
#ifndef KMD_RULES_REPETITION_H
#define KMD_RULES_REPETITION_H

#include <stdbool.h>

#include "komadori/shogi.h"

struct Position;

/* The result of a repetition for the side to move. */
typedef enum Repetition {
    REP_NONE = KMD_REPETITION_NONE,
    REP_DRAW = KMD_REPETITION_DRAW, /* the same position again */
    REP_WIN =
        KMD_REPETITION_WIN, /* the opponent gave check with every move of the cycle and loses */
    REP_LOSS = KMD_REPETITION_LOSS, /* the side to move gave check with every move of the cycle and
                                       loses */
    REP_SUPERIOR,                   /* same board, the side to move has more in hand than before */
    REP_INFERIOR                    /* same board, the side to move has less in hand than before */
} Repetition;

/* The number of positions of the game that are equal to this one (board, hands, side to move),
 * including this one. Looks back to the set-up or to the last null move. */
int repetition_count(const struct Position *pos);

/* True if some position of the game, back to the last null move, has occurred that many times. Runs
 * in about n log n for a game of n moves. */
bool repetition_has_any(const struct Position *pos, int times);

/* The rule of the game. REP_NONE before the fourth occurrence. At the fourth REP_DRAW, unless all
 * moves of one side since the first of the four occurrences gave check: then REP_WIN or REP_LOSS.
 * If both sides gave check all the time, the side that gave check last loses. */
Repetition repetition_in_game(const struct Position *pos);

/* The rule for the search. Like repetition_in_game, but judged at the most recent earlier
 * occurrence within the last `equal_plies` plies. REP_SUPERIOR or REP_INFERIOR if within the last
 * `unequal_plies` (at most equal_plies) the board was the same and one hand covers the other. Does
 * not look beyond the last null move. */
Repetition repetition_in_search(const struct Position *pos, int equal_plies, int unequal_plies);

#endif
