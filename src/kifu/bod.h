/* bod.h: BOD, a text format for the diagram of one position, without a game. The codec is a
 * constant: safe from every thread. */
#ifndef KMD_KIFU_BOD_H
#define KMD_KIFU_BOD_H

#include "kifu/codec.h"

extern const Codec bod_codec;

#endif
