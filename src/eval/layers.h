/* layers.h: the head of foreign networks: three layers on top of the sums.
 *
 *   plain   sums clipped to 0..127 -> first -> second -> output
 *   SFNN    products of the two halves of the sums -> first, with squares and a skip output
 *           -> second -> output
 *
 * Of several stacks of layers, one is used for a position. Layers do not change once they are read,
 * so all threads may use them. */
#ifndef KMD_EVAL_LAYERS_H
#define KMD_EVAL_LAYERS_H

#include "base/str.h"
#include "eval/kernels.h"
#include "rules/position.h"

enum {
    LAYERS_MAX_OUTPUTS = 256, /* of the first and the second layer; inputs of the second */
    LAYERS_PROGRESS_INPUTS = SQ_NB * 1548, /* those of halfkp */
    LAYERS_PROGRESS_VALUES = 256,
    LAYERS_PROGRESS_BITS = 40
};

/* A part of the rule that selects the stack: `values` for each side, where the name is "k9k9" or
 * "hand16". The last of each table is no part at all. */
typedef struct LayersPart {
    const char *name;
    int values;
} LayersPart;

enum { LAYERS_KINGS = 7, LAYERS_HANDS = 7 };
extern const LayersPart layers_kings[LAYERS_KINGS];
extern const LayersPart layers_hands[LAYERS_HANDS];

typedef struct LayersStack {
    KernelAffine first;
    KernelAffine second;
    const int8_t *output;
    int32_t output_bias;
} LayersStack;

/* Whether the weights of the progress are in a file of their own, progress.bin. */
typedef enum LayersFile { LAYERS_NO_FILE, LAYERS_MAY_HAVE_FILE, LAYERS_NEED_FILE } LayersFile;

typedef struct Layers {
    bool is_sfnn;
    bool has_skip; /* the last output of the first layer is added to the network's output */
    int first;     /* outputs of the first layer without the skip output */
    int second;    /* outputs of the second layer */
    int common;    /* inputs of the first layer that all its outputs use; */
    int shard;     /* and inputs that each group of outputs has for itself; 0: all use all */
    int shards;    /* number of groups */
    const LayersPart *hands;
    const LayersPart *kings;
    int progress; /* steps of progress; 0: none */
    LayersFile progress_file;
    int stacks;
    LayersStack *stack;        /* [stacks] */
    void *memory;              /* of all stacks */
    int progress_values;       /* the progress is a number from 0 to this - 1 */
    int64_t progress_bias;     /* in units of 2^-LAYERS_PROGRESS_BITS */
    int64_t *progress_weights; /* [LAYERS_PROGRESS_INPUTS] */
    int64_t progress_limit[LAYERS_PROGRESS_VALUES]; /* the least sum for each number */
} Layers;

/* Empty layers, which are selected by nothing. Free them with layers_free. */
Layers *layers_create(void);

/* NULL is allowed. */
void layers_free(Layers *layers);

/* Appends the sizes and how a stack is selected, e.g. "x2-32-32" or "-15-32 k3k3". */
void layers_describe(const Layers *layers, StrBuf *out);

/* The stack that is used for a position. */
int layers_select(const Layers *layers, const Position *pos);

/* Sets the limits for this many values: value / values is the progress as a probability, the
 * logistic function of the sum. The limits are rounded to multiples of 2^-bits. */
void layers_limit_progress(Layers *layers, int values, int bits);

/* The output before any scale, for the sums of the mover's view and of the other view. */
int32_t layers_output(const Layers *layers, const NnueKernels *kernels,
                      const int16_t *const sums[2], int count, const Position *pos);

#endif
