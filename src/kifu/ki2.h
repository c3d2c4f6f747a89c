/* ki2.h: KI2, the format for human readers: moves in Japanese notation, several on a line, without
 * origins or times. The codec is a constant: safe from every thread. */
#ifndef KMD_KIFU_KI2_H
#define KMD_KIFU_KI2_H

#include "kifu/codec.h"

extern const Codec ki2_codec;

#endif
