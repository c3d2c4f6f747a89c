/* jkfwrite.h: the writer of JKF; see jkfread.h. */
#ifndef KMD_KIFU_JKFWRITE_H
#define KMD_KIFU_JKFWRITE_H

#include "kifu/codec.h"

/* The codec's writer; see Codec. */
void jkf_write(const Record *record, TextEncoding encoding, StrBuf *out);

#endif
