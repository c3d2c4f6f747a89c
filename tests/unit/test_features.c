#include "eval/features.h"

#include <stdlib.h>
#include <string.h>

#include "random_net.h"
#include "unit.h"

static int compare_inputs(const void *a, const void *b) {
    return (int)(*(const uint32_t *)a) - (int)(*(const uint32_t *)b);
}

static NnueInputs sorted_inputs(const Position *pos, Color side) {
    NnueInputs inputs;
    const FeatureSet *set = features_own(false);
    features_list(set, pos, features_view(set, pos, side), &inputs);
    qsort(inputs.input, (size_t)inputs.count, sizeof(uint32_t), compare_inputs);
    return inputs;
}

static bool same_inputs(const NnueInputs *a, const NnueInputs *b) {
    return a->count == b->count &&
           memcmp(a->input, b->input, (size_t)a->count * sizeof(uint32_t)) == 0;
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
    CHECK_INT(nnue_bucket(&pos, NNUE_MAX_BUCKETS), 0);
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
    features_list(features_own(false), &pos, (NnueView){BLACK, false, 0}, &black);
    features_list(features_own(false), &pos, (NnueView){WHITE, false, 0}, &white);
    for (int i = 0; i < black.count; i++) {
        CHECK_INT(features_other_side(black.input[i]), white.input[i]);
    }
    features_list(features_own(false), &pos, (NnueView){WHITE, true, 0}, &white);
    for (int i = 0; i < black.count; i++) {
        CHECK_INT(features_mirrored(features_other_side(black.input[i])), white.input[i]);
    }
    pos_free(&pos);
}

static bool has_input(const NnueInputs *list, uint32_t input) {
    int i = 0;
    while (i < list->count && list->input[i] != input) {
        i++;
    }
    return i < list->count;
}

/* Every set: as many inputs as pieces, each in range, and the input of each piece is found. */
static void test_sets(void) {
    Rng rng = rng_init(11);
    const FeatureSet *set;
    for (int i = 0; (set = features_at(i)) != NULL; i++) {
        CHECK(features_named(set->name) == set);
        Position pos = position_at("startpos");
        for (int ply = 0; ply < 100; ply++) {
            Move move = random_move(&rng, &pos);
            if (move == MOVE_NONE) {
                break;
            }
            pos_do(&pos, move);
            NnueView view = features_view(set, &pos, (Color)(ply % 2));
            NnueInputs list;
            features_list(set, &pos, view, &list);
            int pieces = set->has_kings ? 40 : 38;
            bool has_others = set->more_entries > 0 && !set->has_places_only;
            CHECK(list.count == pieces + 2 * (set->king_planes > 0) || has_others);
            for (int k = 0; k < list.count; k++) {
                CHECK((int)list.input[k] < set->inputs);
            }
            Bitboard board = pos_occupied(&pos);
            int found = 0;
            while (bb_any(board)) {
                Square sq = bb_pop(&board);
                int inputs[2];
                int entry = features_entry(set, &pos, pos.board[sq], sq, 0);
                found += features_inputs(set, view, entry, inputs) > 0 &&
                         has_input(&list, (uint32_t)(view.base + inputs[0]));
            }
            CHECK_INT(found, bb_count(pos_occupied(&pos)) - (set->has_kings ? 0 : 2));
        }
        pos_free(&pos);
    }
}

UNIT_MAIN({"numbers", test_numbers}, {"symmetry", test_symmetry}, {"start", test_start},
          {"other side and mirror", test_maps}, {"every set", test_sets})
