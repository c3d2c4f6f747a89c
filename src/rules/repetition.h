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
        KMD_REPETITION_WIN, /* the opponent has given check all the way round: the opponent loses */
    REP_LOSS =
        KMD_REPETITION_LOSS, /* the side to move has given check all the way round and loses */
    REP_SUPERIOR,            /* same board, side to move has more in hand than before */
    REP_INFERIOR             /* same board, side to move has less in hand than before */
} Repetition;

/* How many positions of the game so far equal this one (board, hands, side), this one included:
 * at least 1. The whole history since the position was set up counts, across null moves none. */
int rep_count(const struct Position *pos);

/* True when some position of the game so far, back to the last null move, has occurred that many
 * times. Takes hardly more than twice as long for a game of twice the length. */
bool rep_has_any(const struct Position *pos, int times);

/* The rule of the game: REP_NONE before the fourth occurrence; at the fourth REP_DRAW, or REP_WIN /
 * REP_LOSS when every move of one side from the first of the four occurrences on gave check.
 * Should both sides have checked all the way round, the side whose check came last is the loser. */
Repetition rep_game(const struct Position *pos);

/* For the search: as rep_game, at the first earlier occurrence within the last `equal_plies` plies
 * (the most recent one decides), and REP_SUPERIOR / REP_INFERIOR where within the last
 * `unequal_plies`, which are no more, the board is the same and one hand covers the other. Looks no
 * further back than the last null move. */
Repetition rep_search(const struct Position *pos, int equal_plies, int unequal_plies);

#endif
