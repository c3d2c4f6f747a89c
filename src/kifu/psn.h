/* psn.h: PSN, made from chess's PGN, in the dialects there are. A constant: safe from every
 * thread. */
#ifndef KMD_KIFU_PSN_H
#define KMD_KIFU_PSN_H

#include "kifu/codec.h"

extern const Codec psn_codec;

#endif
