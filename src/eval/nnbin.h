/* nnbin.h: a network in the format that shogi players exchange (nn.bin), in memory.
 *
 * The format is YaneuraOu's: a container with version, hash and a text, then a transformer (N
 * biases and a row of N weights for each input, int16) and dense layers 2N -> H1 -> H2 -> 1 with
 * int32 biases and int8 weights, in rows padded to 32 bytes. Hashes and texts are wrong in released
 * files, so the contents decide: the lengths tell feature set, N, H1 and H2. The rows stay in the
 * file's mapping, which the processes that use the file share.
 *
 *   sum[v][j] = bias[j] + the rows of the active inputs of view v     (16 bits, wrapping)
 *   in        = clip(sums of the mover, then of the other side; 0, 127)
 *   h1, h2    = clip((bias + weights * in) >> 6; 0, 127)
 *   output    = bias + weights * h2, in units of 1 / (127 * 64)
 *
 * A network does not change after it is read, so all threads may use it. */
#ifndef KMD_EVAL_NNBIN_H
#define KMD_EVAL_NNBIN_H

#include "base/fileio.h"
#include "base/str.h"
#include "eval/featureset.h"
#include "eval/neterror.h"

enum {
    NNBIN_LANES = 16,         /* N is a multiple of this */
    NNBIN_MAX_WIDTH = 4096,   /* sums per view */
    NNBIN_MAX_LAYER = 256,    /* outputs of a hidden layer */
    NNBIN_DEFAULT_SCALE = 16, /* FV_SCALE where nobody gives one */
    NNBIN_MAX_SCALE = 128
};

/* A dense layer in the order in which the kernels read it. Inputs are bytes 0 .. 127. */
typedef struct NnBinLayer {
    int groups;      /* groups of four inputs */
    int outputs;     /* rounded up to a multiple of NNBIN_LANES; the added ones are 0 */
    int8_t *weights; /* [groups][outputs][4], aligned to 64 bytes */
    int32_t *bias;   /* [outputs] */
} NnBinLayer;

typedef struct NnBin {
    const FeatureSet *set;
    int width; /* N */
    int layer_sizes[2];
    int fv_scale; /* as the text or a file beside the network gives it; 0: nobody does */
    const char *scale_source; /* who gives it, in English, in static storage */
    uint64_t id;              /* a checksum of everything but the rows, and of the length */
    int16_t *bias;
    const unsigned char *rows; /* [inputs][width] little-endian int16, of any alignment */
    NnBinLayer layers[2];
    NnBinLayer output; /* one output, padded */
    FileMap map;       /* holds the rows; empty if the caller does */
} NnBin;

/* True if the bytes begin like such a file. */
bool nnbin_is_one(const void *bytes, size_t len);

/* Reads a network. The bytes must stay where they are until nnbin_free. On success *out is a new
 * network; on failure it is unchanged. */
NetError nnbin_read(const void *bytes, size_t len, NnBin **out) MUST_CHECK;

/* NULL is allowed. */
void nnbin_free(NnBin *bin);

/* Appends the name of the architecture as YaneuraOu's builds are named, such as
 * "halfkp 256x2-32-32". */
void nnbin_describe(const NnBin *bin, StrBuf *out);

#endif
