/* Tests the conversion of games to samples: from whose view they are, and which positions are
 * used. */
#include "train/samples.h"

#include <stdlib.h>

#include "random_net.h"
#include "rules/usimove.h"

static const int score = 160;

/* A game of one move, whose position has a score. */
typedef struct Trial {
    const char *sfen;
    const char *move;
    int score;
    KmdWinner winner;
    bool is_unequal;
    PackReason reason;
} Trial;

static const Trial takes = {.sfen = "k8/9/9/4p4/4R4/9/9/9/8K b - 1",
                            .move = "5e5d",
                            .score = 160,
                            .winner = KMD_WINNER_BLACK,
                            .reason = PACK_MATE};

/* The samples of the game, either the held-out ones or the others. */
static SampleSet load(const Trial *trial, const LoadOptions *options, bool held_out) {
    Position pos = position_at(trial->sfen);
    Setup start = pos_get(&pos);
    PackedGame game = {.move_count = 0};
    packed_game_begin(&game, &start);
    packed_game_add(&game, usimove_read(sv_from(trial->move)), trial->score);
    game.winner = trial->winner;
    game.is_unequal = trial->is_unequal;
    game.reason = trial->reason;
    PackOrigin origin = {.nodes = 1};
    StrBuf bytes = STRBUF_INIT;
    packed_write_header(&origin, &bytes);
    packed_write_block(&game, 1, &origin, &bytes);
    PackReader reader;
    PackBlock block;
    CHECK(packed_read_begin(&reader, bytes.ptr, bytes.len) && packed_read_block(&reader, &block));
    samples_init();
    SampleSet set = {.count = 0};
    LoadCount count = {.games = 0};
    samples_add_block(&block, 0, options, held_out, &set, &count);
    CHECK_INT((int64_t)count.bad_blocks, 0);
    strbuf_free(&bytes);
    packed_game_free(&game);
    pos_free(&pos);
    return set;
}

static int count_samples(Trial trial, const LoadOptions *options) {
    SampleSet set = load(&trial, options, false);
    int count = (int)set.count;
    samples_free(&set);
    return count;
}

static void labels_are_the_movers(void) {
    LoadOptions options = {.held_out = 0};
    int stored = packed_dequantize(packed_quantize(score));
    Trial trial = takes;
    trial.sfen = "k8/9/9/3p5/4R4/9/9/9/8K b - 1"; /* nothing to capture */
    trial.move = "5e5f";
    SampleSet set = load(&trial, &options, false);
    CHECK_INT((int64_t)set.count, 1);
    CHECK_INT(set.samples[0].side, BLACK);
    CHECK_INT(set.samples[0].score, stored);
    CHECK_INT(set.samples[0].result, 1);
    CHECK_INT(set.samples[0].has_result, 1);
    samples_free(&set);
    /* At the end of the line of captures, the other side is to move. */
    trial = takes;
    trial.is_unequal = true;
    set = load(&trial, &options, false);
    CHECK_INT((int64_t)set.count, 1);
    CHECK_INT(set.samples[0].side, WHITE);
    CHECK_INT(set.samples[0].score, -stored);
    CHECK_INT(set.samples[0].result, -1);
    CHECK_INT(set.samples[0].has_result, 0);
    samples_free(&set);
    trial.winner = KMD_WINNER_DRAW;
    set = load(&trial, &options, false);
    CHECK_INT(set.samples[0].result, 0);
    samples_free(&set);
}

static void some_positions_do_not_count(void) {
    LoadOptions options = {.held_out = 0};
    Trial other = takes;
    other.move = "5e5f";
    Trial in_check = takes;
    in_check.sfen = "4k4/9/9/9/9/9/9/4r4/4K4 b - 1";
    in_check.move = "5i5h";
    Trial unknown = takes;
    unknown.winner = KMD_WINNER_NONE;
    CHECK_INT(count_samples(takes, &options), 1);
    CHECK_INT(count_samples(other, &options), 0);
    CHECK_INT(count_samples(in_check, &options), 0);
    CHECK_INT(count_samples(unknown, &options), 0);
    options.held_out = 1;
    CHECK_INT(count_samples(takes, &options), 0);
    SampleSet set = load(&takes, &options, true);
    CHECK_INT((int64_t)set.count, 1);
    samples_free(&set);
}

/* A position from a search tree, or one without a move, is kept unchanged, because searches
 * evaluate such positions. */
static void lone_positions_stay_as_they_are(void) {
    LoadOptions options = {.held_out = 0};
    Trial leaf = takes;
    leaf.move = "5e5f";
    for (int i = 0; i < 2; i++) {
        leaf.is_unequal = i == 0;
        leaf.reason = i == 0 ? PACK_UNKNOWN : PACK_NO_MOVE;
        SampleSet set = load(&leaf, &options, false);
        CHECK_INT((int64_t)set.count, 1);
        CHECK_INT(set.samples[0].side, BLACK);
        CHECK_INT(set.samples[0].score, packed_dequantize(packed_quantize(score)));
        CHECK_INT(set.samples[0].has_result, i);
        samples_free(&set);
    }
    /* It does not matter whether the move that completes the record is the first of the captures.
     */
    leaf.move = "5e5d";
    SampleSet set = load(&leaf, &options, false);
    CHECK_INT(set.samples[0].side, BLACK);
    samples_free(&set);
}

UNIT_MAIN({"labels are the mover's", labels_are_the_movers},
          {"some positions do not count", some_positions_do_not_count},
          {"lone positions stay as they are", lone_positions_stay_as_they_are})
