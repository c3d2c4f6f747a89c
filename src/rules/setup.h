/* setup.h: the description of a position as plain data, and whether it is playable. No state: safe
 * from every thread. */
#ifndef KMD_RULES_SETUP_H
#define KMD_RULES_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/types.h"

/* A board, the hands and whose turn it is, valid or not. */
typedef struct Setup {
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    Color side;
    int ply; /* number of the next move, from 1 */
} Setup;

/* Checks that a position can be played from; *where (may be NULL) is the square of the fault, or
 * SQ_NONE when it lies in a hand. Missing kings and missing pieces are no fault.
 * The answer is one of the KMD_ERROR_SFEN_... that concern a whole position, or KMD_OK. */
KmdError setup_check(const Setup *setup, Square *where);

/* Whether moves can be played from a position, though it may have what breaks the rules and games
 * anyway begin with: two pawns of a side on a file, or a piece that can never move. */
bool setup_is_playable(const Setup *setup);

/* The start of an even game. */
Setup setup_start(void);

/* The parts of its key: board with the side to move, and hands. */
void setup_keys(const Setup *setup, uint64_t *board_key, uint64_t *hand_key);

#endif
