/* checkpoint.h: the state of a training in a file, so that it can be killed and go on.
 *
 * The file holds a header with a CRC, the losses so far, and the weights with AdamW's means and
 * squares. It is for the machine that wrote it and for one training: other samples or options are
 * refused. Resumed with the same number of threads and the same kernels, which add up in the same
 * order, it ends in the same weights as one that was not interrupted. */
#ifndef KMD_TRAIN_CHECKPOINT_H
#define KMD_TRAIN_CHECKPOINT_H

#include "base/cmdline.h"
#include "base/str.h"
#include "tools/train/feed.h"

/* In curve.c: the course of a training: losses by epoch, and their drawing. */

enum { CURVE_MOST = 1000 };

/* Lines of a curve: losses in training and held out, and held out by phase and by how far the end
 * of the game was off. */
enum { CURVE_LINES = 2 + 8 + 8 };

typedef struct CurvePoint {
    double epoch;             /* how many had gone by */
    double loss[CURVE_LINES]; /* 0: none */
} CurvePoint;

/* One point per window of the feed: where everything fits the buffer, per epoch. */
typedef struct Curve {
    int count;
    CurvePoint points[CURVE_MOST];
} Curve;

/* Adds a point; points beyond CURVE_MOST are dropped. */
void curve_add(Curve *curve, CurvePoint point);

/* Appends an SVG picture: epochs to the right from 0, loss upwards, the names of the lines beside.
 */
void curve_draw(const Curve *curve, StrBuf *out);

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

/* What tells one training from another. Threads and kernels are no part of it. */
typedef struct CheckpointKey {
    uint64_t samples; /* the feed's key */
    uint64_t options; /* FNV-1a of what decides what is learned from them */
} CheckpointKey;

/* `feed`: its two keys. */
CheckpointKey checkpoint_key(const Trainer *trainer, CheckpointKey feed);

/* How far it is: where the feed stands, and losses summed up in the window that runs. */
typedef struct Progress {
    FeedPlace place;
    Curve curve;
    double epoch_loss;
    uint64_t epoch_batches;
} Progress;

/* Writes aside and renames. Returns 0 or an errno value. */
int checkpoint_save(const char *path, const CheckpointKey *key, const Trainer *trainer,
                    const Progress *progress) MUST_CHECK;

/* Reads into the trainer that the key is of; on failure both are as before. */
CheckpointError checkpoint_load(const char *path, const CheckpointKey *key, Trainer *trainer,
                                Progress *progress) MUST_CHECK;

const char *checkpoint_error_text(CheckpointError error);

/* In trainargs.c: the arguments of komadori-train. */

typedef struct TrainArgs {
    TrainOptions train; /* scale 0: to be fitted */
    FeedOptions feed;
    int hidden; /* 0: not given, as the next */
    int buckets;
    int scale;                /* that of train */
    bool is_layered;          /* asked for */
    int rate_check;           /* > 0: only measure the speed over so many steps */
    const char *out;          /* the network */
    const char *warm;         /* NULL, or a network to start from */
    const char *checkpoint;   /* NULL: none */
    const char *curve;        /* NULL: none */
    const char *kernels;      /* NULL: the fastest */
    bool resumes;             /* go on from the checkpoint if there is one */
    const char *const *files; /* games, and "--weight" with the weight of those behind it */
    int file_count;
} TrainArgs;

/* Reads the words of the command line, whose array is put in another order; texts point into it.
 * False, with a sentence in *fault, when they are not understood. */
bool trainargs_read(TrainArgs *args, Args words, StrBuf *fault) MUST_CHECK;

/* The weight behind a "--weight" among the files. False when it is none. */
bool trainargs_weight(const char *word, double *weight);

/* Usage, help, manual and completion. */
extern const ArgCommand trainargs_command;

#endif
