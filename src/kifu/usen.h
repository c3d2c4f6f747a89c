/* usen.h: USEN, the short form of Shogi Playground for addresses in the web: a start position,
 * three characters per move, and variations. */
#ifndef KMD_KIFU_USEN_H
#define KMD_KIFU_USEN_H

#include "kifu/codec.h"

extern const Codec usen_codec;

#endif
