/* The sample of positions that a search evaluates. */
#include "train/leaves.h"

#include <string.h>

#include "rules/movegen.h"
#include "unit.h"

enum { SCALE = 400, ROUNDS = 400 };

/* Sets the root to the start position after one move, so that there is no earlier line. */
static void set_root(Position *pos) {
    Setup start = setup_start();
    pos_init(pos);
    pos_set(pos, &start);
    Move list[MAX_MOVES];
    CHECK(gen_moves(pos, GEN_LEGAL, list) == 30);
    pos_do(pos, list[0]);
}

static void begin(LeafSample *sample, const Position *root, int most, bool is_focused,
                  uint64_t seed) {
    LeafOptions options = {.most = most, .is_focused = is_focused, .scale = SCALE, .seed = seed};
    leaves_begin(sample, root, 0, &options);
}

/* Offers the position after each root move, all with the same score except one. */
static void offer_children(LeafSample *sample, Position *pos, Move other, Score other_score) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        pos_do(pos, list[i]);
        leaves_offer(sample, pos, list[i] == other ? other_score : 0);
        pos_undo(pos);
    }
}

static Move first_move(const Position *pos) {
    Move list[MAX_MOVES];
    return gen_moves(pos, GEN_LEGAL, list) > 0 ? list[0] : MOVE_NONE;
}

static uint64_t key_after(Position *pos, Move move) {
    pos_do(pos, move);
    uint64_t key = pos_key(pos);
    pos_undo(pos);
    return key;
}

static bool has_key(const LeafSample *sample, uint64_t key) {
    for (int i = 0; i < sample->count; i++) {
        if (sample->leaf[i].key == key) {
            return true;
        }
    }
    return false;
}

/* Draws ROUNDS samples of 3 of the 30 children. Returns the number of samples that contain the
 * first child. */
static int count_first(bool is_focused, bool is_on_line, Score score) {
    static LeafSample sample;
    Position pos;
    set_root(&pos);
    Move first = first_move(&pos);
    uint64_t key = key_after(&pos, first);
    int found = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        begin(&sample, &pos, 3, is_focused, seed);
        if (is_on_line) {
            leaves_note_line(&sample, &first, 1);
        }
        offer_children(&sample, &pos, first, score);
        CHECK_INT(sample.count, 3);
        found += has_key(&sample, key);
    }
    pos_free(&pos);
    return found;
}

/* Samples contain three of thirty children, so each child is in one of ten samples. The bounds are
 * four standard deviations. */
static void a_uniform_sample_has_no_favourites(void) {
    int found = count_first(false, true, 900);
    CHECK(found > ROUNDS / 10 - 24 && found < ROUNDS / 10 + 24);
    found = count_first(true, false, 0);
    CHECK(found > ROUNDS / 10 - 24 && found < ROUNDS / 10 + 24);
}

/* With double weight, a position is in about twice as many samples. */
static void a_focused_one_prefers_the_line_and_differences(void) {
    int found = count_first(true, true, 0);
    CHECK(found > ROUNDS * 14 / 100 && found < ROUNDS * 25 / 100);
    CHECK(count_first(true, false, 900) > ROUNDS * 35 / 100);
    CHECK(count_first(true, false, -900) > ROUNDS * 35 / 100);
}

static void weights_follow_their_rule(void) {
    static LeafSample sample;
    Position pos;
    set_root(&pos);
    begin(&sample, &pos, 3, true, 1);
    Move line[2] = {first_move(&pos)};
    pos_do(&pos, line[0]);
    line[1] = first_move(&pos);
    double beside = leaves_weight(&sample, &pos, 0);
    leaves_note_line(&sample, line, 2);
    double on_line = leaves_weight(&sample, &pos, 0);
    CHECK(on_line == 2 * beside);
    pos_do(&pos, line[1]);
    CHECK(leaves_weight(&sample, &pos, 0) == on_line);
    CHECK(leaves_weight(&sample, &pos, 200) > on_line);
    CHECK(leaves_weight(&sample, &pos, 200) == leaves_weight(&sample, &pos, -200));
    pos_do(&pos, first_move(&pos));
    CHECK(leaves_weight(&sample, &pos, 0) == beside);
    pos_free(&pos);
}

static void the_root_and_repeated_positions_are_left_out(void) {
    static LeafSample sample;
    Position pos;
    set_root(&pos);
    begin(&sample, &pos, LEAVES_MAX, false, 1);
    leaves_offer(&sample, &pos, 0);
    CHECK_INT(sample.count, 0);
    offer_children(&sample, &pos, MOVE_NONE, 0);
    offer_children(&sample, &pos, MOVE_NONE, 0);
    CHECK_INT(sample.count, 30);
    pos_do(&pos, first_move(&pos));
    Setup child = pos_get(&pos);
    CHECK(memcmp(&sample.leaf[0].setup, &child, sizeof(child)) == 0);
    pos_free(&pos);
}

UNIT_MAIN({"a uniform sample has no favourites", a_uniform_sample_has_no_favourites},
          {"a focused one prefers the line and differences",
           a_focused_one_prefers_the_line_and_differences},
          {"weights follow their rule", weights_follow_their_rule},
          {"the root and repeated positions are left out",
           the_root_and_repeated_positions_are_left_out})
