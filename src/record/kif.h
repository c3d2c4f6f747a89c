/* kif.h: KIF and KI2, the formats of Kakinoki's program. The codecs are constants: safe from every
 * thread. */
#ifndef KMD_RECORD_KIF_H
#define KMD_RECORD_KIF_H

#include "record/codec.h"

extern const Codec kif_codec, ki2_codec;

#endif
