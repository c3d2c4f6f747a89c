/* usen.h: USEN, a game short enough for a URL. The codec is a constant: safe from every thread. */
#ifndef KMD_KIFU_USEN_H
#define KMD_KIFU_USEN_H

#include "kifu/codec.h"

extern const Codec usen_codec;

#endif
