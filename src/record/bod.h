/* bod.h: BOD, a text format for the diagram of one position, without a game. The codec is a
 * constant: safe from every thread. */
#ifndef KMD_RECORD_BOD_H
#define KMD_RECORD_BOD_H

#include "record/codec.h"

extern const Codec bod_codec;

#endif
