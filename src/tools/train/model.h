/* model.h: the network in floating point, as training sees it, and its way into integers.
 *
 * All parameters stand in one array: [hidden / GROUP][inputs + padding][GROUP] weights, [hidden]
 * biases, [buckets][2][hidden] output weights, [buckets] output biases, filled up to a multiple of
 * GROUP. The weights of the padding input are 0. */
#ifndef KMD_TRAIN_MODEL_H
#define KMD_TRAIN_MODEL_H

#include <stddef.h>
#include <stdint.h>

struct NnueNet;

typedef struct Model {
    int hidden;
    int buckets;
    size_t bias_at; /* where the parts begin */
    size_t output_at;
    size_t output_bias_at;
    size_t count;  /* of all parameters */
    float *params; /* at a multiple of 64 bytes */
} Model;

/* All weights 0. Free with model_free. */
void model_create(Model *model, int hidden, int buckets);
void model_free(Model *model);

/* Random weights that follow from the seed. */
void model_randomize(Model *model, uint64_t seed);

/* What weights are limited to so that they fit the integers. */
float model_limit(void);

/* Keeps the padding at 0. */
void model_clear_padding(Model *model);

/* Rounds the weights to what the integers can say; the output biases have digits to spare. */
void model_round(Model *model);

/* Where the weights of group `group` begin, and those of output `bucket` for view 0 or 1. */
size_t model_group_at(int group);
size_t model_output_at(const Model *model, int bucket, int view);

/* Rounded to integers; scale is in centipawns per unit of the output. Free with net_free. */
struct NnueNet *model_to_net(const Model *model, int scale);

/* The other way; the model must be empty (not created). */
void model_from_net(Model *model, const struct NnueNet *net);

#endif
