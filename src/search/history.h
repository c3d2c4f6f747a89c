/* history.h: how often moves were good elsewhere in the tree, to try the best first. Belongs to one
 * worker. Source of the idea: Schaeffer (1983); of the update with gravity: Buro's and later
 * engines' practice. */
#ifndef KMD_SEARCH_HISTORY_H
#define KMD_SEARCH_HISTORY_H

#include "rules/types.h"

enum { HISTORY_ORIGINS = SQ_NB + HAND_TYPE_NB, HISTORY_MOST = 8192 };

/* Zero-initialised it knows nothing. */
typedef struct History {
    int16_t quiet[COLOR_NB][HISTORY_ORIGINS][SQ_NB]; /* -HISTORY_MOST .. HISTORY_MOST */
} History;

static inline int history_quiet(const History *history, Color us, Move move) {
    return history->quiet[us][move_origin(move)][move_to(move)];
}

/* best refuted a node of this depth after the quiet moves tried before it had failed to. */
void history_reward(History *history, Color us, Move best, int depth);
void history_punish(History *history, Color us, const Move *tried, int count, int depth);

#endif
