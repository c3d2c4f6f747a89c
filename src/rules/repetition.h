/* repetition.h: detects sennichite and perpetual check in the moves that led to the position.
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
    REP_DRAW = KMD_REPETITION_DRAW, /* the position has repeated */
    REP_WIN = KMD_REPETITION_WIN,   /* every move of the opponent in the cycle gave check */
    REP_LOSS = KMD_REPETITION_LOSS, /* each of its own moves in the cycle gave check */
    REP_SUPERIOR,                   /* same board, the side to move has gained hand pieces */
    REP_INFERIOR                    /* same board, the side to move has lost hand pieces */
} Repetition;

/* How often the current position (board, hands, side to move) has occurred in the game, counting
 * now. Looks back to the set-up or to the last null move. */
int repetition_count(const struct Position *pos);

/* True if any position since the last null move has occurred at least `times` times. Takes about n
 * log n steps for a game of n moves. */
bool repetition_has_any(const struct Position *pos, int times);

/* Applies the rule of the game. Returns REP_NONE before the fourth occurrence. At the fourth,
 * returns REP_DRAW, or REP_WIN or REP_LOSS if all moves of one side since the first occurrence gave
 * check. If all moves of both sides did, the side that gave check last loses. */
Repetition repetition_in_game(const struct Position *pos);

/* Looks for a return to a position of the last `plies` plies, the line of a search. Returns
 * REP_DRAW, or REP_WIN or REP_LOSS if all moves of one side since then gave check; REP_SUPERIOR or
 * REP_INFERIOR if only the board is the same and the hand is better or worse. Does not look beyond
 * the last null move. */
Repetition repetition_in_line(const struct Position *pos, int plies);

#endif
