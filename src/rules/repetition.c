/* repetition.c: looks for earlier equal positions in the state stack. Equal positions are an even
 * number of plies apart, so the loops go back two states at a time. The board key includes the side
 * to move; hands are compared in full to distinguish better and worse hands from equal ones. */
#include "rules/repetition.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/position.h"

/* A repetition takes two moves of each side. */
enum { SHORTEST_CYCLE = 4 };

/* The number of occurrences that ends the game. */
enum { GAME_OCCURRENCES = 4 };

static bool is_same_position(const State *a, const State *b) {
    return a->board_key == b->board_key && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE];
}

/* The result, for the side to move, of returning to the position `plies` ago. Each side has made
 * half of the moves in between. If all moves of both sides gave check, the opponent loses, because
 * it made the last move. */
static Repetition judge_cycle(const Position *pos, int plies) {
    int moves = plies / 2;
    Color us = pos->side;
    if (pos->now->check_run[color_flip(us)] >= moves) {
        return REP_WIN;
    }
    return pos->now->check_run[us] >= moves ? REP_LOSS : REP_DRAW;
}

int repetition_count(const Position *pos) {
    const State *now = pos->now;
    int count = 1;
    for (int back = SHORTEST_CYCLE; back <= now->plies_since_null; back += 2) {
        count += is_same_position(now - back, now);
    }
    return count;
}

/* The data of a position that are compared to find repetitions. */
typedef struct GameKey {
    uint64_t board_key;
    Hand hand[COLOR_NB];
} GameKey;

_Static_assert(sizeof(GameKey) == 16, "compared byte by byte, so nothing may lie between");

static int compare_game_keys(const void *a, const void *b) {
    return memcmp(a, b, sizeof(GameKey));
}

bool repetition_has_any(const Position *pos, int times) {
    int count = pos->now->plies_since_null + 1;
    GameKey *keys = xmem_alloc((size_t)count, sizeof(GameKey));
    for (int i = 0; i < count; i++) {
        const State *state = pos->now - i;
        keys[i] = (GameKey){state->board_key, {state->hand[BLACK], state->hand[WHITE]}};
    }
    qsort(keys, (size_t)count, sizeof(GameKey), compare_game_keys); /* equal ones are adjacent */
    int run = 1;
    for (int i = 1; i < count && run < times; i++) {
        run = compare_game_keys(&keys[i - 1], &keys[i]) == 0 ? run + 1 : 1;
    }
    free(keys);
    return run >= times;
}

Repetition repetition_in_game(const Position *pos) {
    const State *now = pos->now;
    int count = 1;
    for (int back = SHORTEST_CYCLE; back <= now->plies_since_null; back += 2) {
        count += is_same_position(now - back, now);
        if (count == GAME_OCCURRENCES) {
            return judge_cycle(pos, back);
        }
    }
    return REP_NONE;
}

Repetition repetition_in_line(const Position *pos, int plies) {
    const State *now = pos->now;
    int limit = int_min(plies, now->plies_since_null);
    Hand hand = now->hand[pos->side];
    for (int back = SHORTEST_CYCLE; back <= limit; back += 2) {
        const State *then = now - back;
        if (then->board_key != now->board_key) {
            continue;
        }
        Hand hand_then = then->hand[pos->side];
        /* No piece leaves the game, so if the boards are equal, one hand determines the other. */
        if (hand == hand_then) {
            return judge_cycle(pos, back);
        }
        if (hand_covers(hand, hand_then)) {
            return REP_SUPERIOR;
        }
        if (hand_covers(hand_then, hand)) {
            return REP_INFERIOR;
        }
    }
    return REP_NONE;
}
