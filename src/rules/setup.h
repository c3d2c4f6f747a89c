/* setup.h: what a position is set up from: plain data, and whether it can be played from. */
#ifndef KMD_RULES_SETUP_H
#define KMD_RULES_SETUP_H

#include "rules/types.h"

/* A board, the hands and whose turn it is, valid or not. */
typedef struct Setup {
    Piece board[SQ_NB];
    Hand hand[COLOR_NB];
    Color side;
    int ply; /* number of the next move, from 1 */
} Setup;

typedef enum SetupFault {
    SETUP_OK,
    SETUP_TOO_MANY,         /* more pieces of a kind than a set has */
    SETUP_TWO_KINGS,        /* two kings of a side */
    SETUP_NIFU,             /* two unpromoted pawns of a side on a file */
    SETUP_DEAD_PIECE,       /* a piece that can never move */
    SETUP_OPPONENT_IN_CHECK /* the side not to move is in check */
} SetupFault;

/* Checks that a position can be played from; *where (may be NULL) is the square of the fault, or
 * SQ_NONE when it lies in a hand. Missing kings and missing pieces are no fault. */
SetupFault setup_check(const Setup *setup, Square *where);

/* As setup_check, but lets pass more pieces of a kind than a set has, up to what one hand has room
 * for. Such positions occur in collections of perft counts; nothing else should meet them. */
SetupFault setup_check_oversized(const Setup *setup, Square *where);

/* The start of an even game. */
Setup setup_start(void);

#endif
