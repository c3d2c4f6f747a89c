#include "eval/net_embed.h"

#include "base/base.h"

/* The Makefile says which file, and makes this one again when the network changes. */
EMBED_FILE(kmd_net_embedded, KMD_EVALFILE);

const unsigned char *net_embedded(size_t *len) {
    *len = (size_t)(kmd_net_embedded_end - kmd_net_embedded);
    return kmd_net_embedded;
}
