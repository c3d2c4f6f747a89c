#include "eval/net_embed.h"

#include "base/base.h"

/* The Makefile makes this file again when the network changes. */
EMBED_FILE(kmd_net_embedded, "eval/komadori.nnue");

const unsigned char *net_embedded(size_t *len) {
    *len = (size_t)(kmd_net_embedded_end - kmd_net_embedded);
    return kmd_net_embedded;
}
