/* net_embed.h: the network that is inside the program: the file eval/komadori.nnue as it was when
 * the program was built. */
#ifndef KMD_EVAL_NET_EMBED_H
#define KMD_EVAL_NET_EMBED_H

#include <stddef.h>

/* The bytes of the file, for net_read. */
const unsigned char *net_embedded(size_t *len);

#endif
