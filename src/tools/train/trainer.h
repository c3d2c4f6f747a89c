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
#include "tools/train/samples.h"

struct NnueNet;
struct SampleSet;

/* In model.c: the network in floating point, as training sees it, and its way into integers.
 *
 * All parameters stand in one array: [hidden / GROUP][inputs][GROUP] weights, [hidden] biases, then
 * of a plain network [buckets][2][hidden] output weights and [buckets] output biases, of a layered
 * one the layers of each bucket as fkernels.h has them; filled up to a multiple of GROUP. */

typedef struct ModelShape {
    int hidden;
    int buckets;
    bool is_layered;
} ModelShape;

typedef struct Model {
    ModelShape shape;
    size_t bias_at; /* where the parts begin */
    size_t output_at;
    size_t output_bias_at; /* plain only */
    size_t count;          /* of all parameters */
    float *params;         /* at a multiple of 64 bytes */
} Model;

/* Parameters that are rounded to the same unit and kept within the same limit. */
typedef struct ModelPart {
    size_t begin;
    size_t end;
    float unit; /* 0: not rounded, for there are digits to spare */
    float limit;
} ModelPart;

/* All weights 0. Free with model_free. */
void model_create(Model *model, const ModelShape *shape);
void model_free(Model *model);

/* Random weights that follow from the seed. */
void model_randomize(Model *model, uint64_t seed);

/* The part that begins at `begin`, which is 0 or where another ended; false behind the last. */
bool model_part(const Model *model, size_t begin, ModelPart *part);

/* Rounds the weights to what the integers can say. */
void model_round(Model *model);

/* Where the weights of group `group` begin, those of output `bucket` for view 0 or 1, and the
 * layers of a bucket. */
size_t model_group_at(int group);
size_t model_output_at(const Model *model, int bucket, int view);
size_t model_layers_at(const Model *model, int bucket);

/* Rounded to integers; scale is in centipawns per unit of the output. Free with net_free. */
struct NnueNet *model_to_net(const Model *model, int scale);

/* The other way; the model must be empty (not created). */
void model_from_net(Model *model, const struct NnueNet *net);

/* A layered model of twice the hidden sums that says nearly what the plain one says: each sum meets
 * its copy in a product, and the neurons of the first layer share the range of outputs out among
 * them. `to` must be empty. */
void model_expand(const Model *from, uint64_t seed, Model *to);

/* Multiplies what the model says: the old scale by the new one, and it says the same centipawns. */
void model_rescale(Model *model, float factor);

/* In trainer.c. */

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
    bool is_judging;    /* losses are those by the last share of results */
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

/* In netcheck.c: how far the integers are from the floating point they were rounded from. */

typedef struct NetCheck {
    int count;   /* positions compared */
    double mean; /* mean difference in centipawns */
    double most; /* the largest among evaluations within 1500 centipawns */
    int beyond;  /* how many of these differ by more than 3 */
} NetCheck;

/* Compares the trainer's model with its rounded copy over the first positions of a set. */
NetCheck netcheck_run(const struct Trainer *trainer, const struct NnueNet *net,
                      const struct SampleSet *set, int most);

#endif
