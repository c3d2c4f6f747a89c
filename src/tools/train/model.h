/* model.h: the network in floating point, as used in training, and its conversion to integers.
 *
 * All parameters stand in one array: [hidden / GROUP][inputs][GROUP] weights, [hidden] biases,
 * then of a plain network [buckets][2][hidden] output weights and [buckets] output biases, of a
 * layered one the layers of each bucket as fkernels.h has them; filled up to a multiple of GROUP.
 * A Model belongs to one thread. */
#ifndef KMD_TRAIN_MODEL_H
#define KMD_TRAIN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct NnueNet;

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

/* The part that begins at `begin`, which is 0 or where another ended; false after the last. */
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

#endif
