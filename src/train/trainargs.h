/* trainargs.h: the arguments of komadori-train.
 *
 * One table of options serves to parse them and to print usage, help and manual. Plain
 * data. */
#ifndef KMD_TRAIN_TRAINARGS_H
#define KMD_TRAIN_TRAINARGS_H

#include "base/cmdline.h"
#include "train/feed.h"
#include "train/trainer.h"

typedef struct TrainArgs {
    TrainOptions train; /* scale 0: fit it */
    FeedOptions feed;
    int hidden; /* hidden sums; 0: not given */
    int buckets;
    bool has_small;           /* small layers, even if the network to start from has none */
    int scale;                /* value for train.scale; 0: not given */
    int rate_check;           /* > 0: only measure the speed, over this many steps */
    const char *out;          /* file for the network */
    const char *warm;         /* network to start from; NULL: none */
    const char *checkpoint;   /* NULL: none */
    const char *kernels;      /* NULL: the fastest */
    bool resumes;             /* continue from the checkpoint if it exists */
    const char *const *files; /* game files, and "--weight" with the weight of the files after it */
    int file_count;
} TrainArgs;

/* Parses the command line. Reorders its array; texts point into it. If the command line is wrong,
 * returns false with a sentence in *fault. */
bool trainargs_read(TrainArgs *args, Args words, StrBuf *fault) MUST_CHECK;

/* Reads the weight after a "--weight" among the files. Returns false if it is not valid. */
bool trainargs_weight(const char *word, double *weight);

/* Usage, help and manual. */
extern const ArgCommand trainargs_command;

#endif
