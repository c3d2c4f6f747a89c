/* trainargs.h: the arguments of komadori-train.
 *
 * One table reads them and prints usage, help, manual and completion. Values only. */
#ifndef KMD_TRAIN_TRAINARGS_H
#define KMD_TRAIN_TRAINARGS_H

#include "base/cmdline.h"
#include "tools/train/feed.h"
#include "tools/train/trainer.h"

typedef struct TrainArgs {
    TrainOptions train; /* scale 0: to be fitted */
    FeedOptions feed;
    int hidden; /* 0: not given, as the next */
    int buckets;
    int scale;                /* that of train */
    bool is_layered;          /* asked for */
    int rate_check;           /* > 0: only measure the speed, over this many steps */
    const char *out;          /* the network */
    const char *warm;         /* NULL, or a network to start from */
    const char *checkpoint;   /* NULL: none */
    const char *curve;        /* NULL: none */
    const char *kernels;      /* NULL: the fastest */
    bool resumes;             /* continue from the checkpoint if there is one */
    const char *const *files; /* games, and "--weight" with the weight of those after it */
    int file_count;
} TrainArgs;

/* Reads the words of the command line, whose array is put in another order; texts point into it.
 * False, with a sentence in *fault, when they are not understood. */
bool trainargs_read(TrainArgs *args, Args words, StrBuf *fault) MUST_CHECK;

/* The weight after a "--weight" among the files. False when it is none. */
bool trainargs_weight(const char *word, double *weight);

/* Usage, help, manual and completion. */
extern const ArgCommand trainargs_command;

#endif
