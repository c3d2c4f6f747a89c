/* trainer.h: from samples to weights: batches, gradients, AdamW, schedule.
 *
 * The loss of a sample is the squared difference between sigmoid(output) and
 *     share * game result + (1 - share) * sigmoid(score / scale).
 * Towards the end the model is seen with its weights rounded to those of the integers while small
 * steps still add up in the exact ones (Courbariaux and others, 2015), so that what comes out has
 * learned to live with the rounding.
 * A Trainer belongs to one thread and runs its own threads inside its functions. With one number of
 * threads, the same data and seed give the same weights. */
#ifndef KMD_TRAIN_TRAINER_H
#define KMD_TRAIN_TRAINER_H

#include "tools/train/fkernels.h"
#include "tools/train/model.h"
#include "tools/train/samples.h"

typedef struct TrainOptions {
    int batch;
    int epochs;
    int threads;
    double rate;         /* learning rate at its highest, */
    double rate_end;     /* and at the end of the cosine */
    double warm_up;      /* share of all steps in which it rises */
    double rounded;      /* share of all steps, the last, with weights rounded as for integers */
    double decay;        /* of AdamW, times the rate */
    double result_share; /* of the game's result in the target */
    double scale;        /* centipawns per unit of the output */
    uint64_t seed;
} TrainOptions;

typedef struct Trainer {
    TrainOptions options;
    const FloatKernels *kernels;
    const SampleSet *samples;
    Model model;  /* what is evaluated: `exact`, or `exact` rounded near the end */
    float *exact; /* what AdamW moves, laid out as the model's parameters */
    float *mean;  /* AdamW's state */
    float *square;
    uint64_t step;   /* batches done */
    uint32_t *order; /* of the samples in this epoch */
    uint64_t order_epoch;
    struct TrainThread *threads;
    int batch_count; /* of samples in the batch that is being worked on */
    const uint32_t *batch;
} Trainer;

/* The model becomes the trainer's. The samples stay the caller's. */
void trainer_init(Trainer *trainer, const TrainOptions *options, const FloatKernels *kernels,
                  const SampleSet *samples, Model model);
void trainer_free(Trainer *trainer);

uint64_t trainer_batches_per_epoch(const Trainer *trainer);
uint64_t trainer_total_steps(const Trainer *trainer);

/* One batch: gradients and a step of all weights. Returns the mean loss before the step. */
double trainer_step(Trainer *trainer);

/* The model's parameters out of the exact ones, as the step asks for. */
void trainer_refresh(Trainer *trainer);

/* Gradients of the mean loss over samples first .. first + count - 1, added up in
 * trainer_gradients; for tests. Returns the mean loss. */
double trainer_find_gradients(Trainer *trainer, int first, int count);
float *trainer_gradients(Trainer *trainer);

/* The mean loss over a set, without learning. */
double trainer_evaluate(Trainer *trainer, const SampleSet *set);

/* The output for one sample. */
double trainer_output(const Trainer *trainer, const Sample *sample);

#endif
