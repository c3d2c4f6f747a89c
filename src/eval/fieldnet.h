/* fieldnet.h: a network of the shogi field (nn.bin, *.nnue) in memory, and its reader.
 *
 * The reader goes by the contents of a file. Texts and hashes in the headers of released files are
 * often wrong, so they only decide where the contents leave several possibilities. Two heads are
 * known:
 *
 *   plain   sums clipped to 0..127 -> first -> second -> output
 *   SFNN    products of the two halves of the sums -> first, with squares and a skip output
 *           -> second -> output; one stack of layers out of many is used for a position
 *
 * The rows of a plain network stay in the mapped file, which all processes share. Those of SFNN are
 * unpacked into memory of the process. A network does not change once it is read, so all threads
 * may use it. */
#ifndef KMD_EVAL_FIELDNET_H
#define KMD_EVAL_FIELDNET_H

#include "base/fileio.h"
#include "eval/fieldset.h"
#include "eval/kernels.h"
#include "eval/neterror.h"

enum {
    FIELD_STEP = 32, /* the number of sums per view is a multiple of this */
    FIELD_MAX_SUMS = 4096,
    FIELD_MAX_LAYER = 256, /* outputs of the first and second layer, and inputs of the second */
    FIELD_DEFAULT_SCALE = 16,
    FIELD_MAX_SCALE = 128
};

/* How a stack of layers is selected (one value for each part; 0: the part is absent). */
typedef enum FieldKings {
    KINGS_NONE,
    KINGS_3,
    KINGS_9,
    KINGS_9Z,
    KINGS_13Z,
    KINGS_21,
    KINGS_29
} FieldKings;
typedef enum FieldHands {
    HANDS_NONE,
    HANDS_4,
    HANDS_16,
    HANDS_64,
    HANDS_64Z,
    HANDS_256,
    HANDS_1024
} FieldHands;

typedef struct FieldStack {
    KernelAffine first;
    KernelAffine second;
    const int8_t *output;
    int32_t output_bias;
} FieldStack;

typedef struct FieldNet {
    const FieldSet *set;
    int sums; /* per view */
    bool is_sfnn;
    bool has_skip; /* the last output of the first layer is added to the network's output */
    int first;     /* outputs of the first layer without the skip output */
    int second;    /* outputs of the second layer */
    int common;    /* inputs of the first layer that all its outputs use; */
    int shard;     /* and inputs that each group of outputs has for itself; 0: all use all */
    int shards;    /* number of groups */
    FieldHands hands;
    FieldKings kings;
    int progress; /* steps of progress; 0: none */
    int stacks;
    int scale_in_text; /* fv_scale=N of the header's text; 0: none */
    StrBuf name;       /* e.g. "halfkp 256x2-32-32" */

    const unsigned char *rows; /* [inputs][sums] int16, little-endian, at any address */
    int16_t *bias;             /* [sums] */
    FieldStack *stack;         /* [stacks] */
    void *layers;              /* the memory of all layers */
    void *unpacked;            /* the memory of the rows, unless they are in the file */
    size_t unpacked_bytes;
    FileMap map;
    int32_t progress_bias;
    int32_t *progress_weights; /* [81][1548] */
    int32_t progress_steps[256];
    uint16_t number[COLOR_NB][2][PIECE_NB][SQ_NB]; /* view, mirrored, piece, square: piece number */
} FieldNet;

/* True if the bytes start like a network of the field. */
bool fieldnet_is(const void *bytes, size_t len);

/* Reads a network. If `map` is not NULL, it contains the bytes, and a network that is read owns it;
 * else the bytes are copied. `name` is the file's name: it may say what the contents leave open,
 * e.g. "k9k9". On failure *out is unchanged. */
NetError fieldnet_read(StrView bytes, StrView name, FileMap *map, FieldNet **out) MUST_CHECK;

/* NULL is allowed. */
void fieldnet_free(FieldNet *net);

/* The stack of layers that is used for a position. */
int fieldnet_stack(const FieldNet *net, const Position *pos);

#endif
