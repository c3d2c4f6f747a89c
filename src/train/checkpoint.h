/* checkpoint.h: saves the state of a training run to a file, so that an interrupted run can be
 * resumed.
 *
 * The file contains a header with a CRC, the losses so far, and the weights with AdamW's means and
 * squares. A checkpoint can be used only on the kind of machine that wrote it, and only for the
 * same run: it is rejected if the samples or options differ. The number of threads and the kernels
 * determine the order of additions. If they are the same after the interruption, the run ends with
 * the same weights as an uninterrupted run. */
#ifndef KMD_TRAIN_CHECKPOINT_H
#define KMD_TRAIN_CHECKPOINT_H

#include "train/feed.h"

/* Identifies a training run. The key does not depend on the number of threads and the kernels. */
typedef struct CheckpointKey {
    uint64_t samples; /* key of the feed */
    uint64_t options; /* FNV-1a of the options that influence what is learned */
} CheckpointKey;

/* Extends the feed's two keys by the trainer's options. */
CheckpointKey checkpoint_key(const Trainer *trainer, CheckpointKey feed);

/* The progress of a run: the position of the feed, and the sums of losses in the current window. */
typedef struct TrainState {
    FeedPlace place;
    double epoch_loss;
    uint64_t epoch_batches;
} TrainState;

/* Writes a temporary file and renames it. Returns 0 or an errno value. */
int checkpoint_save(const char *path, const CheckpointKey *key, const Trainer *trainer,
                    const TrainState *state) MUST_CHECK;

/* Loads a checkpoint into the trainer. The checkpoint must have the key `key`. Returns NULL, or why
 * it cannot be used: checkpoint_absent if there is no file with this name, or another text in
 * static storage. Then the trainer and the state are unchanged. */
const char *checkpoint_load(const char *path, const CheckpointKey *key, Trainer *trainer,
                            TrainState *state) MUST_CHECK;
extern const char checkpoint_absent[];

#endif
