/* count.h: counts the legal moves from sets of squares, without listing them. All steps of all
 * pieces in one direction are a shift of one set; squares where promotion is optional count twice.
 * Rules as in movegen.h. */
#ifndef KMD_RULES_COUNT_H
#define KMD_RULES_COUNT_H

#include "rules/types.h"

struct Position;

/* The number of legal moves of the side to move. */
int count_legal(const struct Position *pos);

/* The sum of the numbers of legal answers to each of the given legal moves: what pos_do,
 * count_legal, pos_undo would add up to, at a fraction of the cost. Most moves leave nearly all of
 * the opponent's moves as they are, so those are counted once for the whole list. *pos is changed
 * and put back: it is as before on return. */
uint64_t count_answers(struct Position *pos, const Move *list, int count);

#endif
