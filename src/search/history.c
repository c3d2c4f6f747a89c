#include "search/history.h"

#include <stdlib.h>

#define BONUS_PER_DEPTH 32
#define BONUS_MOST      1200

/* The nearer to the bound, the less a bonus moves an entry: none ever passes it. */
static void add_bonus(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_MOST);
}

static int bonus_of(int depth) {
    return int_min(depth * depth * BONUS_PER_DEPTH, BONUS_MOST);
}

void history_reward(History *history, Color us, Move best, int depth) {
    add_bonus(&history->quiet[us][move_origin(best)][move_to(best)], bonus_of(depth));
}

void history_punish(History *history, Color us, const Move *tried, int count, int depth) {
    for (int i = 0; i < count; i++) {
        add_bonus(&history->quiet[us][move_origin(tried[i])][move_to(tried[i])], -bonus_of(depth));
    }
}
