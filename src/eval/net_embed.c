#include "eval/netfile.h"

#include "base/base.h"

/* The Makefile says which file, and makes this one again when the network changes. */
EMBED_FILE(net_embed_file, KMD_EVALFILE);

const unsigned char *net_embedded(size_t *len) {
    *len = (size_t)(net_embed_file_end - net_embed_file);
    return net_embed_file;
}
