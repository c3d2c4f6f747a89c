/* Tests the batches of a training run: each epoch has all samples, whatever the size of the
 * buffer. */
#include "train/feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "random_net.h"

enum { FILES = 2, BLOCKS = 6, BLOCK_GAMES = 4, GAME_MOVES = 30, EPOCHS = 3, BATCH = 40 };

/* A file of random games with different scores. */
static void write_games(const char *path, int file) {
    Rng rng = rng_init((uint64_t)file + 50);
    PackOrigin origin = {.nodes = 1};
    StrBuf bytes = STRBUF_INIT;
    packed_write_header(&origin, &bytes);
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    for (int b = 0; b < BLOCKS; b++) {
        PackedGame games[BLOCK_GAMES] = {{.move_count = 0}};
        for (int g = 0; g < BLOCK_GAMES; g++) {
            pos_set(&pos, &start);
            packed_game_begin(&games[g], &start);
            for (int i = 0; i < GAME_MOVES; i++) {
                Move move = random_move(&rng, &pos);
                packed_game_add(&games[g], move, 8 * (int)rng_below(&rng, 120));
                pos_do(&pos, move);
            }
            games[g].winner = KMD_WINNER_BLACK;
            games[g].reason = PACK_MATE;
        }
        packed_write_block(games, BLOCK_GAMES, &origin, &bytes);
        for (int g = 0; g < BLOCK_GAMES; g++) {
            packed_game_free(&games[g]);
        }
    }
    CHECK_INT(file_write(path, bytes.ptr, bytes.len), 0);
    strbuf_free(&bytes);
    pos_free(&pos);
}

/* Counts of what a run has read. */
typedef struct Census {
    int batches;
    int windows;
    int samples;
    uint64_t content; /* a sum that does not depend on the order of samples */
    uint64_t order;   /* a sum that depends on the order of samples */
    double progress;
} Census;

static void note_batch(Census *census, const Batch *batch) {
    CHECK(batch->progress >= census->progress && batch->progress < 1);
    census->progress = batch->progress;
    census->batches++;
    for (int i = 0; i < batch->count; i++) {
        const Sample *sample = &batch->samples[batch->order[i]];
        uint64_t hash = (uint64_t)sample->score + 1;
        for (int k = 0; k < sample->count; k++) {
            hash = hash * 1000003 + sample->input[k];
        }
        census->samples++;
        census->content += hash;
        census->order = census->order * 31 + hash;
    }
}

static FeedOptions usual_options(void) {
    return (FeedOptions){.threads = 2,
                         .batch = BATCH,
                         .epochs = EPOCHS,
                         .buffer = 32000,
                         .seed = 3,
                         .load = {.held_out = 8}};
}

/* Opens a feed of FILES files, the first of which is added `copies` times. */
static void open_feed(Feed *feed, const FeedOptions *options, int copies) {
    samples_init();
    feed_init(feed, options);
    for (int i = 0; i < FILES; i++) {
        const char *path = unit_temp_path("test_feed.kmd");
        write_games(path, i);
        const char *why;
        for (int k = 0; k < (i == 0 ? copies : 1); k++) {
            CHECK(feed_add(feed, path, &why));
        }
        remove(path);
    }
    feed_begin(feed);
}

static Census run_epoch(Feed *feed, uint64_t epoch) {
    Census census = {0};
    Batch batch;
    bool has_more = true;
    while (has_more && feed_next(feed, &batch)) {
        census.progress = 0;
        note_batch(&census, &batch);
        bool is_over = feed_is_window_over(feed);
        census.windows += is_over;
        has_more = !is_over || feed->window_end < feed->block_count;
        CHECK_INT((int64_t)feed->place.epoch, (int64_t)epoch);
    }
    return census;
}

