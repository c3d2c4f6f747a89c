/* qleaf.h: finds the quiet position after the pending captures of a position.
 *
 * A label describes the position at the end of the search's line, and a network cannot count
 * exchanges. So each position is replaced by the leaf of a small search over captures that win
 * material (the practice of tanuki-, 2017). Leaves the position at the leaf; for the caller's
 * thread. */
#ifndef KMD_TRAIN_QLEAF_H
#define KMD_TRAIN_QLEAF_H

#include "rules/types.h"

struct Position;

/* Plays the best line of captures by material and returns its length; *first is its first move,
 * MOVE_NONE for an empty line. Nothing is played in check. The caller takes the moves back. */
int qleaf_play(struct Position *pos, Move *first);

#endif
