/* How self-play begins its games. */
#include "cmd/selfplay.h"

#include <stdatomic.h>

#include "rules/position.h"
#include "rules/rules.h"
#include "unit.h"

enum { GAMES = 2000 };

typedef enum Start { START_EVEN, START_HANDICAP, START_ENTERING, START_NB } Start;

static Start kind_of(const Setup *start) {
    static const Square home = 4 * RANK_NB + 8; /* 5i */
    if (start->board[home] != piece_make(BLACK, KING)) {
        return START_ENTERING;
    }
    int count = 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        count += start->board[sq] != NO_PIECE;
    }
    return count == 40 ? START_EVEN : START_HANDICAP;
}

/* An opening that is worth too much to one side is played anew; those with kings on their way are
 * the ones that often are, and come as often as they should all the same. */
static void kinds_come_as_often_as_they_should(void) {
    rules_init();
    Player *player = selfplay_create(20, NULL);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = true; /* they only begin */
    int count[START_NB] = {0};
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        CHECK(!selfplay_game(player, seed, &cancel, &game));
        count[kind_of(&game.start)]++;
    }
    pack_game_free(&game);
    selfplay_free(player);
    CHECK(count[START_ENTERING] >= GAMES * 3 / 100 && count[START_ENTERING] <= GAMES * 5 / 100);
    CHECK(count[START_HANDICAP] >= GAMES * 4 / 100 && count[START_HANDICAP] <= GAMES * 6 / 100);
}

UNIT_MAIN({"the kinds of start come as often as they should", kinds_come_as_often_as_they_should})
