/* labels.h: computes the label of each position of a game. No state: safe from every thread. */
#ifndef KMD_TRAIN_LABELS_H
#define KMD_TRAIN_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/packed.h"
#include "rules/types.h"

/* The result for `side`: 1 won, 0 drawn, -1 lost. */
int label_result(KmdWinner winner, Color side);

/* True for a mate's score. */
bool label_is_mate(int score);

/* Fills labels[0 .. move_count - 1] with the mover's score in centipawns, or PACK_NO_SCORE where
 * there is none. The label of a mate is almost certain. `scale` is in centipawns per unit of
 * the sigmoid that makes chances of scores; 0: not known yet.
 *
 * The later scores of a game come from searches that looked further ahead from here. So a label is,
 * as a chance to win, the score itself and with the share `lookahead` the label of the next
 * position (TD(lambda), Sutton 1988), a mate's apart. After the last score comes the result,
 * unless mere scores decided the game. Not in a game of unlike players: the other may have let the
 * chance go. */
void labels_find(const PackedGame *game, double scale, double lookahead, int16_t *labels);

#endif
