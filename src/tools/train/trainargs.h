/* trainargs.h: the arguments of komadori-train. */
#ifndef KMD_TRAIN_TRAINARGS_H
#define KMD_TRAIN_TRAINARGS_H

#include "tools/train/feed.h"

typedef struct TrainArgs {
    TrainOptions train; /* scale 0: to be fitted */
    FeedOptions feed;
    int hidden; /* 0: not given, as the next */
    int buckets;
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

/* Reads argv (files point into it). False when it is not understood; *wrong is the word, or what is
 * wrong. */
bool trainargs_read(TrainArgs *args, int argc, const char *const *argv, const char **wrong);

/* The weight behind a "--weight" among the files. False when it is none. */
bool trainargs_weight(const char *word, double *weight);

extern const char trainargs_usage[];

#endif
