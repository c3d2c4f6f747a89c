/* count.h: how many legal moves there are, from sets of squares, without writing one.
 *
 * All steps of all pieces in one direction are a shift of one set; squares where a piece may
 * promote or not count twice. Rules as in movegen.h. */
#ifndef KMD_RULES_COUNT_H
#define KMD_RULES_COUNT_H

#include "rules/types.h"

struct Position;

/* Fills the tables; rules_init calls it, after attacks_init. */
void count_init(void);

/* The number of legal moves of the side to move. */
int count_legal(const struct Position *pos);

/* The number of legal answers to a legal move: count_legal after pos_do, at a fraction of the
 * cost. *pos is changed and put back: it is as before on return. */
int count_replies(struct Position *pos, Move move);

#endif
