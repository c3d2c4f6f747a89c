/* jkfread.h: the reader of JKF, the JSON form of records that web programs use (json-kifu-format,
 * .jkf). */
#ifndef KMD_KIFU_JKFREAD_H
#define KMD_KIFU_JKFREAD_H

#include "kifu/codec.h"

/* The codec's reader; see Codec. */
bool jkf_read(StrView text, Record *record, KmdFault *error);

#endif
