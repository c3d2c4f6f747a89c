/* Equal positions lie an even number of plies apart, so the walks go back two states at a time.
 * The board key includes the side to move; hands are compared in full, as they stand in the state,
 * so that better and worse hands can be told from equal ones. */
#include "rules/repetition.h"

#include "rules/position.h"

/* A repetition needs two moves of each side. */
enum { SHORTEST_CYCLE = 4 };

/* The occurrence that ends the game. */
enum { GAME_OCCURRENCES = 4 };

static bool is_same_position(const State *a, const State *b) {
    return a->board_key == b->board_key && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE];
}

/* What the return to a position `plies` ago means for the side to move. Each side has made half
 * of the moves in between. If all of both sides' moves gave check, the last of them decides, which
 * is the opponent's. */
static Repetition judge_cycle(const Position *pos, int plies) {
    int moves = plies / 2;
    Color us = pos->side;
    if (pos->now->check_run[color_flip(us)] >= moves) {
        return REP_WIN;
    }
    return pos->now->check_run[us] >= moves ? REP_LOSS : REP_DRAW;
}

/* How often the position of that state had occurred by then. */
static int count_until(const State *now) {
    int count = 1;
    for (int back = SHORTEST_CYCLE; back <= now->plies_since_null; back += 2) {
        count += is_same_position(now - back, now);
    }
    return count;
}

int rep_count(const Position *pos) {
    return count_until(pos->now);
}

bool rep_has_any(const Position *pos, int times) {
    int back = 0;
    while (back <= pos->now->plies_since_null && count_until(pos->now - back) < times) {
        back++;
    }
    return back <= pos->now->plies_since_null;
}

Repetition rep_game(const Position *pos) {
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

Repetition rep_search(const Position *pos, int equal_plies, int unequal_plies) {
    ASSERT(unequal_plies <= equal_plies);
    const State *now = pos->now;
    int limit = int_min(equal_plies, now->plies_since_null);
    Hand hand = now->hand[pos->side];
    for (int back = SHORTEST_CYCLE; back <= limit; back += 2) {
        const State *then = now - back;
        if (then->board_key != now->board_key) {
            continue;
        }
        Hand hand_then = then->hand[pos->side];
        if (hand == hand_then) {
            return judge_cycle(pos, back);
        }
        if (back <= unequal_plies && hand_covers(hand, hand_then)) {
            return REP_SUPERIOR;
        }
        if (back <= unequal_plies && hand_covers(hand_then, hand)) {
            return REP_INFERIOR;
        }
    }
    return REP_NONE;
}
