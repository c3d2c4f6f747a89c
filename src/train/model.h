/* model.h: the network in floating point, as used in training, and its conversion to integers.
 *
 * All parameters are in one array, each part padded to a multiple of GROUP:
 *
 *   [hidden / GROUP][inputs][GROUP]  weights of the hidden sums
 *   [hidden]                         their biases
 *   [BUCKETS][2][hidden]             output weights
 *   [BUCKETS]                        output biases
 *   [NNUE_FIRST][2][hidden]          small layers: weights of the first,
 *   [NNUE_FIRST]                     its biases,
 *   [NNUE_SECOND][2][NNUE_FIRST]     weights of the second,
 *   [NNUE_SECOND]                    its biases,
 *   [BUCKETS][NNUE_SECOND]           output weights
 *
 * A Model belongs to one thread. */
#ifndef KMD_TRAIN_MODEL_H
#define KMD_TRAIN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/arch.h"

struct NnueNet;

/* The number of outputs, one for each phase. */
enum { BUCKETS = NNUE_MAX_BUCKETS };

typedef struct Model {
    int hidden;
    size_t bias_at; /* offset of the biases of the hidden sums */
    size_t output_at;
    size_t output_bias_at; /* offset of the output biases */
    size_t first_at;       /* of the weights and the biases of the small layers */
    size_t first_bias_at;
    size_t second_at;
    size_t second_bias_at;
    size_t small_output_at;
    size_t count;  /* number of all parameters */
    float *params; /* aligned to 64 bytes */
} Model;

/* Parameters that are rounded to the same unit and kept within the same limit. */
typedef struct ModelPart {
    size_t begin;
    size_t end;
    float unit; /* 0: not rounded, because the integers are precise enough */
    float limit;
} ModelPart;

/* Creates a model with all weights 0. Free it with model_free. */
void model_create(Model *model, int hidden);
void model_free(Model *model);

/* Fills in random weights, which depend only on the seed. Those of the small layers are always the
 * same, and they add nothing to the output yet. Networks that are trained from there with different
 * seeds can therefore be averaged. */
void model_randomize(Model *model, uint64_t seed);

/* Describes the part that starts at `begin`, which is 0 or the end of another part. Returns false
 * after the last part. */
bool model_part(const Model *model, size_t begin, ModelPart *part);

/* Rounds the weights to values that the integers can represent. */
void model_round(Model *model);

/* The offsets of the weights of a group, and of the weights of output `bucket` for view 0 or 1. */
size_t model_group_at(int group);
size_t model_output_at(const Model *model, int bucket, int view);

/* Converts to integers, with rounding. `scale` is in centipawns per unit of the output. Free the
 * result with net_free. */
struct NnueNet *model_to_net(const Model *model, int scale);

/* Makes a model from an integer network. If the network has no small layers, the model gets new
 * ones (model_randomize); if it has one output, all phases begin with it. The model must not have
 * been created yet. */
void model_from_net(Model *model, const struct NnueNet *net);

/* Multiplies the output by `factor`. With old scale / new scale as the factor, the evaluation in
 * centipawns stays the same. */
void model_rescale(Model *model, float factor);

#endif
