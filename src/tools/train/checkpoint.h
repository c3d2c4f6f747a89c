/* checkpoint.h: saves the state of a training in a file, so that an interrupted training can
 * continue.
 *
 * The file holds a header with a CRC, the losses so far, and the weights with AdamW's means and
 * squares. It is for the machine that wrote it and for one training: other samples or options are
 * refused. Resumed with the same number of threads and the same kernels, which add up in the same
 * order, it ends in the same weights as one that was not interrupted. */
#ifndef KMD_TRAIN_CHECKPOINT_H
#define KMD_TRAIN_CHECKPOINT_H

#include "base/cmdline.h"
#include "base/str.h"
#include "tools/train/curve.h"
#include "tools/train/feed.h"

typedef enum CheckpointError {
    CHECKPOINT_OK,
    CHECKPOINT_ABSENT, /* no file of this name */
    CHECKPOINT_UNREADABLE,
    CHECKPOINT_DAMAGED,
    CHECKPOINT_OTHER_VERSION,
    CHECKPOINT_OTHER_SHAPE,
    CHECKPOINT_OTHER_DATA,
    CHECKPOINT_OTHER_OPTIONS
} CheckpointError;

/* What distinguishes trainings. Threads and kernels do not matter. */
typedef struct CheckpointKey {
    uint64_t samples; /* the feed's key */
    uint64_t options; /* FNV-1a of what decides what is learned from them */
} CheckpointKey;

/* `feed`: its two keys. */
CheckpointKey checkpoint_key(const Trainer *trainer, CheckpointKey feed);

/* The progress: the place of the feed, and the losses summed up in the current window. */
typedef struct TrainState {
    FeedPlace place;
    Curve curve;
    double epoch_loss;
    uint64_t epoch_batches;
} TrainState;

/* Writes aside and renames. Returns 0 or an errno value. */
int checkpoint_save(const char *path, const CheckpointKey *key, const Trainer *trainer,
                    const TrainState *state) MUST_CHECK;

/* Reads into the trainer that the key is of; on failure both are as before. */
CheckpointError checkpoint_load(const char *path, const CheckpointKey *key, Trainer *trainer,
                                TrainState *state) MUST_CHECK;

const char *checkpoint_error_text(CheckpointError error);

#endif
