/* psn.h: PSN, derived from chess's PGN, in its various dialects. The codec is a constant: safe from
 * every thread. */
#ifndef KMD_RECORD_PSN_H
#define KMD_RECORD_PSN_H

#include "record/codec.h"

extern const Codec psn_codec;

#endif
