/* attacks.h: where pieces can go on a board, lines between squares.
 *
 * Tables are filled once by attacks_init (rules_init in position.h calls it); afterwards they are
 * only read, from any thread. */
#ifndef KMD_RULES_ATTACKS_H
#define KMD_RULES_ATTACKS_H

#include "rules/bitboard.h"

/* Fills the tables; idempotent, but not to be called from two threads at once. */
void attacks_init(void);

/* Squares a piece attacks with the given squares occupied. An occupied square ends a line and
 * belongs to it. */
Bitboard attacks_lance(Color color, Square sq, Bitboard occupied);
Bitboard attacks_bishop(Square sq, Bitboard occupied);
Bitboard attacks_rook(Square sq, Bitboard occupied);

/* PAWN, KNIGHT, SILVER, GOLD (and what moves like it), KING: one table look-up. */
Bitboard attacks_step(Color color, PieceType type, Square sq);

/* Any type. */
Bitboard attacks_of(Color color, PieceType type, Square sq, Bitboard occupied);

/* Squares strictly between two squares on a common rank, file or diagonal; empty otherwise. */
Bitboard bb_between(Square a, Square b);

/* The whole line through two different squares, both included; empty when they share none. */
Bitboard bb_line(Square a, Square b);

/* True when the three squares, a and b different, lie on one line. */
bool sq_aligned(Square a, Square b, Square c);

#endif
