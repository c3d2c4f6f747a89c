/* feed.h: provides the batches of a training from any number of files of games.
 *
 * Files are mapped and their blocks listed. An epoch takes all blocks in a new order, a file of
 * weight W times W times over (a fraction by chance), as many at once as fit the buffer: their
 * games become samples, and runs of RUN_SAMPLES neighbours are shuffled. Everything follows from
 * the seed: a feed that is set to a place continues as one that came there. Belongs to one thread;
 * reads with threads of its own. */
#ifndef KMD_TRAIN_FEED_H
#define KMD_TRAIN_FEED_H

#include "tools/train/trainer.h"

enum { RUN_SAMPLES = 8 };

typedef struct FeedOptions {
    LoadOptions load;
    int threads;
    int batch;
    int epochs;
    int buffer;            /* samples, in thousands */
    bool drops_duplicates; /* within the buffer */
    uint64_t seed;
} FeedOptions;

/* Where a feed is: the batch that comes next. */
typedef struct FeedPlace {
    uint64_t epoch;
    uint64_t window; /* of the epoch: what the buffer holds at once */
    uint64_t batch;  /* of the window */
} FeedPlace;

typedef struct Feed {
    FeedOptions options;
    struct FeedFile *files;
    int file_count;
    struct FeedBlock *blocks; /* of all files */
    size_t block_count;
    size_t block_cap;
    uint64_t key;      /* of blocks and what is made of them, */
    uint64_t plan_key; /* and of the other options except threads: everything that determines the
                          batches */
    uint64_t damaged_bytes;

    FeedPlace place;
    size_t *taken; /* blocks of the epoch, in their order */
    size_t taken_count;
    size_t taken_cap;
    uint64_t taken_epoch;
    size_t window_begin; /* in taken[] */
    size_t window_end;
    bool has_window;
    bool is_all; /* the window holds all samples */
    SampleSet window;
    LoadCount count; /* of the window */
    uint32_t *order;
    size_t order_cap;

    SampleSet held_out;
} Feed;

void feed_init(Feed *feed, const FeedOptions *options);
void feed_free(Feed *feed);

/* Adds a file. False when it cannot be read or holds no games; *why says so then. */
bool feed_add(Feed *feed, const char *path, double weight, const char **why) MUST_CHECK;

/* To be called once, after the last file: fills held_out, with the games of at most HELD_BLOCKS
 * blocks, and the first window. */
enum { HELD_BLOCKS = 400 };
void feed_begin(Feed *feed);

/* Sets the feed to a place that it was at. */
void feed_seek(Feed *feed, const FeedPlace *place);

/* The next batch; false at the end of the last epoch. The batch is valid until the next call. */
bool feed_next(Feed *feed, Batch *batch) MUST_CHECK;

/* True when the last batch was the last of its window. */
bool feed_is_window_over(const Feed *feed);

#endif
