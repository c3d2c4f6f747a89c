/* network.h: a network in memory, and why one cannot be used.
 *
 * Every network is features x sums x head: the rows of the active features (features.h) are added
 * to the biases, in each view, and the head makes one number of the two lists of sums. There are
 * two heads: Komadori's own, described in arch.h, and the layers of foreign networks
 * (layers.h).
 *
 * A network does not change after it is read (net_finish), so all threads may use it. */
#ifndef KMD_EVAL_NETWORK_H
#define KMD_EVAL_NETWORK_H

#include "base/fileio.h"
#include "eval/arch.h"
#include "eval/features.h"

struct Layers;
struct NnueRows;

/* The small layers of Komadori's own head (arch.h). Weights are interleaved for the kernels, as
 * small_weight says. */
typedef struct SmallLayers {
    int8_t *first;        /* inputs: the squares of the mover's view, then of the other's */
    int32_t *first_bias;  /* [NNUE_FIRST] */
    int8_t *second;       /* inputs: the values of the first layer, then their squares */
    int32_t *second_bias; /* [NNUE_SECOND] */
    int32_t *output;      /* [buckets][NNUE_SECOND]: what 1 / NNUE_BYTE adds to the output */
} SmallLayers;

/* The index of the weight from an input to one of a layer's `outputs`. */
static inline size_t small_weight(int outputs, int input, int output) {
    return (size_t)(input / 4 * outputs + output) * 4 + (size_t)input % 4;
}

enum {
    FOREIGN_DEFAULT_SCALE = 16,
    FOREIGN_MAX_SCALE = 128,
    FOREIGN_CHANCE_SCALE = 600 /* value per unit of the sigmoid; as in published networks */
};

/* FV_SCALE and where it comes from: an English phrase in static storage. */
typedef struct FvScale {
    int scale;
    const char *source;
} FvScale;

typedef struct NnueNet {
    const FeatureSet *set;
    int hidden;            /* sums per view */
    int16_t *input_bias;   /* [hidden] */
    const void *table;     /* [inputs][hidden] numbers of 16 bits, at any address */
    struct NnueRows *rows; /* the table packed for the kernels; NULL: `table` is used */
    uint64_t id;           /* tells files apart (net_finish, foreign_read), progress.bin included;
                              names may make different networks of the same file */
    void *block;           /* the memory that holds all arrays */
    size_t block_bytes;    /* if it was allocated as a large block, else 0 */

    struct Layers *layers; /* the head of foreign networks; NULL: Komadori's own */
    FvScale fv;            /* divides their output */
    FvScale usual_fv;      /* as the file or its folder gives it; 0: nobody does */
    FileMap map;           /* the file, if `table` is a part of it */

    int scale;              /* centipawns per unit of the sigmoid that gives winning chances; of the
                               output, too, in Komadori's own head */
    int buckets;            /* Komadori's own head: outputs, one of which is used */
    int16_t *input_weights; /* the table, aligned */
    int16_t *output_weights; /* [buckets][2][hidden] */
    int32_t *output_bias;    /* [buckets] */
    bool has_small;          /* it has small layers */
    SmallLayers small;
} NnueNet;

typedef enum NetError {
    NET_OK,
    NET_UNREADABLE,   /* the operating system could not read the file */
    NET_NO_NET,       /* the file does not start like a network */
    NET_BAD_VERSION,  /* unknown version */
    NET_BAD_SHAPE,    /* unknown shape or scale */
    NET_AMBIGUOUS,    /* several shapes fit, and neither the header nor the name says which */
    NET_BAD_LENGTH,   /* the file length does not match the shape */
    NET_BAD_CHECKSUM, /* damaged */
    NET_BAD_WEIGHT,   /* a weight is out of range */
    NET_BAD_BLOCK,    /* a compressed block is damaged */
    NET_HAS_THREATS,  /* threat inputs of another program */
    NET_HAS_PSQT,     /* piece-square outputs, which this program cannot evaluate */
    NET_UNFINISHED,   /* a file from within a training, with factorised weights */
    NET_ACTIVATION,   /* an activation that this program cannot evaluate */
    NET_BAD_PROGRESS, /* progress.bin, which the network needs, is missing or damaged */
    NET_NO_MEMORY     /* not enough memory for the unpacked numbers */
} NetError;

#endif
