/* count.h: counts the legal moves with bitboards, without listing them. One shift of a set makes
 * the steps of all pieces in one direction; squares where promotion is optional count twice. The
 * rules are those of movegen.h. */
#ifndef KMD_RULES_COUNT_H
#define KMD_RULES_COUNT_H

#include "rules/types.h"

struct Position;

/* The number of legal moves of the side to move. */
int count_legal(const struct Position *pos);

/* The total number of legal answers to the given legal moves, as if count_legal were called after
 * each of them, at a fraction of the cost. Most moves leave nearly all of the opponent's moves
 * unchanged, so these are counted once for the whole list. *pos is changed and restored. */
uint64_t count_answers(struct Position *pos, const Move *list, int count);

#endif
