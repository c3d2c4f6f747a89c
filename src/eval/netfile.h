/* netfile.h: a network in memory, and its file.
 *
 * A file is a header of 64 bytes and the numbers, all little-endian:
 *
 *    0  8 bytes   "KMDNNUE" and a NUL
 *    8  uint32    version: 1 for a plain network, 2 for a layered one (arch.h)
 *   12  uint32    inputs: 4384, or 2344 in older files, which have no threats
 *   16  uint32    hidden sums per view: a multiple of 32 up to 1024
 *   20  uint32    outputs: 1 or 8
 *   24  uint32    511, the unit of a hidden sum
 *   28  uint32    1024, the unit of an output weight
 *   32  int32     centipawns per unit of the output
 *   36  uint32    0
 *   40  uint64    identity: FNV-1a of everything after the header
 *   48  uint32    CRC-32 of the first 48 bytes; 0 in older files, whose header nothing protects
 *   52  12 bytes  0
 *   64  int16     biases of the hidden sums
 *       int16     their weights, input by input
 *       int16     weights of each output: the mover's view, then the other's
 *       int32     bias of each output, in units of 511 * 511 * 64
 *
 * In version 2, of which the hidden sums are the same, instead of the last two, all layers of one
 * output after another, each array for all outputs:
 *
 *       int8      weights of the first layer, 64 for 1: by group of four products, neuron, product;
 *                 the products of the mover's view, then the other's
 *       int32     its 16 biases, in units of 1 / 8160
 *       int16     weights of the second layer, 1024 for 1: by neuron of the first, first its value
 *                 and then its square, and neuron of the second; 4080 and 4064 are 1 there
 *       int32     its 32 biases, in units of 1 / (4080 * 1024)
 *       int16     weights of the output, 1024 for 1
 *       int32     its bias, in units of 1 / (4080 * 1024)
 *
 * A network does not change once it is made and may be read by every thread. */
#ifndef KMD_EVAL_NETFILE_H
#define KMD_EVAL_NETFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/str.h"

typedef struct NnueNet {
    int inputs; /* NNUE_INPUTS or NNUE_PIECE_INPUTS */
    int hidden;
    int buckets;
    bool is_layered;
    int scale;               /* centipawns per unit of the output */
    uint64_t id;             /* FNV-1a of its numbers */
    int16_t *input_bias;     /* [hidden] */
    int16_t *input_weights;  /* [inputs][hidden] */
    struct NnueRows *rows;   /* the same packed for the kernels; NULL until the net is sealed */
    int16_t *output_weights; /* [buckets][2][hidden], or layered [buckets][NNUE_SECOND] */
    int32_t *output_bias;    /* [buckets] */
    int8_t *first_weights;   /* layered, else NULL, as the next: as KernelLayers has them, */
    int32_t *first_bias;     /* those of all buckets one after another */
    int16_t *second_weights;
    int32_t *second_bias;
    void *block; /* holds all of them */
    size_t block_bytes;
} NnueNet;

typedef enum NetError {
    NET_OK,
    NET_UNREADABLE,   /* the system could not read the file */
    NET_NO_NET,       /* does not start like a network */
    NET_BAD_VERSION,  /* of a version this program does not know */
    NET_BAD_SHAPE,    /* a shape or scale this program does not know */
    NET_BAD_LENGTH,   /* longer or shorter than its shape asks for */
    NET_BAD_CHECKSUM, /* damaged */
    NET_BAD_WEIGHT    /* a weight out of range */
} NetError;

/* The properties of a network apart from its numbers. */
typedef struct NetShape {
    int hidden;
    int buckets;
    int scale;
    bool is_layered;
    bool has_threats;
} NetShape;

/* A network of this shape with all numbers 0. The shape must be valid. Free with net_free. */
NnueNet *net_create_shape(const NetShape *shape);

/* NULL is allowed. */
void net_free(NnueNet *net);

/* Reads the bytes of a file. On success *out is a new network; otherwise it is left alone. */
NetError net_read(const void *bytes, size_t len, NnueNet **out) MUST_CHECK;

/* The same for a file; *system_error (may be NULL) is the errno value of NET_UNREADABLE. */
NetError net_load(const char *path, NnueNet **out, int *system_error) MUST_CHECK;

/* Sets the identity from the numbers and packs the rows, unless a weight of the inputs is out of
 * range; to be called when the numbers are final. */
void net_seal(NnueNet *net);

/* Appends the file's bytes. The network must be sealed. */
void net_write(const NnueNet *net, StrBuf *out);

/* A short English phrase. Static storage. */
const char *net_error_text(NetError error);

/* The same for what net_load has returned: the system's words where it could not read the file. */
const char *net_load_error_text(NetError error, int system_error);

#endif
