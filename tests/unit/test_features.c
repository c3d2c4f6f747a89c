#include "eval/features.h"

#include <stdlib.h>
#include <string.h>

#include "random_net.h"
#include "unit.h"

static int compare_inputs(const void *a, const void *b) {
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static NnueInputs sorted_inputs(const Position *pos, Color side) {
    NnueInputs inputs;
    features_list(pos, features_view(pos, side), &inputs);
    qsort(inputs.input, (size_t)inputs.count, sizeof(uint16_t), compare_inputs);
    return inputs;
}

static bool same_inputs(const NnueInputs *a, const NnueInputs *b) {
    return a->count == b->count &&
           memcmp(a->input, b->input, (size_t)a->count * sizeof(uint16_t)) == 0;
}

/* Worked out by hand: the own king on 5i is square 44, the enemy king on 5a is square 36, and KING
 * is type 8. */
static void test_numbers(void) {
    Position pos = position_at("4k4/9/9/9/9/9/9/9/4K4 b 2Pg 1");
    NnueInputs got = sorted_inputs(&pos, BLACK);
    const int want[] = {7 * 81 + 44, (14 + 7) * 81 + 36, 2268, 2269, 2268 + 38 + 30};
    CHECK_INT(got.count, COUNTOF(want));
    for (size_t i = 0; i < COUNTOF(want); i++) {
        CHECK_INT(got.input[i], want[i]);
    }
    pos_free(&pos);
}

/* Rotating the board or exchanging left and right does not change the views. */
static void test_symmetry(void) {
    Position a = position_at("7k1/9/5+R3/9/9/9/2P6/9/1K7 b B2Pg 1");
    Position b = position_at("1k7/9/3+R5/9/9/9/6P2/9/7K1 b B2Pg 1");
    for (int side = BLACK; side <= WHITE; side++) {
        NnueInputs left = sorted_inputs(&a, (Color)side);
        NnueInputs right = sorted_inputs(&b, (Color)side);
        CHECK(same_inputs(&left, &right));
    }
    pos_free(&b);
    b = position_at("7k1/9/6p2/9/9/9/3+r5/9/1K7 w Gb2p 1");
    NnueInputs black = sorted_inputs(&a, BLACK);
    NnueInputs white = sorted_inputs(&b, WHITE);
    CHECK(same_inputs(&black, &white));
    pos_free(&a);
    pos_free(&b);
}

/* The start position: 40 pieces give 40 inputs, and both sides see the same. */
static void test_start(void) {
    Position pos = position_at("startpos");
    NnueInputs black = sorted_inputs(&pos, BLACK);
    NnueInputs white = sorted_inputs(&pos, WHITE);
    CHECK_INT(black.count, 40);
    CHECK(same_inputs(&black, &white));
    CHECK_INT(nnue_bucket(&pos, NNUE_MOST_BUCKETS), 0);
    CHECK_INT(nnue_bucket(&pos, 1), 0);
    pos_free(&pos);
}

static void test_maps(void) {
    for (int i = 0; i < NNUE_PIECE_INPUTS; i++) {
        int other = features_other_side(i);
        int mirrored = features_mirrored(i);
        if (features_other_side(other) != i || features_mirrored(mirrored) != i || other == i) {
            CHECK_INT(i, -1);
        }
    }
    Position pos = position_at("startpos");
    NnueInputs black;
    NnueInputs white;
    features_list(&pos, (NnueView){BLACK, false}, &black);
    features_list(&pos, (NnueView){WHITE, false}, &white);
    for (int i = 0; i < black.count; i++) {
        CHECK_INT(features_other_side(black.input[i]), white.input[i]);
    }
    features_list(&pos, (NnueView){WHITE, true}, &white);
    for (int i = 0; i < black.count; i++) {
        CHECK_INT(features_mirrored(features_other_side(black.input[i])), white.input[i]);
    }
    pos_free(&pos);
}

/* The list before a move plus the delta is the list after it. */
static void check_delta(const NnueInputs *before, const Position *pos, Color side) {
    NnueInputs got = *before;
    NnueDelta delta;
    features_move_delta(pos->now, features_view(pos, side), &delta);
    for (int k = 0; k < delta.count; k++) {
        int place = 0;
        while (place < got.count && got.input[place] != delta.off[k]) {
            place++;
        }
        CHECK(place < got.count);
        got.input[place] = delta.on[k];
    }
    qsort(got.input, (size_t)got.count, sizeof(uint16_t), compare_inputs);
    NnueInputs want = sorted_inputs(pos, side);
    CHECK(same_inputs(&got, &want));
}

static void test_deltas(void) {
    Rng rng = rng_init(11);
    Position pos = position_at("startpos");
    Setup start = setup_start();
    int flips = 0;
    for (int game = 0; game < 30; game++) {
        pos_set(&pos, &start);
        for (int ply = 0; ply < 200; ply++) {
            Move move = random_move(&rng, &pos);
            if (move == MOVE_NONE) {
                break;
            }
            NnueInputs before[COLOR_NB] = {sorted_inputs(&pos, BLACK), sorted_inputs(&pos, WHITE)};
            NnueView view[COLOR_NB] = {features_view(&pos, BLACK), features_view(&pos, WHITE)};
            pos_do(&pos, move);
            for (int side = BLACK; side <= WHITE; side++) {
                bool flips_here = features_move_flips(pos.now, (Color)side);
                bool is_other =
                    features_view(&pos, (Color)side).is_mirrored != view[side].is_mirrored;
                CHECK(flips_here == is_other);
                flips += flips_here;
                if (!flips_here) {
                    check_delta(&before[side], &pos, (Color)side);
                }
            }
        }
    }
    CHECK(flips > 10);
    pos_free(&pos);
}

UNIT_MAIN({"numbers", test_numbers}, {"symmetry", test_symmetry}, {"start", test_start},
          {"other side and mirror", test_maps}, {"deltas", test_deltas})
