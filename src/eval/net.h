/* net.h: reads networks (network.h), and the file format of Komadori's own.
 *
 * net_read and net_load accept Komadori's own networks and foreign ones (foreign.h). What
 * makes, compares and writes networks is only for Komadori's own.
 *
 * A file is a header of 64 bytes followed by the numbers, all little-endian:
 *
 *    0  8 bytes   "KMDNNUE" and a NUL
 *    8  uint32    version: 1, or 3 with small layers
 *   12  uint32    inputs: 4384, or 2344 in older files, which have no threats
 *   16  uint32    hidden sums per view: a multiple of 32 up to 1024
 *   20  uint32    outputs (buckets): 1 or 8
 *   24  uint32    511: the value of a hidden sum that stands for 1
 *   28  uint32    1024: the same for an output weight
 *   32  int32     centipawns per unit of the output
 *   36  uint32    0
 *   40  uint64    identity: FNV-1a of everything after the header
 *   48  uint32    CRC-32 of the first 48 bytes; 0 in older files, which have no header checksum
 *   52  12 bytes  0
 *   64  int16     biases of the hidden sums
 *       int16     weights of the hidden sums, input by input
 *       int16     weights of each output: the mover's view, then the other's
 *       int32     bias of each output, in units of 511 * 511 * 64
 *
 * and, in version 3, the small layers (SmallLayers in network.h):
 *
 *       int8      weights of the first layer, 512 for 1: of the first four inputs for all outputs,
 *                 then of the next four
 *       int32     biases of the first layer, 512 * 127.5 for 1, and 256
 *       int8      weights of the second layer, 128 for 1, in the same order
 *       int32     biases of the second layer, 128 * 127 for 1, and 64
 *       int32     weights of each output, in units of 511 * 511 * 64 / 127 */
#ifndef KMD_EVAL_NET_H
#define KMD_EVAL_NET_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "base/str.h"
#include "eval/network.h"

/* The properties of a network without its numbers. */
typedef struct NetShape {
    int hidden;
    int buckets;
    int scale;
    bool has_threats;
    bool has_small;
} NetShape;

/* Creates a network of this shape with all numbers 0. The shape must be valid. Free it with
 * net_free. */
NnueNet *net_create_shape(const NetShape *shape);

/* NULL is allowed. */
void net_free(NnueNet *net);

/* FV_SCALE of a foreign network: `option`, the user's choice, or, if that is 0, what the file
 * or its folder gives, or else FOREIGN_DEFAULT_SCALE. */
FvScale net_fv_scale(const NnueNet *net, int option);

/* The winning chance of a score of X centipawns is 1 / (1 + exp(-X / scale)) with this scale, for
 * the scores of searches with the network; NULL is the hand-written evaluation. It was measured on
 * games of other engines (docs/usi.md). It is smaller than net->scale, the unit of the
 * outputs, because a search knows more than its evaluation. */
int net_chance_scale(const NnueNet *net);

/* Appends the architecture and the size, e.g. "halfkp 256x2-32-32". */
void net_describe(const NnueNet *net, StrBuf *out);

/* Appends which foreign network this is, with its scale: "network: halfkp 256x2-32-32,
 * FV_SCALE 24 (option)". */
void net_append_note(const NnueNet *net, StrBuf *out);

/* Reads a network from the bytes of a file. On success *out is a new network; on failure *out is
 * unchanged. */
NetError net_read(const void *bytes, size_t len, NnueNet **out) MUST_CHECK;

/* Like net_read, but reads a file. If the result is NET_UNREADABLE, *system_error is set to the
 * errno value; system_error may be NULL. */
NetError net_load(const char *path, NnueNet **out, int *system_error) MUST_CHECK;

/* Call this when the numbers are final. Computes the identity, and packs the input weights for the
 * kernels unless one of them is out of range. */
void net_finish(NnueNet *net);

/* Appends the network as the bytes of a file. It must be sealed. */
void net_write(const NnueNet *net, StrBuf *out);

/* A short English phrase in static storage. */
const char *net_error_text(NetError error);

/* Like net_error_text, but returns the system's error message for NET_UNREADABLE. */
const char *net_load_error_text(NetError error, int system_error);

#endif
