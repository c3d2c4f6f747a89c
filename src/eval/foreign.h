/* foreign.h: the reader of foreign networks, the files of other programs (nn.bin, *.nnue).
 *
 * The reader goes by the contents of a file. Texts and hashes in the headers of released files are
 * often wrong, so they only decide where the contents leave several possibilities. The rows of a
 * plain network can stay in the mapped file, which all processes share. Those of SFNN are unpacked
 * into memory of the process. Stateless; safe from every thread. */
#ifndef KMD_EVAL_FOREIGN_H
#define KMD_EVAL_FOREIGN_H

#include "eval/network.h"

/* True if the bytes start like a foreign network. */
bool foreign_is_network(const void *bytes, size_t len);

/* Reads a network into `net`, which must be empty; on failure it is filled in part. If the bytes
 * are a mapped file, the network may point into them; else it copies what it needs. `name` is the
 * file's name with its folder: it may say what the contents leave open, e.g. "k9k9". */
NetError foreign_read(StrView bytes, StrView name, bool is_mapped, NnueNet *net) MUST_CHECK;

/* True if the network points into the bytes that it was read from. */
bool foreign_uses_file(const NnueNet *net);

/* Reads the file progress.bin of a network whose layers may have or need one (layers.h). On failure
 * the network cannot be used. */
NetError foreign_read_progress(StrView bytes, NnueNet *net) MUST_CHECK;

#endif
