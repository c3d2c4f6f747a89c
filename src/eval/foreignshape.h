/* foreignshape.h: finds out which foreign network a file contains.
 *
 * The sizes of the parts decide nearly everything. Where they leave several possibilities, the
 * header's text and the file's name decide, e.g. "halfkp_256x2-32-32" or
 * "SFNN_ka2_640_7_64_c128_s64x8_hand4_k3k3". What neither says is refused, unless only one of the
 * possibilities is usual. Stateless; safe from every thread. */
#ifndef KMD_EVAL_FOREIGNSHAPE_H
#define KMD_EVAL_FOREIGNSHAPE_H

#include "eval/network.h"

enum { FOREIGN_PROGRESS_BYTES = 8 + 4 * SQ_NB * FOREIGN_PIECES };

/* A file as far as it is known before the sizes of its layers. */
typedef struct ForeignFile {
    StrView text;     /* of the header */
    StrView name;     /* with that of its folder, but no other */
    uint32_t hash;    /* of the whole network, in the header */
    bool is_dialect;  /* written by another trainer */
    bool has_hashes;  /* in front of each section */
    int fixed_stacks; /* the number of stacks; 0: not known */
} ForeignFile;

/* The bytes of a layer. */
size_t foreignshape_layer(int inputs, int outputs);

/* Finds the feature set, the sums and the layers of a plain network from the number of bytes after
 * the text, with the hashes of both sections. */
NetError foreignshape_plain(const ForeignFile *file, size_t bytes, NnueNet *net) MUST_CHECK;

/* Finds the feature set and the sums of SFNN from the numbers of values in its blocks. If there is
 * one block, `weights` is 0. */
NetError foreignshape_sums(size_t biases, size_t weights, NnueNet *net) MUST_CHECK;

/* Finds the layers of SFNN and how they are selected from the number of bytes after the blocks.
 * layers->first includes the skip output until foreignshape_skip. */
NetError foreignshape_stacks(const ForeignFile *file, size_t bytes, NnueNet *net) MUST_CHECK;

/* Finds out whether the last output of the first layer is a skip output; `bytes` are the stacks. */
void foreignshape_skip(const ForeignFile *file, const unsigned char *bytes, NnueNet *net);

#endif
