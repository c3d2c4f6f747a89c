/* bod.h: BOD, one diagram as text: a position, without a game. A constant: safe from every thread.
 */
#ifndef KMD_KIFU_BOD_H
#define KMD_KIFU_BOD_H

#include "kifu/codec.h"

extern const Codec bod_codec;

#endif
