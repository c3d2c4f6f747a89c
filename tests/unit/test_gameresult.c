/* Tests of gameresult.h: sums of the players' statistics. */
#include "play/gameresult.h"
#include "unit.h"

static void test_sums(void) {
    PlayerStats sum = {.moves = 3, .time_ns = 5, .nodes = 7, .depth_sum = 9, .depth_moves = 2};
    const PlayerStats more = {.moves = 1, .time_ns = 2, .nodes = INT64_MAX, .depth_moves = 1};
    gameresult_add_stats(&sum, &more);
    CHECK_INT(sum.moves, 4);
    CHECK_INT(sum.time_ns, 7);
    CHECK_INT(sum.depth_moves, 3);
    /* The file of results can store numbers of 63 bits. */
    CHECK_INT((int64_t)sum.nodes, INT64_MAX);
    const PlayerStats one = {.nodes = 1}, two = {.nodes = 2};
    gameresult_add_stats(&sum, &one);
    CHECK_INT((int64_t)sum.nodes, INT64_MAX);
    sum.nodes = 1;
    gameresult_add_stats(&sum, &two);
    CHECK_INT((int64_t)sum.nodes, 3);
}

UNIT_MAIN({"sums", test_sums})
