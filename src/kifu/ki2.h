/* ki2.h: KI2, the format for human readers: moves in Japanese without origins or times, several on
 * a line. A constant: safe from every thread. */
#ifndef KMD_KIFU_KI2_H
#define KMD_KIFU_KI2_H

#include "kifu/codec.h"

extern const Codec ki2_codec;

#endif
