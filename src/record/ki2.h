/* ki2.h: KI2, the format for human readers: moves in Japanese notation, several on a line, without
 * origins or times. The codec is a constant: safe from every thread. */
#ifndef KMD_RECORD_KI2_H
#define KMD_RECORD_KI2_H

#include "record/codec.h"

extern const Codec ki2_codec;

#endif
