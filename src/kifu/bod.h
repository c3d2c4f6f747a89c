/* bod.h: BOD, a single position as a diagram (.bod). Writes the end of the main line. */
#ifndef KMD_KIFU_BOD_H
#define KMD_KIFU_BOD_H

#include "kifu/codec.h"

extern const Codec bod_codec;

#endif
