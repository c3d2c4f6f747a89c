/* setup.h: a position as plain data, its keys with their Zobrist numbers, and whether it is
 * playable. Stateless; safe from
 * every thread. */
#ifndef KMD_RULES_SETUP_H
#define KMD_RULES_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/types.h"

/* A board, the hands and the side to move. The position need not be valid. */
typedef struct Setup {
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    Color side;
    int ply; /* number of the next move, from 1 */
} Setup;

/* Checks that a position is valid. *where (may be NULL) is the square of the fault, or SQ_NONE if
 * the fault is in a hand. Missing kings and missing pieces are allowed. Returns KMD_OK, or one of
 * the KMD_ERROR_SFEN_ errors that concern a whole position. */
KmdError setup_check(const Setup *setup, Square *where);

/* True if moves can be made from a position. The position may break two rules that some games break
 * at the start: it may have two pawns of a side on a file, and a piece that can never move. */
bool setup_is_playable(const Setup *setup);

/* Gives all pieces that are neither on the board nor in a hand to this side's hand. */
void setup_add_missing(Setup *setup, Color side);

/* The start position of an even game. */
Setup setup_start(void);

/* The random numbers that make up the keys of a position, the same on every machine. The board key
 * is the exclusive or of a number for each piece on its square and, if white is to move, another
 * number (Zobrist 1970). The hand key is the sum of one number for each piece in hand: adding or
 * removing a piece takes one addition or subtraction, and equal hands have equal keys however they
 * came about. pos_init_tables fills the tables once; afterwards they are only read. */
extern uint64_t setup_zobrist_board[PIECE_NB][SQ_NB];
extern uint64_t setup_zobrist_hand[COLOR_NB][HAND_TYPE_NB];
extern uint64_t setup_zobrist_side; /* part of the key if WHITE is to move */

/* Fills these tables; pos_init_tables calls it. */
void setup_init_zobrist(void);

/* Computes the two parts of a position's key: the board with the side to move, and the hands. */
void setup_keys(const Setup *setup, uint64_t *board_key, uint64_t *hand_key);

#endif
