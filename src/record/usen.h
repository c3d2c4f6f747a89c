/* usen.h: USEN, a game short enough for a URL. The codec is a constant: safe from every thread. */
#ifndef KMD_RECORD_USEN_H
#define KMD_RECORD_USEN_H

#include "record/codec.h"

extern const Codec usen_codec;

#endif
