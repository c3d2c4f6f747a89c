#include "eval/accumulator.h"

#include <string.h>

#include "base/cpu.h"
#include "eval/kernels.h"
#include "random_net.h"

/* The sums of a view by definition: the bias plus one row for each active input. */
static bool sums_are_right(const Accumulator *acc, const Position *pos, Color side) {
    const NnueNet *net = acc->net;
    const int16_t *got = accumulator_sums(acc, pos, side);
    NnueInputs inputs;
    features_list(net->set, pos, features_view(net->set, pos, side), &inputs);
    for (int i = 0; i < net->hidden; i++) {
        int want = net->input_bias[i];
        for (int k = 0; k < inputs.count; k++) {
            want += net->input_weights[(int)inputs.input[k] * net->hidden + i];
        }
        if (got[i] != want) {
            return false;
        }
    }
    return true;
}

static void check_both(Accumulator *acc, const Position *pos) {
    accumulator_update(acc, pos);
    CHECK(sums_are_right(acc, pos, BLACK));
    CHECK(sums_are_right(acc, pos, WHITE));
}

/* Goes through positions like a search: plays moves and null moves, takes back several moves at
 * once, and evaluates only some of the positions. */
static void walk(Accumulator *acc, Rng *rng, Position *pos, int steps) {
    for (int i = 0; i < steps; i++) {
        Move move = random_move(rng, pos);
        bool can_pass = !pos_in_check(pos);
        uint64_t choice = rng_below(rng, 10);
        if (choice < 3 && pos_moves_done(pos) > 0) {
            if (pos->now->move == MOVE_NULL) {
                pos_undo_null(pos);
            } else {
                pos_undo(pos);
            }
        } else if (choice == 3 && can_pass) {
            pos_do_null(pos);
        } else if (move != MOVE_NONE) {
            pos_do(pos, move);
        }
        if (rng_below(rng, 3) == 0) {
            check_both(acc, pos);
        }
    }
}

static void walk_with(Rng rng, NnueNet *net) {
    Accumulator acc;
    CHECK(accumulator_init(&acc, net, kernels_choose(cpu_features())));
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    for (int game = 0; game < 20; game++) {
        pos_set(&pos, &start);
        walk(&acc, &rng, &pos, 600);
    }
    accumulator_free(&acc);
    pos_free(&pos);
    net_free(net);
}

/* Tests a network with threats, and an older network without them. */
static void test_walks(void) {
    Rng rng = rng_init(21);
    walk_with(rng, random_net(&rng, 32, 1, 200));
    walk_with(rng, random_old_net(&rng, 32, 1, 200));
}

/* A game with more moves than slots, so that slots are reused. */
static void test_long_game(void) {
    Rng rng = rng_init(22);
    NnueNet *net = random_net(&rng, 32, 1, 200);
    Accumulator acc;
    CHECK(accumulator_init(&acc, net, kernels_choose(0)));
    Position pos = position_at("4k4/9/9/9/9/9/9/9/4K4 b RB2G2SNL5Prb2g2s2n2l5p 1");
    for (int ply = 0; ply < 700; ply++) {
        Move move = random_move(&rng, &pos);
        if (move == MOVE_NONE) {
            break;
        }
        pos_do(&pos, move);
        if (ply % 5 == 0 || ply > 600) {
            check_both(&acc, &pos);
        }
    }
    while (pos_moves_done(&pos) > 0) {
        pos_undo(&pos);
        if (pos_moves_done(&pos) % 7 == 0) {
            check_both(&acc, &pos);
        }
    }
    accumulator_free(&acc);
    pos_free(&pos);
    net_free(net);
}

/* The same accumulator works for another game, and if a side has no king. */
static void test_other_positions(void) {
    static const char *const sfens[] = {
        "startpos",
        "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "1K7/+R8/9/9/9/9/9/9/7k1 w 18P 1",
    };
    Rng rng = rng_init(23);
    NnueNet *net = random_net(&rng, 64, 1, 200);
    Accumulator acc;
    CHECK(accumulator_init(&acc, net, kernels_choose(cpu_features())));
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNTOF(sfens); i++) {
            Position pos = position_at(sfens[i]);
            check_both(&acc, &pos);
            pos_free(&pos);
        }
    }
    accumulator_free(&acc);
    net_free(net);
}

UNIT_MAIN({"walks through trees", test_walks}, {"long game", test_long_game},
          {"other positions", test_other_positions})
