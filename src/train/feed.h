/* feed.h: supplies the batches of a training run from any number of game files.
 *
 * Files are mapped into memory and their blocks listed. Each epoch uses all blocks in a new order,
 * those of a file that was added twice twice. As many blocks as fit the buffer are read together as
 * a window: their games become samples, and runs of RUN_SAMPLES adjacent samples are shuffled. The
 * seed determines everything, so a feed that is set to an earlier position continues as it did
 * then. A feed belongs to one thread and uses further threads for reading. */
#ifndef KMD_TRAIN_FEED_H
#define KMD_TRAIN_FEED_H

#include "base/fileio.h"
#include "train/trainer.h"

enum { RUN_SAMPLES = 8 };

typedef struct FeedOptions {
    LoadOptions load;
    int threads;
    int batch;
    int epochs;
    int buffer; /* size of the buffer in thousands of samples */
    uint64_t seed;
} FeedOptions;

/* The position of a feed, given by its next batch. */
typedef struct FeedPlace {
    uint64_t epoch;
    uint64_t window; /* number of the window within the epoch */
    uint64_t batch;  /* number of the batch within the window */
} FeedPlace;

typedef struct Feed {
    FeedOptions options;
    FileMap *files;
    int file_count;
    struct FeedBlock *blocks; /* the blocks of all files */
    size_t block_count;
    size_t block_cap;
    uint64_t key;      /* hash of the blocks and of the options for making samples */
    uint64_t plan_key; /* hash of these and of all other options that determine the batches, which
                          do not depend on the number of threads */
    uint64_t damaged_bytes;

    FeedPlace place;
    size_t *taken; /* [block_count]: the blocks in the order of the epoch */
    uint64_t taken_epoch;
    size_t window_begin; /* index in taken[] where the window begins */
    size_t window_end;
    bool has_window;
    SampleSet window;
    LoadCount count; /* counts of the window */
    uint32_t *order;
    size_t order_cap;

    SampleSet held_out;
} Feed;

void feed_init(Feed *feed, const FeedOptions *options);
void feed_free(Feed *feed);

/* Adds a file. Returns false, with the reason in *why, if it cannot be read or contains no
 * games. */
bool feed_add(Feed *feed, const char *path, const char **why) MUST_CHECK;

/* Call feed_begin once, after the last file was added. It fills held_out with the held-out games of
 * at most HELD_BLOCKS blocks and loads the first window. */
enum { HELD_BLOCKS = 400 };
void feed_begin(Feed *feed);

/* Makes the labels again with another scale (LoadOptions). Only before the first batch. */
void feed_rescale(Feed *feed, double scale);

/* Sets the feed to an earlier position. */
void feed_seek(Feed *feed, const FeedPlace *place);

/* Gets the next batch, valid until the next call. Returns false at the end of the last epoch. */
bool feed_next(Feed *feed, Batch *batch) MUST_CHECK;

/* True if the last batch was the last one of its window. */
bool feed_is_window_over(const Feed *feed);

#endif