static void epochs_hold_all(void) {
    FeedOptions options = usual_options();
    Feed feed;
    open_feed(&feed, &options, 1);
    Census first = run_epoch(&feed, 0);
    Census second = run_epoch(&feed, 1);
    CHECK_INT(first.windows, 1);
    CHECK(first.order != second.order);
    CHECK(feed.held_out.count > 0);
    CHECK_INT(first.samples, (int64_t)feed.window.count / BATCH * BATCH);
    feed_free(&feed);
    /* The same games are read in small windows; batches of one sample omit none. */
    options.batch = 1;
    open_feed(&feed, &options, 1);
    Census whole = run_epoch(&feed, 0);
    Census again = run_epoch(&feed, 1);
    CHECK(whole.content == again.content && whole.order != again.order);
    feed_free(&feed);
    options.buffer = 1;
    open_feed(&feed, &options, 1);
    Census parts = run_epoch(&feed, 0);
    CHECK(parts.windows > 1);
    CHECK_INT(parts.samples, whole.samples);
    CHECK(parts.content == whole.content);
    feed_free(&feed);
}

/* The samples of a file that was added twice count twice. */
static void files_count_twice(void) {
    FeedOptions options = usual_options();
    options.batch = 1;
    Census census[3];
    int64_t held_out[3];
    for (int i = 0; i < 3; i++) {
        Feed feed;
        open_feed(&feed, &options, i);
        held_out[i] = (int64_t)feed.held_out.count;
        census[i] = run_epoch(&feed, 0);
        feed_free(&feed);
    }
    CHECK_INT(held_out[2] - held_out[1], held_out[1] - held_out[0]); /* the same games */
    CHECK(census[1].content > census[0].content || census[1].samples > census[0].samples);
    CHECK_INT(census[2].samples - census[1].samples, census[1].samples - census[0].samples);
    CHECK(census[2].content - census[1].content == census[1].content - census[0].content);
}

/* A feed that is set to any place continues with the same batches. */
static void a_feed_goes_on(void) {
    FeedOptions options = usual_options();
    options.buffer = 1;
    Feed feed;
    open_feed(&feed, &options, 1);
    enum { MAX = 200 };
    FeedPlace places[MAX];
    uint64_t orders[MAX];
    int count = 0;
    Batch batch;
    for (bool has_more = true; has_more && count < MAX;) {
        places[count] = feed.place;
        has_more = feed_next(&feed, &batch);
        Census census = {0};
        if (has_more) {
            note_batch(&census, &batch);
        }
        orders[count++] = census.order;
    }
    CHECK(count > EPOCHS * 4 && count < MAX && orders[count - 1] == 0);
    CHECK(batch.progress > 0.9);
    for (int i = 0; i < count; i += 5) {
        feed_seek(&feed, &places[i]);
        for (int k = i; k < count && k < i + 7; k++) {
            Census census = {0};
            if (feed_next(&feed, &batch)) {
                note_batch(&census, &batch);
            }
            CHECK(census.order == orders[k]);
        }
    }
    feed_free(&feed);
}

static uint64_t content_of(const SampleSet *set) {
    uint64_t sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        sum = sum * 31 + (uint64_t)set->samples[i].score;
    }
    return sum;
}

/* Labels that were mixed as chances change with the scale. */
static void the_scale_may_come_later(void) {
    FeedOptions options = usual_options();
    options.load.lookahead = 0.5;
    Feed late, early;
    open_feed(&late, &options, 1);
    options.load.scale = 300;
    open_feed(&early, &options, 1);
    CHECK(content_of(&late.window) != content_of(&early.window));
    feed_rescale(&late, 300);
    CHECK(content_of(&late.window) == content_of(&early.window));
    CHECK(content_of(&late.held_out) == content_of(&early.held_out));
    feed_free(&late);
    feed_free(&early);
}

UNIT_MAIN({"epochs hold all", epochs_hold_all}, {"files count twice", files_count_twice},
          {"a feed goes on", a_feed_goes_on},
          {"the scale may come later", the_scale_may_come_later})
