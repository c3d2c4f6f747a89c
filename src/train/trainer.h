/* trainer.h: learns weights from samples: gradients, AdamW, schedule.
 *
 * The loss of a sample is the squared difference between sigmoid(output) and
 *     share * game result + (1 - share) * sigmoid(score / scale),
 * where share rises during the run, and is 0 for games of unequal players. Towards the end of the
 * run, the model uses weights rounded to values that the integers can represent, while small steps
 * still accumulate in the exact weights (Courbariaux and others, 2015). The network thus learns to
 * compensate for the rounding. A Trainer belongs to one thread; its functions use further threads.
 * With the same number of threads, the same batches give the same weights. */
#ifndef KMD_TRAIN_TRAINER_H
#define KMD_TRAIN_TRAINER_H

#include <stdbool.h>
#include <stdint.h>

#include "train/fkernels.h"
#include "train/model.h"
#include "train/samples.h"

struct NnueNet;

typedef struct TrainOptions {
    int threads;
    double rate;         /* maximum learning rate */
    double average_part; /* last part of the run, whose mean weights are the result; 0: none */
    double decay;        /* AdamW's weight decay, relative to the rate */
    double result_share; /* share of the game result in the target at the start */
    double result_share_end;
    double scale; /* centipawns per unit of the output */
} TrainOptions;

/* The learning rate rises in the first part of the run, and then falls in a cosine to RATE_END, or
 * to `rate` if that is less. In the last part of the run, weights are rounded. */
#define WARM_UP_PART 0.02
#define RATE_END     0.00002
#define ROUNDED_PART 0.2

/* Samples for one step. A step is several times as fast if adjacent samples come from adjacent
 * positions of a game. */
typedef struct Batch {
    const Sample *samples;
    const uint32_t *order; /* indices of the batch's samples; NULL: the first `count` samples */
    int count;
    double progress; /* part of the run already done, 0 to 1 */
} Batch;

typedef struct Trainer {
    TrainOptions options;
    const FloatKernels *kernels;
    Model model;    /* the weights in use: `exact`, or `exact` rounded near the end */
    float *exact;   /* the weights that AdamW updates, laid out as in the model */
    float *moment1; /* AdamW's state: mean of the gradients */
    float *moment2; /* and of their squares */
    float *average; /* mean of `exact` after the last `averaged` steps; NULL: not wanted */
    uint64_t averaged;
    uint64_t step;   /* number of batches done */
    double progress; /* part of the run already done, from the last batch */
    struct TrainThread *threads;
    const Batch *batch; /* the current batch */
    bool is_judging;    /* compute losses with the final share of results */
} Trainer;

/* Initialises a trainer, which takes ownership of the model. */
void trainer_init(Trainer *trainer, const TrainOptions *options, const FloatKernels *kernels,
                  Model model);
void trainer_free(Trainer *trainer);

/* Processes one batch: computes gradients and updates all weights. Returns the mean loss before the
 * update. */
double trainer_step(Trainer *trainer, const Batch *batch);

/* Ends the run: the model gets the mean of the weights of the last part of the run, if it is wanted
 * (Polyak and Juditsky, 1992), otherwise the last weights; rounded if weights are rounded. */
void trainer_finish(Trainer *trainer);

/* Copies the exact weights to the model, rounded if the run has progressed far enough. */
void trainer_refresh(Trainer *trainer);

/* For tests: trainer_find_gradients computes the gradients of the mean loss over a batch and
 * returns that loss; trainer_gradients returns the gradients. */
double trainer_find_gradients(Trainer *trainer, const Batch *batch);
float *trainer_gradients(Trainer *trainer);

/* Mean losses over a set: overall, and by phase (0 if there are no samples of it). */
typedef struct Losses {
    double all;
    double phase[NNUE_MAX_BUCKETS];
} Losses;

/* Computes the losses without learning. Targets use the final share of results, so that losses can
 * be compared. */
Losses trainer_evaluate(Trainer *trainer, const SampleSet *set);

/* The differences between the evaluations of the integer network and of the floating-point
 * model. */
typedef struct NetDifference {
    int count;   /* number of positions compared */
    double mean; /* mean difference in centipawns */
    double most; /* largest difference, among evaluations within 1500 centipawns */
    int beyond;  /* number of these evaluations that differ by more than 3 */
} NetDifference;

/* Compares the model with the network made from it on the first `most` positions of a set. */
NetDifference trainer_compare_net(const Trainer *trainer, const struct NnueNet *net,
                                  const SampleSet *set, int most);

#endif
