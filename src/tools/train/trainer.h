/* trainer.h: from samples to weights: gradients, AdamW, schedule.
 *
 * The loss of a sample is the squared difference between sigmoid(output) and
 *     share * game result + (1 - share) * sigmoid(score / scale),
 * with a share that rises through the run, and none for games of unlike players.
 * Towards the end the model is seen with its weights rounded to those of the integers while small
 * steps still add up in the exact ones (Courbariaux and others, 2015), so that what comes out has
 * learned to live with the rounding.
 * A Trainer belongs to one thread and runs its own threads inside its functions. With one number of
 * threads, the same batches give the same weights. */
#ifndef KMD_TRAIN_TRAINER_H
#define KMD_TRAIN_TRAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/train/fkernels.h"
#include "tools/train/model.h"
#include "tools/train/samples.h"

struct NnueNet;

typedef struct TrainOptions {
    int threads;
    double rate;         /* learning rate at its highest, */
    double rate_end;     /* and at the end of the cosine */
    double warm_up;      /* share of the run in which it rises */
    double rounded;      /* share of the run, the last, with weights rounded as for integers */
    double decay;        /* of AdamW, times the rate */
    double result_share; /* of the game's result in the target, at the beginning */
    double result_share_end;
    double scale; /* centipawns per unit of the output */
} TrainOptions;

/* Samples to learn from at once. Where neighbours in the order are neighbours in a game, they are
 * learned several times as fast. */
typedef struct Batch {
    const Sample *samples;
    const uint32_t *order;
    int count;
    double progress; /* how much of the run lies behind it, 0 to 1 */
} Batch;

typedef struct Trainer {
    TrainOptions options;
    const FloatKernels *kernels;
    Model model;  /* what is evaluated: `exact`, or `exact` rounded near the end */
    float *exact; /* what AdamW moves, laid out as the model's parameters */
    float *mean;  /* AdamW's state */
    float *square;
    uint64_t step;   /* batches done */
    double progress; /* of the run, as the last batch said */
    struct TrainThread *threads;
    const Batch *batch; /* that is being worked on */
    bool is_judging;    /* losses use the last share of results */
} Trainer;

/* The model becomes the trainer's. */
void trainer_init(Trainer *trainer, const TrainOptions *options, const FloatKernels *kernels,
                  Model model);
void trainer_free(Trainer *trainer);

/* One batch: gradients and a step of all weights. Returns the mean loss before the step. */
double trainer_step(Trainer *trainer, const Batch *batch);

/* The model's parameters out of the exact ones, as the progress asks for. */
void trainer_refresh(Trainer *trainer);

/* Gradients of the mean loss over a batch, added up in trainer_gradients; for tests. Returns the
 * mean loss. */
double trainer_find_gradients(Trainer *trainer, const Batch *batch);
float *trainer_gradients(Trainer *trainer);

/* Mean losses over a set, in all and by phase and by how far the game's end was off, in steps of
 * LOSS_PLIES; 0 where there are no samples. */
enum { LOSS_ENDS = 8, LOSS_PLIES = 16 };

typedef struct Losses {
    double all;
    double phase[NNUE_MOST_BUCKETS];
    double end[LOSS_ENDS];
} Losses;

/* Without learning; targets have the share of results of the end, so that losses can be compared.
 */
Losses trainer_evaluate(Trainer *trainer, const SampleSet *set);

/* The output for one sample. */
double trainer_output(const Trainer *trainer, const Sample *sample);

/* The rounding error of a network's integers against the model's floating-point numbers. */
typedef struct NetDifference {
    int count;   /* positions compared */
    double mean; /* in centipawns */
    double most; /* the largest among evaluations within 1500 centipawns */
    int beyond;  /* how many of these differ by more than 3 */
} NetDifference;

/* Compares the model with the network made from it over the first positions of a set. */
NetDifference trainer_compare_net(const Trainer *trainer, const struct NnueNet *net,
                                  const SampleSet *set, int most);

#endif
