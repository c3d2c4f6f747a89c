/* usirec.h: records as USI `position` lines, and single positions as SFEN and EPD. The codec is a
 * constant: safe from every thread. */
#ifndef KMD_RECORD_USIREC_H
#define KMD_RECORD_USIREC_H

#include "record/codec.h"

extern const Codec usirec_usi_codec, usirec_sfen_codec, usirec_epd_codec;

#endif
