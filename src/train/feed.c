/* feed.c: reads blocks into the buffer on several threads, and shuffles runs of samples with random
 * numbers from the seed. */
#include "train/feed.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xmem.h"

typedef struct FeedBlock {
    PackBlock block;
    uint64_t first_game; /* number of the block's first game in its file */
} FeedBlock;

void feed_init(Feed *feed, const FeedOptions *options) {
    *feed = (Feed){.options = *options, .taken_epoch = UINT64_MAX};
    const LoadOptions *load = &options->load;
    double what[] = {SAMPLES_VERSION, load->held_out, load->lookahead, load->scale};
    double how[] = {options->batch, options->epochs, options->buffer, (double)options->seed};
    feed->key = checksum_fnv(CHECKSUM_FNV_START, what, sizeof(what));
    feed->plan_key = checksum_fnv(CHECKSUM_FNV_START, how, sizeof(how));
}

void feed_free(Feed *feed) {
    for (int i = 0; i < feed->file_count; i++) {
        file_unmap(&feed->files[i]);
    }
    free(feed->files);
    free(feed->blocks);
    free(feed->taken);
    free(feed->order);
    samples_free(&feed->window);
    samples_free(&feed->held_out);
    *feed = (Feed){.file_count = 0};
}

bool feed_add(Feed *feed, const char *path, const char **why) {
    FileMap map;
    int error = file_map(path, &map);
    if (error != 0) {
        *why = file_error_text(error);
        return false;
    }
    PackReader reader;
    if (!packed_read_begin(&reader, map.data, map.len)) {
        *why = packed_refusal(&reader);
        file_unmap(&map);
        return false;
    }
    FeedBlock next = {.first_game = 0};
    while (packed_read_block(&reader, &next.block)) {
        feed->blocks =
            xmem_grow(feed->blocks, &feed->block_cap, feed->block_count + 1, sizeof(FeedBlock));
        feed->blocks[feed->block_count++] = next;
        next.first_game += next.block.games;
        feed->key = checksum_fnv(feed->key, next.block.whole, PACK_BLOCK_HEADER_SIZE);
    }
    feed->damaged_bytes += reader.damaged_bytes;
    feed->files = xmem_realloc(feed->files, (size_t)feed->file_count + 1, sizeof(FileMap));
    feed->files[feed->file_count++] = map;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Blocks that are read together and divided among the threads. */
typedef struct Reading {
    const Feed *feed;
    const size_t *numbers; /* indices in blocks[] */
    size_t count;
    bool held_out;
    SampleSet *sets; /* one per thread */
    LoadCount *counts;
} Reading;

static void read_feed_blocks(void *context, int index) {
    Reading *reading = context;
    const Feed *feed = reading->feed;
    for (size_t i = (size_t)index; i < reading->count; i += (size_t)feed->options.threads) {
        const FeedBlock *block = &feed->blocks[reading->numbers[i]];
        samples_add_block(&block->block, block->first_game, &feed->options.load, reading->held_out,
                          &reading->sets[i], &reading->counts[i]);
    }
}

static void read_into(Feed *feed, Reading *reading, SampleSet *set) {
    reading->feed = feed;
    reading->sets = xmem_calloc(reading->count + 1, sizeof(SampleSet));
    reading->counts = xmem_calloc(reading->count + 1, sizeof(LoadCount));
    parallel_run(feed->options.threads, read_feed_blocks, reading);
    set->count = 0;
    feed->count = (LoadCount){.games = 0};
    for (size_t i = 0; i < reading->count; i++) {
        samples_append(set, &reading->sets[i]);
        feed->count.games += reading->counts[i].games;
        feed->count.positions += reading->counts[i].positions;
        feed->count.bad_blocks += reading->counts[i].bad_blocks;
    }
    free(reading->sets);
    free(reading->counts);
}

static void read_held_out(Feed *feed) {
    size_t count = feed->block_count < HELD_BLOCKS ? feed->block_count : HELD_BLOCKS;
    size_t *numbers = xmem_alloc(count + 1, sizeof(size_t));
    for (size_t i = 0; i < count; i++) {
        numbers[i] = i * feed->block_count / count;
    }
    Reading reading = {.numbers = numbers, .count = count, .held_out = true};
    if (feed->options.load.held_out > 0) {
        read_into(feed, &reading, &feed->held_out);
    }
    free(numbers);
}

/* ---- epochs and windows ---------------------------------------------------------------------- */

static Rng rng_of(const Feed *feed, uint64_t what) {
    return rng_init(feed->options.seed * 1000003 + feed->place.epoch * 7919 + what);
}

/* Shuffles the blocks for the epoch. */
static void shuffle_blocks(Feed *feed) {
    if (feed->taken_epoch == feed->place.epoch) {
        return;
    }
    Rng rng = rng_of(feed, 0);
    feed->taken = xmem_realloc(feed->taken, feed->block_count + 1, sizeof(size_t));
    for (size_t i = 0; i < feed->block_count; i++) {
        feed->taken[i] = i;
    }
    for (size_t i = feed->block_count; i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        size_t swap = feed->taken[i - 1];
        feed->taken[i - 1] = feed->taken[other];
        feed->taken[other] = swap;
    }
    feed->taken_epoch = feed->place.epoch;
}

/* Finds the blocks of the window. */
static void find_window(Feed *feed) {
    uint64_t most = (uint64_t)feed->options.buffer * 1000;
    uint64_t number = 0, held = 0;
    size_t begin = 0, i = 0;
    for (; i < feed->block_count; i++) {
        uint64_t positions = feed->blocks[feed->taken[i]].block.positions;
        if (held > 0 && held + positions > most) {
            if (number == feed->place.window) {
                break;
            }
            held = 0;
            begin = i;
            number++;
        }
        held += positions;
    }
    feed->window_begin = begin;
    feed->window_end = i;
}

static uint64_t positions_of(const Feed *feed, size_t begin, size_t end) {
    uint64_t sum = 0;
    for (size_t i = begin; i < end; i++) {
        sum += feed->blocks[feed->taken[i]].block.positions;
    }
    return sum;
}

/* Shuffles runs of adjacent samples. */
static void shuffle_samples(Feed *feed) {
    size_t count = feed->window.count;
    size_t runs = (count + RUN_SAMPLES - 1) / RUN_SAMPLES;
    feed->order = xmem_grow(feed->order, &feed->order_cap, count, sizeof(uint32_t));
    uint32_t *run = xmem_alloc(runs + 1, sizeof(uint32_t));
    for (size_t i = 0; i < runs; i++) {
        run[i] = (uint32_t)i;
    }
    Rng rng = rng_of(feed, 1 + feed->place.window);
    for (size_t i = runs; i > 1; i--) {
        size_t other = (size_t)rng_below(&rng, i);
        uint32_t swap = run[i - 1];
        run[i - 1] = run[other];
        run[other] = swap;
    }
    size_t at = 0;
    for (size_t i = 0; i < runs; i++) {
        size_t first = (size_t)run[i] * RUN_SAMPLES;
        for (size_t k = first; k < first + RUN_SAMPLES && k < count; k++) {
            feed->order[at++] = (uint32_t)k;
        }
    }
    free(run);
}

/* Loads the current window (FeedPlace). If all blocks fit, it is loaded only once, with the blocks
 * in the order of the files, so that the samples do not depend on the epoch in which that
 * happened. */
static void load_window(Feed *feed) {
    shuffle_blocks(feed);
    find_window(feed);
    bool holds_all = feed->window_begin == 0 && feed->window_end == feed->block_count;
    if (!holds_all || feed->window.count == 0) {
        size_t count = feed->window_end - feed->window_begin;
        size_t *numbers = xmem_alloc(count + 1, sizeof(size_t));
        for (size_t i = 0; i < count; i++) {
            numbers[i] = holds_all ? i : feed->taken[feed->window_begin + i];
        }
        Reading reading = {.numbers = numbers, .count = count, .held_out = false};
        read_into(feed, &reading, &feed->window);
        free(numbers);
    }
    shuffle_samples(feed);
    feed->has_window = true;
}

void feed_begin(Feed *feed) {
    read_held_out(feed);
    load_window(feed);
}

void feed_rescale(Feed *feed, double scale) {
    feed->options.load.scale = scale;
    feed->window.count = 0;
    feed_begin(feed);
}

void feed_seek(Feed *feed, const FeedPlace *place) {
    feed->place = *place;
    feed->has_window = false;
}

static uint64_t batches_of(const Feed *feed) {
    uint64_t batches = feed->window.count / (uint64_t)feed->options.batch;
    return batches > 0 || feed->window.count == 0 ? batches : 1;
}

bool feed_is_window_over(const Feed *feed) {
    return feed->place.batch >= batches_of(feed);
}

bool feed_next(Feed *feed, Batch *batch) {
    if (feed->has_window && feed_is_window_over(feed)) {
        feed->place.batch = 0;
        feed->place.window++;
        if (feed->window_end == feed->block_count) {
            feed->place.window = 0;
            feed->place.epoch++;
        }
        feed->has_window = false;
    }
    if (feed->place.epoch >= (uint64_t)feed->options.epochs) {
        return false;
    }
    if (!feed->has_window) {
        load_window(feed);
        if (feed_is_window_over(feed)) {
            return feed_next(feed, batch); /* the position was after the last batch of the window */
        }
    }
    uint64_t batches = batches_of(feed);
    size_t first = (size_t)(feed->place.batch * (uint64_t)feed->options.batch);
    double all = (double)positions_of(feed, 0, feed->block_count);
    double before = (double)positions_of(feed, 0, feed->window_begin);
    double within = (double)positions_of(feed, feed->window_begin, feed->window_end);
    double part = (before + within * (double)feed->place.batch / (double)batches) / all;
    *batch =
        (Batch){.samples = feed->window.samples,
                .order = feed->order + first,
                .count = (int)i64_min(feed->options.batch, (int64_t)(feed->window.count - first)),
                .progress = ((double)feed->place.epoch + part) / feed->options.epochs};
    feed->place.batch++;
    return true;
}
