/* checkpoint.h: the state of a training in a file, so that it can be killed and go on.
 *
 * The file holds a header with a CRC, the losses so far, and the weights with AdamW's means and
 * squares. It is for the machine that wrote it: resumed with the same data, seed and number of
 * threads, a training ends in the same weights as one that was not interrupted. */
#ifndef KMD_TRAIN_CHECKPOINT_H
#define KMD_TRAIN_CHECKPOINT_H

#include "tools/train/curve.h"
#include "tools/train/trainer.h"

typedef enum CheckpointError {
    CHECKPOINT_OK,
    CHECKPOINT_ABSENT, /* no file of this name */
    CHECKPOINT_UNREADABLE,
    CHECKPOINT_DAMAGED,
    CHECKPOINT_OTHER_SHAPE,
    CHECKPOINT_OTHER_DATA
} CheckpointError;

/* Losses summed up in the epoch that runs. */
typedef struct Progress {
    Curve curve;
    double epoch_loss;
    uint64_t epoch_batches;
} Progress;

/* Writes aside and renames. Returns 0 or an errno value. */
int checkpoint_save(const char *path, const Trainer *trainer, const Progress *progress) MUST_CHECK;

/* Reads into a trainer of the same shape and number of samples; on failure both are as before. */
CheckpointError checkpoint_load(const char *path, Trainer *trainer, Progress *progress) MUST_CHECK;

const char *checkpoint_error_text(CheckpointError error);

#endif
