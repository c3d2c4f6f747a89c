/* The moves of a mate search: initial estimates and delays. */
#include "mate/matemoves.h"

#include "rules/position.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "unit.h"

static void set_up(Position *pos, const char *sfen) {
    pos_init(pos);
    int column;
    CHECK_INT(pos_set_sfen(pos, sv_from(sfen), &column), 0);
}

/* A lance checks along an open file. A drop can block on seven squares, one of which is
 * supported. */
static void test_delays(void) {
    Position pos;
    set_up(&pos, "4k4/9/9/9/9/9/9/9/4L4 w r2b4g4s4n3l18p 1");
    MateMove list[MAX_MOVES];
    int waiting_for[MAX_MOVES] = {0};
    int count = matemoves_evasions(&pos, list);
    int shown_drops = 0;
    for (int i = 0; i < count; i++) {
        shown_drops += move_is_drop(list[i].move) && !list[i].is_hidden;
        if (list[i].next >= 0) {
            CHECK(list[list[i].next].is_hidden);
            waiting_for[list[i].next]++;
        }
    }
    for (int i = 0; i < count; i++) {
        CHECK_INT(waiting_for[i], list[i].is_hidden);
    }
    CHECK_INT(shown_drops, 2); /* the supported square, and the first linked one */
    pos_free(&pos);
}

/* Returns the estimate for the check, which must be one of the listed moves. */
static MateMove guess(const Position *pos, const char *check) {
    MateMove list[MAX_MOVES];
    int count = matemoves_checks(pos, list);
    Move move = usimove_read(sv_from(check));
    for (int i = 0; i < count; i++) {
        if (list[i].move == move) {
            return list[i];
        }
    }
    CHECK(!"the check is listed");
    return (MateMove){0};
}

/* A gold in front of the king mates. A gold beside the king leaves it three squares, including that
 * of the gold. */
static void test_escapes(void) {
    Position pos;
    set_up(&pos, "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1");
    CHECK_INT(guess(&pos, "G*5b").pn, 1);
    CHECK_INT(guess(&pos, "G*4b").pn, 3 + 2 * 3);
    pos_free(&pos);
}

/* A rook checks with or without promotion. In a problem neither move is delayed, because it may
 * take long to show that the promotion fails. In a game, and for the defender, the non-promotion is
 * delayed. */
static void test_declined(void) {
    Position pos;
    set_up(&pos, "3k5/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1");
    MateMove promotes = guess(&pos, "5i5a+");
    MateMove declines = guess(&pos, "5i5a");
    CHECK(!promotes.is_hidden);
    CHECK(!declines.is_hidden);
    CHECK_INT(promotes.next, -1);
    CHECK(declines.pn > promotes.pn);
    pos_free(&pos);
    set_up(&pos, "3k5/9/9/9/9/9/9/9/4R3K b r2b4g4s4n4l18p 1");
    CHECK(guess(&pos, "5i5a").is_hidden);
    CHECK(guess(&pos, "5i5a+").next >= 0);
    pos_free(&pos);
    set_up(&pos, "9/9/9/9/6r2/9/9/9/4k3R w 2b4g4s4n4l18p 1");
    MateMove list[MAX_MOVES];
    int count = matemoves_evasions(&pos, list);
    int waiting = 0;
    for (int i = 0; i < count; i++) {
        bool is_block = !move_is_drop(list[i].move) && move_from(list[i].move) == sq_make(2, 4);
        waiting += is_block && list[i].is_hidden && !move_is_promotion(list[i].move);
    }
    CHECK_INT(waiting, 1);
    pos_free(&pos);
}

UNIT_MAIN({"drops wait in rows", test_delays}, {"checks that leave few squares", test_escapes},
          {"refused promotions", test_declined})
