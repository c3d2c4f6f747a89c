/* How self-play begins its games. */
#include "cmd/selfplay.h"

#include <stdatomic.h>

#include "eval/netfile.h"
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
    _Atomic bool cancel = false;
    int count[START_NB] = {0};
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        CHECK_INT(selfplay_begin(player, seed, &cancel, &game), SELFPLAY_DONE);
        count[kind_of(&game.start)]++;
    }
    pack_game_free(&game);
    selfplay_free(player);
    CHECK(count[START_ENTERING] >= GAMES * 3 / 100 && count[START_ENTERING] <= GAMES * 5 / 100);
    CHECK(count[START_HANDICAP] >= GAMES * 4 / 100 && count[START_HANDICAP] <= GAMES * 6 / 100);
}

/* A search as long as may be asked for does not hold a stop up. */
static void stop_ends_a_search(void) {
    rules_init();
    Player *player = selfplay_create(100000000, NULL);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = true;
    CHECK_INT(selfplay_game(player, 1, &cancel, &game), SELFPLAY_STOPPED);
    pack_game_free(&game);
    selfplay_free(player);
}

/* Its outputs are all bias: the mover is always far ahead, so that only handicap games begin. */
static NnueNet *boastful_net(void) {
    NnueNet *net = net_create(32, 1, 400);
    net->output_bias[0] = 125000000;
    net_seal(net);
    return net;
}

static void no_opening_ends_the_game(void) {
    enum { TRIALS = 2 };
    rules_init();
    NnueNet *net = boastful_net();
    Player *player = selfplay_create(20, net);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int refused = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        refused += selfplay_begin(player, seed, &cancel, &game) == SELFPLAY_NO_OPENING;
    }
    CHECK(refused > 0);
    cancel = true;
    CHECK_INT(selfplay_begin(player, 1, &cancel, &game), SELFPLAY_STOPPED);
    pack_game_free(&game);
    selfplay_free(player);
    net_free(net);
}

UNIT_MAIN({"the kinds of start come as often as they should", kinds_come_as_often_as_they_should},
          {"a stop ends a search", stop_ends_a_search},
          {"a net that refuses each opening", no_opening_ends_the_game})
